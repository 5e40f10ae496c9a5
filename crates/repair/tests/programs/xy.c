#include <assert.h>
#include <pthread.h>
int x, y;
static void *one(void *arg) {
    x = 0;
    y = 0;
    return arg;
}
static void *two(void *arg) {
    x = 1;
    y = 1;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == y);
    return 0;
}
