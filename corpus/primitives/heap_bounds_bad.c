/* unravel-corpus
 * title: two writers check for room before either of them has moved the end
 * stands-for: out-of-bounds access of a heap block
 * verdict: unsafe
 * property: memory
 * at: write
 * pattern: atomicity violation
 * orders: room < move, room < move; move < move, room < move
 * repair: mutex
 */
#include <pthread.h>
#include <stdlib.h>

static int *log_;
static int used = 1;

static void *append(void *arg) {
    if (used < 2) {             //@room
        int at = used++;        //@move
        log_[at] = *(int *)arg; //@write
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int one = 1, two = 2;
    log_ = malloc(2 * sizeof *log_);
    pthread_create(&a, NULL, append, &one);
    pthread_create(&b, NULL, append, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(log_);
    return 0;
}
