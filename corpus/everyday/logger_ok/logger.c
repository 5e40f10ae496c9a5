#include "logger.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define LINES 4
#define WIDTH 32

static struct {
    pthread_mutex_t lock;
    enum level least;
    int used;
    int printed;
    char lines[LINES][WIDTH];
} logger = {.lock = PTHREAD_MUTEX_INITIALIZER};

void log_open(enum level least) {
    logger.least = least;
    logger.used = 0;
}

void log_line(enum level level, const char *text) {
    if (level < logger.least)
        return;
    pthread_mutex_lock(&logger.lock);
    if (logger.used < LINES) {
        strncpy(logger.lines[logger.used], text, WIDTH - 1);
        logger.used++;
    }
    pthread_mutex_unlock(&logger.lock);
}

int log_flush(void) {
    pthread_mutex_lock(&logger.lock);
    for (int i = 0; i < logger.used; i++) {
        fprintf(stderr, "%s\n", logger.lines[i]);
        logger.printed++;
    }
    logger.used = 0;
    int printed = logger.printed;
    pthread_mutex_unlock(&logger.lock);
    return printed;
}
