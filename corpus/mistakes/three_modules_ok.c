/* unravel-corpus
 * title: the statistics give back their lock before they call the log
 * stands-for: a mistake C programmers make: modules that call each other under their locks, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t settings_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t stats_mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines, level = 1, hits;

/* A line is written if the settings say so. */
static void *log_write(void *arg) {
    pthread_mutex_lock(&log_mutex);      //@log_lock
    pthread_mutex_lock(&settings_mutex); //@level_lock
    lines += level;
    pthread_mutex_unlock(&settings_mutex);
    pthread_mutex_unlock(&log_mutex);
    return arg;
}

/* The level follows the number of hits. */
static void *settings_adapt(void *arg) {
    pthread_mutex_lock(&settings_mutex); //@settings_lock
    pthread_mutex_lock(&stats_mutex);    //@hits_lock
    level = hits > 100 ? 0 : 1;
    pthread_mutex_unlock(&stats_mutex);
    pthread_mutex_unlock(&settings_mutex);
    return arg;
}

/* Every hit is logged. */
static void *stats_hit(void *arg) {
    pthread_mutex_lock(&stats_mutex); //@stats_lock
    hits++;
    pthread_mutex_unlock(&stats_mutex);
    pthread_mutex_lock(&log_mutex); //@line_lock
    lines++;
    pthread_mutex_unlock(&log_mutex);
    return arg;
}

int main(void) {
    pthread_t writer, admin, visitor;

    pthread_create(&writer, NULL, log_write, NULL);
    pthread_create(&admin, NULL, settings_adapt, NULL);
    pthread_create(&visitor, NULL, stats_hit, NULL);
    pthread_join(writer, NULL);
    pthread_join(admin, NULL);
    pthread_join(visitor, NULL);
    printf("%d lines\n", lines);
    return 0;
}
