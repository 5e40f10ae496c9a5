/* unravel-corpus
 * title: two threads count in memory that was mapped, under a lock
 * stands-for: mmap, munmap
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static int *hits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *arg) {
    pthread_mutex_lock(&lock);
    ++*hits;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    hits = mmap(NULL, sizeof *hits, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (hits == MAP_FAILED)
        return 1;

    pthread_t first, second;
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(*hits == 2);
    munmap(hits, sizeof *hits);
    return 0;
}
