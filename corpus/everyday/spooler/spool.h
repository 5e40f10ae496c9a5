#ifndef SPOOL_H
#define SPOOL_H

#include <pthread.h>

struct printer {
    pthread_t thread;
    pthread_mutex_t *lock;
    const char *tray;
    int pages;
};

/* Starts the thread of a printer, which prints a test page. */
int printer_start(struct printer *p, const char *tray);
int printer_stop(struct printer *p);

#endif
