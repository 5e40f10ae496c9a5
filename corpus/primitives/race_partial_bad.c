/* unravel-corpus
 * title: the writer holds the mutex, the reader does not
 * stands-for: data race between a read and a write
 * verdict: unsafe
 * property: race
 * at: write, read
 * flags: --races
 * pattern: data race
 * repair: mutex
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int temperature = 20;

static void *heat(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    temperature = 21; //@write
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, heat, NULL);
    int shown = temperature; //@read
    pthread_join(t, NULL);
    return shown == 100;
}
