/* unravel-corpus
 * title: the log file is closed when the worker that writes to it has ended
 * stands-for: fopen, fwrite, fclose
 * verdict: safe
 */
#include <pthread.h>
#include <stdio.h>

static FILE *event_log;

static void *serve(void *arg) {
    fwrite("served\n", 1, 7, event_log);
    return arg;
}

int main(void) {
    event_log = fopen("/dev/null", "w");
    if (event_log == NULL) {
        perror("events.log");
        return 1;
    }

    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    pthread_join(server, NULL);
    fclose(event_log);
    return 0;
}
