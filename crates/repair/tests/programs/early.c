#include <assert.h>
#include <pthread.h>
int x;
static void *set(void *arg) {
    x = 1;
    return arg;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, set, 0);
    assert(x == 1);
    pthread_join(a, 0);
    return 0;
}
