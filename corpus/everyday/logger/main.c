/* unravel-corpus
 * title: the flush of a logger does not take the lock and forgets a line that comes meanwhile
 * stands-for: an everyday program: a logger with a buffer
 * verdict: unsafe
 * property: reach
 * at: lost
 * fault: flush, reset
 * pattern: atomicity violation
 * repair: mutex
 * patch: logger.c
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "logger.h"

static void *service(void *arg) {
    const char *name = arg;

    log_line(LOG_DEBUG, "starting");
    usleep(10);
    log_line(LOG_INFO, name);
    return NULL;
}

int main(void) {
    pthread_t web, mail;
    int printed;

    log_open(LOG_INFO);
    if (pthread_create(&web, NULL, service, "web") != 0 ||
        pthread_create(&mail, NULL, service, "mail") != 0) {
        perror("pthread_create");
        return EXIT_FAILURE;
    }
    log_flush(); /* show early what there is */
    pthread_join(web, NULL);
    pthread_join(mail, NULL);
    printed = log_flush();
    if (printed != 2) {
        fprintf(stderr, "%d lines were logged, not 2\n", printed);
        abort(); //@lost
    }
    printf("%d lines\n", printed);
    return EXIT_SUCCESS;
}
