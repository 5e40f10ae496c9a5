/* unravel-corpus
 * title: two threads set different bytes of one word
 * stands-for: neighbouring bytes as different memory locations
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static struct {
    unsigned char left_open;
    unsigned char right_open;
} door;

static void *open_left(void *arg) {
    (void)arg;
    door.left_open = 1;
    return NULL;
}

static void *open_right(void *arg) {
    (void)arg;
    door.right_open = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, open_left, NULL);
    pthread_create(&b, NULL, open_right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(door.left_open && door.right_open);
    printf("both open\n");
    return 0;
}
