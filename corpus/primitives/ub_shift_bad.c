/* unravel-corpus
 * title: the shift count is raised to the width of the type before it is used
 * stands-for: shift out of range
 * verdict: unsafe
 * property: ub
 * at: shift
 * flags: --ub
 * pattern: order violation
 * orders: raise < shift
 * repair: join, signal-wait
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint level = 31;

static void *raise_level(void *arg) {
    (void)arg;
    level++; //@raise
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, raise_level, NULL);
    unsigned mask = 1u << level; //@shift
    pthread_join(t, NULL);
    return mask == 1;
}
