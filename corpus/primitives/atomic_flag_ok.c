/* unravel-corpus
 * title: a spin lock made of a flag
 * stands-for: C11 atomic_flag_test_and_set, atomic_flag_clear
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int jobs = 0;

static void *work(void *arg) {
    (void)arg;
    while (atomic_flag_test_and_set(&busy))
        ;
    jobs++;
    atomic_flag_clear(&busy);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(jobs == 2);
    printf("%d jobs\n", jobs);
    return 0;
}
