/* unravel-corpus
 * title: every checker has a loop variable of its own
 * stands-for: a mistake C programmers make: a global loop variable in a function that threads run, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#define FILES 2

static int sizes[FILES] = {10, 20};

/* Adds up the sizes of all files. */
static int total_size(void) {
    int total = 0;

    for (int i = 0; i < FILES; i++) //@loop
        total += sizes[i]; //@add
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
    printf("%d bytes\n", total_size());
    return 0;
}
