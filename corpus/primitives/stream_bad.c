/* unravel-corpus
 * title: the log file is closed while a worker may still write to it
 * stands-for: fopen, fwrite, fclose
 * verdict: unsafe
 * property: memory
 * at: write
 * pattern: use after free
 * orders: close < write
 * repair: signal-wait, join
 */
#include <pthread.h>
#include <stdio.h>

static FILE *event_log;

static void *serve(void *arg) {
    fwrite("served\n", 1, 7, event_log); //@write
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
    fclose(event_log); //@close
    pthread_join(server, NULL);
    return 0;
}
