/* unravel-corpus
 * title: another guest takes the dish before the woken one gets the mutex back
 * stands-for: pthread_cond_wait without a loop: stolen wakeup (a spurious one fails too)
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: put < steal, steal < check; look < steal, steal < check
 * repair: predicate-loop
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static int dishes = 0;

static void *cook(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table);
    dishes++; //@put
    pthread_cond_signal(&served);
    pthread_mutex_unlock(&table);
    return NULL;
}

static void *passer_by(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table);
    if (dishes > 0)
        dishes--; //@steal
    pthread_mutex_unlock(&table);
    return NULL;
}

static void *guest(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table);
    if (dishes == 0) //@look
        pthread_cond_wait(&served, &table);
    assert(dishes > 0); //@check
    dishes--;
    pthread_mutex_unlock(&table);
    return NULL;
}

int main(void) {
    pthread_t c, p, g;
    pthread_create(&g, NULL, guest, NULL);
    pthread_create(&c, NULL, cook, NULL);
    pthread_create(&p, NULL, passer_by, NULL);
    pthread_detach(g);
    pthread_join(c, NULL);
    pthread_join(p, NULL);
    return 0;
}
