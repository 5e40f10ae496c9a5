/* unravel-corpus
 * title: a session is freed while its name is written to the log
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: memory
 * at: log
 * pattern: use after free
 * repair: join
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *reader(void *arg) {
    fprintf(stderr, "reads for %.8s\n", (const char *)arg); //@log
    return NULL;
}

int main(void) {
    pthread_t t;
    char *name = malloc(8);

    if (!name)
        return 1;
    strcpy(name, "eve");
    pthread_create(&t, NULL, reader, name);
    free(name);
    pthread_join(t, NULL);
    return 0;
}
