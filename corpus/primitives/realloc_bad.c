/* unravel-corpus
 * title: one thread shrinks the table while another uses the old pointer
 * stands-for: realloc, the old block
 * verdict: unsafe
 * property: memory
 * at: use
 * pattern: use after free
 * orders: shrink < use
 * repair: join, signal-wait
 */
#include <pthread.h>
#include <stdlib.h>

static int *table;

static void *shrink(void *arg) {
    (void)arg;
    table = realloc(table, sizeof *table); //@shrink
    return NULL;
}

int main(void) {
    pthread_t t;
    table = malloc(4 * sizeof *table);
    int *mine = table; //@fetch
    pthread_create(&t, NULL, shrink, NULL);
    mine[3] = 1; //@use
    pthread_join(t, NULL);
    free(table);
    return 0;
}
