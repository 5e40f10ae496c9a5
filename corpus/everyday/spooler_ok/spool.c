#include "spool.h"

#include <stdlib.h>
#include <string.h>

static pthread_mutex_t paper = PTHREAD_MUTEX_INITIALIZER;

static void *print_test_page(void *arg) {
    struct printer *p = arg;

    pthread_mutex_lock(p->lock);
    if (strcmp(p->tray, "none") != 0)
        p->pages++;
    pthread_mutex_unlock(p->lock);
    return NULL;
}

int printer_start(struct printer *p, const char *tray) {
    int error;

    memset(p, 0, sizeof *p);
    p->lock = &paper;
    p->tray = tray;
    error = pthread_create(&p->thread, NULL, print_test_page, p);
    return error;
}

int printer_stop(struct printer *p) {
    pthread_join(p->thread, NULL);
    return p->pages;
}
