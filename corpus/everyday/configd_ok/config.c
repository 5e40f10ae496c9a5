#include "config.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_rwlock_t config_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct config *current;

int config_load(const char *host, int port) {
    struct config *fresh = malloc(sizeof *fresh);
    struct config *old;

    if (fresh == NULL)
        return -1;
    strncpy(fresh->host, host, sizeof fresh->host - 1);
    fresh->host[sizeof fresh->host - 1] = '\0';
    fresh->port = port;
    pthread_rwlock_wrlock(&config_lock);
    old = current;
    current = fresh;
    pthread_rwlock_unlock(&config_lock);
    free(old);
    return 0;
}

int config_describe(char *text, int size) {
    const struct config *c;
    int length;

    pthread_rwlock_rdlock(&config_lock);
    c = current;
    if (c == NULL) {
        pthread_rwlock_unlock(&config_lock);
        return 0;
    }
    length = (int)strlen(c->host);
    snprintf(text, (size_t)size, "%s:%d", c->host, c->port);
    pthread_rwlock_unlock(&config_lock);
    return length;
}

void config_free(void) {
    free(current);
    current = NULL;
}
