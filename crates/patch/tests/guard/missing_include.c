new xy_lock
/* A program. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int x;

/* Adds one. */
void f(void) {
    @1x++;
}
==========
/* A program. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

static int x;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

/* Adds one. */
void f(void) {
    pthread_mutex_lock(&xy_lock);
    x++;
    pthread_mutex_unlock(&xy_lock);
}
