/* unravel-corpus
 * title: a length inside one word of a packed header is read as a whole; races on purpose
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct __attribute__((packed)) header {
    unsigned char mark[2];
    unsigned length;
};

static struct header header;

static void *writer(void *arg) {
    header.length = 0x00010001u;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    unsigned seen = header.length;
    assert(seen == 0 || seen == 0x00010001u);
    pthread_join(thread, NULL);
    printf("%u\n", header.length);
    return 0;
}
