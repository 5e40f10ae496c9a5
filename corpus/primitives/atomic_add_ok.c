/* unravel-corpus
 * title: tickets are numbered by an atomic addition and given back by an atomic subtraction
 * stands-for: C11 atomic_init, atomic_load, atomic_store, atomic_fetch_add, atomic_fetch_sub
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int next_ticket, open_tickets;
static int ticket[2];

static void *draw(void *arg) {
    int *mine = arg;
    *mine = atomic_fetch_add(&next_ticket, 1);
    atomic_fetch_sub(&open_tickets, 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    atomic_init(&next_ticket, 0);
    atomic_store(&next_ticket, 10);
    atomic_store_explicit(&open_tickets, 2, memory_order_relaxed);
    pthread_create(&a, NULL, draw, &ticket[0]);
    pthread_create(&b, NULL, draw, &ticket[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(ticket[0] != ticket[1]);
    assert(atomic_load(&open_tickets) == 0);
    printf("next ticket %d\n", atomic_load_explicit(&next_ticket, memory_order_relaxed));
    return 0;
}
