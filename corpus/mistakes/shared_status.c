/* unravel-corpus
 * title: a failed upload reads the common status after the next upload has reset it
 * stands-for: a mistake C programmers make: one status of the last error for all threads
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: failed < reset, reset < read; reset < failed, failed < read
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { OK = 0, TOO_LARGE = 1, LIMIT = 10 };

/* Like errno, but one for all: what became of the last upload. */
static atomic_int upload_status;

struct upload {
    int bytes;
    int expected;
};

static void upload_send(const struct upload *u) {
    if (u->bytes > LIMIT)
        upload_status = TOO_LARGE; //@failed
    else
        upload_status = OK; //@reset
}

static void *client(void *arg) {
    const struct upload *u = arg;

    upload_send(u);
    int status = upload_status; //@read
    assert(status == u->expected); //@check
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    struct upload photo = {4, OK};
    struct upload film = {99, TOO_LARGE};

    pthread_create(&threads[0], NULL, client, &photo);
    pthread_create(&threads[1], NULL, client, &film);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
