/* unravel-corpus
 * title: one letter, two readers: an exchange hands it to exactly one of them
 * stands-for: C11 atomic_exchange on a pointer
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic(int *) letter;
static int got[2];

static void *fetch(void *arg) {
    int *mine = arg;
    int *mail = atomic_exchange(&letter, NULL);
    if (mail != NULL) {
        *mine = *mail;
        free(mail);
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
    assert(got[0] + got[1] == 6);
    printf("letter %d\n", got[0] + got[1]);
    return 0;
}
