/* unravel-corpus
 * title: two threads erase one string; test and read of its length are two steps
 * stands-for: orders are between accesses to the same bytes, whatever the pointer may point to
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: test < clear, clear < read
 */
#include <assert.h>
#include <pthread.h>
static struct rep { int length, capacity; } shared = {1, 1};
static struct rep *volatile where = &shared;
static void *erase(void *arg) {
    (void)arg;
    struct rep *r = where;
    if (r->length == 0) //@test
        return 0;
    int length = r->length; //@read
    r->length = 0; //@clear
    assert(length != 0); //@check
    r->capacity = 0;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, erase, 0);
    pthread_create(&b, 0, erase, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
