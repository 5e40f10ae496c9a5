/* unravel-corpus
 * title: a list of sessions is walked without its lock; each session was cleared as a whole before
 * stands-for: a thread list of a memory reclamation library, walked while a thread leaves it
 * verdict: unsafe
 * property: memory
 * at: look
 * pattern: atomicity violation
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct session {
    struct session *next, *back;
    int epoch;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *sessions;

static void enter(struct session *own) {
    memset(own, 0, sizeof *own);
    pthread_mutex_lock(&lock);
    own->next = sessions;
    if (own->next != NULL)
        own->next->back = own;
    sessions = own;
    pthread_mutex_unlock(&lock);
}

static void leave(struct session *own) {
    pthread_mutex_lock(&lock);
    if (own->next != NULL)
        own->next->back = own->back;
    if (own->back != NULL)
        own->back->next = own->next;
    else
        sessions = own->next;
    pthread_mutex_unlock(&lock);
    free(own);
}

static void *reader(void *arg) {
    enter(arg);
    leave(arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct session *own = malloc(sizeof *own), *other = malloc(sizeof *other);
    pthread_create(&thread, NULL, reader, other);
    enter(own);
    for (struct session *it = sessions; it != NULL; it = it->next)
        if (it->epoch > 0) //@look
            break;
    pthread_join(thread, NULL);
    leave(own);
    return 0;
}
