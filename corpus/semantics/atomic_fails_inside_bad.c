/* unravel-corpus
 * title: an atomic section fails on what it has written itself
 * stands-for: what is written in an atomic section is seen there at once
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int used, kept;

static void *take(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    kept = used;
    used = 1;
    assert(!(kept && used)); //@check
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
