/* unravel-corpus
 * title: a mutex makes looking and writing one step, and closing another
 * stands-for: a mistake C programmers make: an object that is destroyed while it is in use, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct log {
    int lines;
    int bytes;
};

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static struct log *log_file; /* null when the log is closed */

static void log_open(void) {
    log_file = calloc(1, sizeof *log_file);
}

static void log_write(int bytes) {
    pthread_mutex_lock(&log_lock);
    struct log *l = log_file; //@look
    if (l != NULL)
        l->bytes += bytes; //@write
    pthread_mutex_unlock(&log_lock);
}

static void log_close(void) {
    pthread_mutex_lock(&log_lock);
    free(log_file);  //@free
    log_file = NULL; //@clear
    pthread_mutex_unlock(&log_lock);
}

static void *serve(void *arg) {
    log_write(80);
    return arg;
}

int main(void) {
    pthread_t server;

    log_open();
    pthread_create(&server, NULL, serve, NULL);
    log_close();
    pthread_join(server, NULL);
    printf("closed\n");
    return 0;
}
