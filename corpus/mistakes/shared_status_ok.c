/* unravel-corpus
 * title: every upload has a status of its own
 * stands-for: a mistake C programmers make: one status of the last error for all threads, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

enum { OK = 0, TOO_LARGE = 1, LIMIT = 10 };

struct upload {
    int bytes;
    int expected;
    int status; /* what became of it */
};

static void upload_send(struct upload *u) {
    if (u->bytes > LIMIT)
        u->status = TOO_LARGE; //@failed
    else
        u->status = OK; //@reset
}

static void *client(void *arg) {
    struct upload *u = arg;

    upload_send(u);
    int status = u->status; //@read
    assert(status == u->expected); //@check
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    struct upload photo = {4, OK, OK};
    struct upload film = {99, TOO_LARGE, OK};

    pthread_create(&threads[0], NULL, client, &photo);
    pthread_create(&threads[1], NULL, client, &film);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("status %d and %d\n", photo.status, film.status);
    return 0;
}
