/* unravel-corpus
 * title: y and z change only after they have been added to x
 * stands-for: Concurrency Debugging with MaxSMT, Figure 1, with T2 before T4 and T3 before T5
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

int x = 0, y = 1, z = -1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t y_read, z_read;

static void *t2(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    x = x + y; //@T2_1
    pthread_mutex_unlock(&m);
    sem_post(&y_read);
    return NULL;
}

static void *t3(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    x = x + z; //@T3_1
    pthread_mutex_unlock(&m);
    sem_post(&z_read);
    return NULL;
}

static void *t4(void *arg) {
    (void)arg;
    sem_wait(&y_read);
    y = y + 1; //@T4_1
    return NULL;
}

static void *t5(void *arg) {
    (void)arg;
    sem_wait(&z_read);
    z = z + 1; //@T5_1
    return NULL;
}

int main(void) {
    pthread_t id2, id3, id4, id5;
    sem_init(&y_read, 0, 0);
    sem_init(&z_read, 0, 0);
    pthread_create(&id2, NULL, t2, NULL);
    pthread_create(&id3, NULL, t3, NULL);
    pthread_create(&id4, NULL, t4, NULL);
    pthread_create(&id5, NULL, t5, NULL);
    pthread_join(id2, NULL); //@T1_1
    pthread_join(id3, NULL); //@T1_2
    pthread_join(id4, NULL); //@T1_3
    pthread_join(id5, NULL); //@T1_4
    assert(x == 0);          //@T1_5
    printf("x=%d y=%d z=%d\n", x, y, z);
    return 0;
}
