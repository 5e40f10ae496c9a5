/* unravel-corpus
 * title: the first user initializes the library, the second one sees the count and does not wait for it
 * stands-for: a mistake C programmers make: a count of users in place of pthread_once
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: enter < enter, use < fill
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* A codec library with a table that the first user fills. */
static atomic_int users;
static atomic_int table_size;

static void codec_open(void) {
    if (atomic_fetch_add(&users, 1) == 0) //@enter
        table_size = 64;                  //@fill
}

static void codec_decode(void) {
    int size = table_size; //@use

    assert(size == 64); //@check
}

static void *player(void *arg) {
    codec_open();
    codec_decode();
    return arg;
}

int main(void) {
    pthread_t music, video;

    pthread_create(&music, NULL, player, NULL);
    pthread_create(&video, NULL, player, NULL);
    pthread_join(music, NULL);
    pthread_join(video, NULL);
    return 0;
}
