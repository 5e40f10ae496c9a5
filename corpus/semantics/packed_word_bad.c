/* unravel-corpus
 * title: a length that lies in two words of a packed header is read while half of it is written
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: fail
 * pattern: atomicity violation
 */
#include <assert.h>
#include <pthread.h>

struct __attribute__((packed)) header {
    unsigned char mark[6];
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
    assert(seen == 0 || seen == 0x00010001u); //@fail
    pthread_join(thread, NULL);
    return 0;
}
