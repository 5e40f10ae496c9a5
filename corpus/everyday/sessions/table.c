#include "table.h"

#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *table[TABLE_SIZE];

void table_put(struct session *s) {
    pthread_mutex_lock(&table_lock);
    table[s->id % TABLE_SIZE] = s;
    pthread_mutex_unlock(&table_lock);
}

struct session *table_get(int id) {
    pthread_mutex_lock(&table_lock);
    struct session *s = table[id % TABLE_SIZE];
    pthread_mutex_unlock(&table_lock); //@given
    return s != NULL && s->id == id ? s : NULL; //@outside
}

struct session *table_remove(int id) {
    pthread_mutex_lock(&table_lock);
    struct session *s = table[id % TABLE_SIZE];
    if (s != NULL && s->id == id)
        table[id % TABLE_SIZE] = NULL;
    else
        s = NULL;
    pthread_mutex_unlock(&table_lock);
    return s;
}
