/* unravel-corpus
 * title: three thermostats pass a setting around once; they agree only if the first one starts
 * stands-for: Alves et al., Table 3, token_ring_bad
 * verdict: unsafe
 * property: reach
 * at: agree
 * pattern: order violation
 * orders: hall < kitchen, kitchen_set < done, bath_set < done; bath < kitchen, kitchen_set < done, hall_set < done
 * repair: signal-wait
 * differs: the ring agrees whenever the first thermostat begins: no value is wrong, only the order
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define STEPS 4

/* The settings of a flat, and which thermostat has passed its own on. */
static pthread_mutex_t bus = PTHREAD_MUTEX_INITIALIZER;
static int kitchen = 1, hall = 2, bath = 1;
static bool kitchen_done, hall_done, bath_done;

static void *kitchen_turn(void *arg) {
    pthread_mutex_lock(&bus);
    kitchen = (bath + 1) % STEPS; //@kitchen
    kitchen_done = true; //@kitchen_set
    pthread_mutex_unlock(&bus);
    return arg;
}

static void *hall_turn(void *arg) {
    pthread_mutex_lock(&bus);
    hall = kitchen; //@hall
    hall_done = true; //@hall_set
    pthread_mutex_unlock(&bus);
    return arg;
}

static void *bath_turn(void *arg) {
    pthread_mutex_lock(&bus);
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
    pthread_exit(NULL);
}
