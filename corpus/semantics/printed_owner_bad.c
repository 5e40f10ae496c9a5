/* unravel-corpus
 * title: a clerk renames an account while its name is printed; the print reads the letters that are written
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: race
 * at: print, rename
 * flags: --races
 * pattern: data race
 * repair: mutex
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char owner[8] = "ann";

static void *clerk(void *arg) {
    strcpy(owner, "bob"); //@rename
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, clerk, NULL);
    printf("owner: %-6s|\n", owner); //@print
    pthread_join(t, NULL);
    return 0;
}
