/* unravel-corpus
 * title: the slot is chosen in one critical section of a spin lock and filled in the next
 * stands-for: a mistake C programmers make: check-then-act under a lock made by hand
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: choose < count, count < count
 * repair: widen
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct spin_lock {
    atomic_flag held;
};

static void spin_acquire(struct spin_lock *l) {
    while (atomic_flag_test_and_set_explicit(&l->held, memory_order_acquire))
        ;
}

static void spin_release(struct spin_lock *l) {
    atomic_flag_clear_explicit(&l->held, memory_order_release);
}

/* Interrupt handlers, by slot. */
static struct spin_lock table_lock = { ATOMIC_FLAG_INIT };
static int handlers[3];
static int used;

static void *attach(void *arg) {
    int id = *(int *)arg, slot;

    spin_acquire(&table_lock);
    slot = used; //@choose
    spin_release(&table_lock);
    if (slot < 3) {
        spin_acquire(&table_lock);
        handlers[slot] = id;
        used++; //@count
        spin_release(&table_lock);
    }
    return NULL;
}

int main(void) {
    static int ids[2] = { 7, 9 };
    pthread_t disk, net;

    pthread_create(&disk, NULL, attach, &ids[0]);
    pthread_create(&net, NULL, attach, &ids[1]);
    pthread_join(disk, NULL);
    pthread_join(net, NULL);
    assert(handlers[0] + handlers[1] == 16); //@check
    return 0;
}
