/* unravel-corpus
 * title: the progress of a download is shown without a lock, because it is only a number on the screen
 * stands-for: a mistake C programmers make: a data race that is thought to do no harm
 * verdict: unsafe
 * property: race
 * at: write, read
 * flags: --races
 * pattern: data race
 * repair: atomic, mutex
 */
#include <pthread.h>
#include <stddef.h>

#define CHUNKS 2

/* A download; the window reads the progress while the thread works. */
struct download {
    int chunks;
    int percent;
};

static struct download film = {.chunks = CHUNKS};

static void *fetch(void *arg) {
    struct download *d = arg;

    for (int i = 1; i <= CHUNKS; i++)
        d->percent = 100 * i / d->chunks; //@write
    return NULL;
}

/* How many of ten marks the window shows. */
static int window_marks(const struct download *d) {
    return d->percent / 10; //@read
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, fetch, &film);
    int marks = window_marks(&film);
    pthread_join(thread, NULL);
    return marks >= 0 && marks <= 10 ? 0 : 1;
}
