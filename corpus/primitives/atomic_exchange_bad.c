/* unravel-corpus
 * title: one letter, two readers: both look before either takes it away
 * stands-for: C11 atomic_load and atomic_store in place of atomic_exchange
 * verdict: unsafe
 * property: memory
 * at: read, free
 * pattern: atomicity violation
 * orders: look < clear, look < clear; clear < clear, look < clear; free < free, read < free
 * repair: atomic, mutex
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) letter;
static int got[2];

static void *fetch(void *arg) {
    int *mine = arg;
    int *mail = atomic_load(&letter); //@look
    atomic_store(&letter, NULL);      //@clear
    if (mail != NULL) {
        *mine = *mail; //@read
        free(mail);    //@free
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int *mail = malloc(sizeof *mail);
    *mail = 6;
    atomic_store(&letter, mail);
    pthread_create(&a, NULL, fetch, &got[0]);
    pthread_create(&b, NULL, fetch, &got[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
