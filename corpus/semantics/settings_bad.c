/* unravel-corpus
 * title: as many counters as the command line says share a total without a lock
 * stands-for: settings from the command line, kept in variables that threads read
 * verdict: unsafe
 * property: reach
 * at: check
 * flags: --args=2
 * pattern: atomicity violation
 * orders: add < add, add < add
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int counters = 2;
static int votes = 1;
static int total = 0;

static void *count_votes(void *arg) {
    (void)arg;
    for (int i = 0; i < votes; i++)
        total++; //@add
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1)
        counters = atoi(argv[1]);
    if (argc > 2)
        votes = atoi(argv[2]);
    pthread_t counter[counters];

    for (int i = 0; i < counters; i++)
        pthread_create(&counter[i], NULL, count_votes, NULL);
    for (int i = 0; i < counters; i++)
        pthread_join(counter[i], NULL);
    assert(total == counters * votes); //@check
    return 0;
}
