/* unravel-corpus
 * title: the first user initializes the library while the others wait
 * stands-for: a mistake C programmers make: a count of users in place of pthread_once, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

/* A codec library with a table that the first user fills. */
static pthread_once_t opened = PTHREAD_ONCE_INIT;
static int table_size;

static void codec_fill(void) {
    table_size = 64; //@fill
}

static void codec_open(void) {
    pthread_once(&opened, codec_fill); //@enter
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
    printf("table of %d\n", table_size);
    return 0;
}
