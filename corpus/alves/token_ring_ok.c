/* unravel-corpus
 * title: hall and bath wait until the kitchen has started the round
 * stands-for: Alves et al., Table 3, token_ring_bad, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define STEPS 4

/* The settings of a flat, and which thermostat has passed its own on. */
static pthread_mutex_t bus = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static int kitchen = 1, hall = 2, bath = 1;
static bool kitchen_done, hall_done, bath_done;

static void *kitchen_turn(void *arg) {
    pthread_mutex_lock(&bus);
    kitchen = (bath + 1) % STEPS; //@kitchen
    kitchen_done = true; //@kitchen_set
    pthread_cond_broadcast(&started);
    pthread_mutex_unlock(&bus);
    return arg;
}

static void *hall_turn(void *arg) {
    pthread_mutex_lock(&bus);
    while (!kitchen_done)
        pthread_cond_wait(&started, &bus);
    hall = kitchen; //@hall
    hall_done = true; //@hall_set
    pthread_mutex_unlock(&bus);
    return arg;
}

static void *bath_turn(void *arg) {
    pthread_mutex_lock(&bus);
    while (!kitchen_done)
        pthread_cond_wait(&started, &bus);
    bath = hall; //@bath
    bath_done = true; //@bath_set
    pthread_mutex_unlock(&bus);
    return arg;
}

static void *compare(void *arg) {
    pthread_mutex_lock(&bus);
    if (kitchen_done && hall_done && bath_done)    //@done
        assert(kitchen == hall && hall == bath); //@agree
    pthread_mutex_unlock(&bus);
    return arg;
}

int main(void) {
    pthread_t threads[4];

    pthread_create(&threads[0], NULL, kitchen_turn, NULL);
    pthread_create(&threads[1], NULL, hall_turn, NULL);
    pthread_create(&threads[2], NULL, bath_turn, NULL);
    pthread_create(&threads[3], NULL, compare, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d\n", kitchen, hall, bath);
    return 0;
}
