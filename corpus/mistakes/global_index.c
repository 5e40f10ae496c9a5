/* unravel-corpus
 * title: two checkers walk over the same files with one global loop variable, and a file is left out
 * stands-for: a mistake C programmers make: a global loop variable in a function that threads run
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: loop < loop, loop < loop; loop < loop; add < loop; loop < add, loop < loop
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define FILES 2

static int sizes[FILES] = {10, 20};
static atomic_int i;

/* Adds up the sizes of all files. */
static int total_size(void) {
    int total = 0;

    for (i = 0; i < FILES; i++) //@loop
        total += sizes[i % FILES]; //@add
    return total;
}

static void *check_disk(void *arg) {
    int total = total_size();

    assert(total == 30); //@check
    return arg;
}

int main(void) {
    pthread_t home, backup;

    pthread_create(&home, NULL, check_disk, NULL);
    pthread_create(&backup, NULL, check_disk, NULL);
    pthread_join(home, NULL);
    pthread_join(backup, NULL);
    return 0;
}
