/* unravel-corpus
 * title: a thread gets the address of a local variable whose function returns
 * stands-for: the step that ends local variables, for diagnose
 * verdict: unsafe
 * property: memory
 * at: use
 * pattern: use after free
 * orders: end < use
 */
#include <pthread.h>
pthread_t h11;
static void *late13(void *arg) {
    *(int *)arg = 1; //@use
    return 0;
}
static void spawn14(void) {
    int local10 = 0;
    pthread_create(&h11, 0, late13, &local10);
} //@end
static void *work1(void *arg) {
    (void)arg;
    spawn14();
    return 0;
}
int main(void) {
    pthread_t h15;
    pthread_create(&h15, 0, work1, 0);
    return 0;
}
