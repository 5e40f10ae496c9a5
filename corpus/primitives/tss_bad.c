/* unravel-corpus
 * title: a thread looks for the value that only the other thread has set
 * stands-for: C11 tss_get
 * verdict: unsafe
 * property: memory
 * at: use
 * pattern: sequential
 * repair: none
 */
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static int shared_value = 4;

static int use(void *arg) {
    (void)arg;
    int *mine = tss_get(key);
    *mine += 1; //@use
    return 0;
}

int main(void) {
    thrd_t a;
    tss_create(&key, NULL);
    tss_set(key, &shared_value);
    thrd_create(&a, use, NULL);
    thrd_join(a, NULL);
    return 0;
}
