new xy_lock
#include <pthread.h>

int x, y;

struct node { struct node *next; };
struct node *head;

static struct node *pop(void) {
    struct node *@1first = head;
    if (!first)
        return NULL;
    @1head = first->next;
    return first->next;
}

struct node *use(void) { return pop(); }
==========
#include <pthread.h>

int x, y;

struct node { struct node *next; };
struct node *head;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *pop(void) {
    pthread_mutex_lock(&xy_lock);
    struct node *first = head;
    if (!first) {
        pthread_mutex_unlock(&xy_lock);
        return NULL;
    }
    head = first->next;
    pthread_mutex_unlock(&xy_lock);
    return first->next;
}

struct node *use(void) { return pop(); }
