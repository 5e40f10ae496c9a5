/* unravel-corpus
 * title: the progress of a download is an atomic number
 * stands-for: a mistake C programmers make: a data race that is thought to do no harm, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#define CHUNKS 2

/* A download; the window reads the progress while the thread works. */
struct download {
    int chunks;
    atomic_int percent;
};

static struct download film = {.chunks = CHUNKS};

static void *fetch(void *arg) {
    struct download *d = arg;

    for (int i = 1; i <= CHUNKS; i++)
        d->percent = 100 * i / d->chunks; //@write
    return NULL;
}

/* How many of ten marks the window shows. */
static int window_marks(struct download *d) {
    return d->percent / 10; //@read
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, fetch, &film);
    int marks = window_marks(&film);
    pthread_join(thread, NULL);
    printf("%s\n", marks <= 10 ? "shown" : "too many");
    return 0;
}
