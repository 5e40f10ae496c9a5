/* unravel-corpus
 * title: a file is removed by a name that another thread has freed
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: memory
 * at: removed
 * pattern: use after free
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *path;

static void *cleaner(void *arg) {
    free(path);
    return arg;
}

int main(void) {
    pthread_t thread;

    path = malloc(8);
    if (!path)
        return 1;
    strcpy(path, "a.tmp");
    pthread_create(&thread, NULL, cleaner, NULL);
    unlink(path); //@removed
    pthread_join(thread, NULL);
    return 0;
}
