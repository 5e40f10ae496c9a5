/* unravel-corpus
 * title: a session is looked up in one critical section and its reference counted in the next; it dies in between
 * stands-for: a mistake C programmers make: a reference that is counted after the lookup
 * verdict: unsafe
 * property: memory
 * at: count
 * pattern: atomicity violation
 * orders: find < remove, free < count
 * repair: widen
 */
#include <pthread.h>
#include <stdlib.h>

struct session {
    int references; /* the table has one */
    int bytes;
};

/* The table has room for one session. The lock guards it and the references. */
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *table;

static struct session *session_get(void) {
    pthread_mutex_lock(&table_lock);
    struct session *s = table; //@find
    pthread_mutex_unlock(&table_lock);
    if (s == NULL)
        return NULL;

    pthread_mutex_lock(&table_lock);
    s->references++; //@count
    pthread_mutex_unlock(&table_lock);
    return s;
}

static void session_put(struct session *s) {
    pthread_mutex_lock(&table_lock);
    s->references--;
    if (s->references == 0)
        free(s); //@free
    pthread_mutex_unlock(&table_lock);
}

/* Takes the session out of the table and gives up the table's reference. */
static void *expire(void *arg) {
    pthread_mutex_lock(&table_lock);
    struct session *s = table;
    table = NULL; //@remove
    pthread_mutex_unlock(&table_lock);
    session_put(s);
    return arg;
}

int main(void) {
    pthread_t timer;

    table = calloc(1, sizeof *table);
    table->references = 1;
    pthread_create(&timer, NULL, expire, NULL);

    struct session *s = session_get();
    if (s != NULL) {
        s->bytes += 100;
        session_put(s);
    }
    pthread_join(timer, NULL);
    return 0;
}
