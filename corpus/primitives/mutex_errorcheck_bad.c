/* unravel-corpus
 * title: error-checking mutexes do not see a cycle of two threads
 * stands-for: PTHREAD_MUTEX_ERRORCHECK
 * verdict: unsafe
 * property: deadlock
 * at: read_first, write_first
 * pattern: deadlock
 * orders: read_index < write_first, write_data < read_first
 * repair: lock-order
 */
#include <pthread.h>

static pthread_mutex_t index_lock, data_lock;
static int entries = 0;

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&index_lock); //@read_index
    pthread_mutex_lock(&data_lock);  //@read_first
    int n = entries;
    (void)n;
    pthread_mutex_unlock(&data_lock);
    pthread_mutex_unlock(&index_lock);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&data_lock);  //@write_data
    pthread_mutex_lock(&index_lock); //@write_first
    entries++;
    pthread_mutex_unlock(&index_lock);
    pthread_mutex_unlock(&data_lock);
    return NULL;
}

int main(void) {
    pthread_t r, w;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&index_lock, &attr);
    pthread_mutex_init(&data_lock, &attr);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    return 0;
}
