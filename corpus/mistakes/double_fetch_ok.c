/* unravel-corpus
 * title: the length of a packet is read once; that value is tested and used
 * stands-for: a mistake C programmers make: a value in shared memory that is fetched twice, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#define ROOM 2

/* A page that a driver shares with a program. */
struct packet {
    atomic_int length;
    atomic_int words[4];
};

static struct packet page = {.length = 2, .words = {1, 2, 3, 4}};

/* Copies a packet if there is room for it. */
static int driver_copy(struct packet *p, int *words) {
    int length = p->length; //@fetch

    if (length > ROOM) //@test
        return -1;
    for (int i = 0; i < length; i++)
        words[i] = p->words[i]; //@copy
    return 0;
}

static void *program(void *arg) {
    struct packet *p = arg;

    p->length = 3; //@grow
    return NULL;
}

int main(void) {
    pthread_t thread;
    int words[ROOM] = {0, 0};

    pthread_create(&thread, NULL, program, &page);
    int copied = driver_copy(&page, words);
    pthread_join(thread, NULL);
    printf("%s\n", copied == 0 || copied == -1 ? "handled" : "lost");
    return 0;
}
