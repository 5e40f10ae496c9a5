/* unravel-corpus
 * title: main joins the opener before it destroys the lock of the latch
 * stands-for: a mistake C programmers make: a synchronization object that is destroyed while somebody still leaves it, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens once; waiting for it does not take the lock. */
struct latch {
    pthread_mutex_t lock;
    atomic_bool open;
    int opened_by;
};

static void latch_open(struct latch *l, int who) {
    pthread_mutex_lock(&l->lock);
    l->opened_by = who;
    l->open = true; //@open
    pthread_mutex_unlock(&l->lock); //@unlock
}

static void latch_wait(struct latch *l) {
    while (!l->open) //@look
        sched_yield();
}

static void *boot(void *arg) {
    latch_open(arg, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct latch booted = {.opened_by = 0};

    pthread_mutex_init(&booted.lock, NULL);
    pthread_create(&thread, NULL, boot, &booted);
    latch_wait(&booted);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&booted.lock); //@destroy
    printf("opened by %d\n", booted.opened_by);
    return 0;
}
