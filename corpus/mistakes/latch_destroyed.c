/* unravel-corpus
 * title: main destroys the lock of the latch when it sees it open; the opener has not unlocked it yet
 * stands-for: a mistake C programmers make: a synchronization object that is destroyed while somebody still leaves it
 * verdict: unsafe
 * property: misuse
 * at: destroy, unlock
 * pattern: atomicity violation
 * orders: destroy < unlock
 * repair: signal-wait, join
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

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
    pthread_mutex_destroy(&booted.lock); //@destroy
    pthread_join(thread, NULL);
    return booted.opened_by == 1 ? 0 : 1;
}
