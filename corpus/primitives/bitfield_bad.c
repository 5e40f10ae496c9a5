/* unravel-corpus
 * title: two threads set different bit-fields that lie in the same byte
 * stands-for: bit-fields as one memory location
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: left < right, right < left
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned left_open : 1;
    unsigned right_open : 1;
} door;

static void *open_left(void *arg) {
    (void)arg;
    door.left_open = 1; //@left
    return NULL;
}

static void *open_right(void *arg) {
    (void)arg;
    door.right_open = 1; //@right
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, open_left, NULL);
    pthread_create(&b, NULL, open_right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(door.left_open && door.right_open); //@check
    return 0;
}
