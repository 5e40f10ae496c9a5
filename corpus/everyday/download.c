/* unravel-corpus
 * title: a download that fails returns without giving the lock back; the next one waits forever
 * stands-for: an everyday program: downloads with a common progress
 * verdict: unsafe
 * property: deadlock
 * at: lock, join
 * fault: error, lock
 * pattern: deadlock
 * repair: mutex
 * patch: download.c
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_URL 40

struct download {
    char url[MAX_URL];
    int size;
    int error;
    pthread_t thread;
};

static struct {
    pthread_mutex_t lock;
    int finished;
    long bytes;
} progress = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static int progress_add(struct download *d) {
    pthread_mutex_lock(&progress.lock); //@lock
    if (d->size < 0) {
        d->error = ENOENT;
        return -1; //@error
    }
    progress.bytes += d->size;
    progress.finished++;
    pthread_mutex_unlock(&progress.lock);
    return 0;
}

static void *fetch(void *arg) {
    struct download *d = arg;

    usleep(500);
    if (progress_add(d) != 0)
        fprintf(stderr, "%s: %s\n", d->url, strerror(d->error));
    return NULL;
}

int main(void) {
    static const char *const urls[] = {"/index.html", "/missing.png", "/style.css"};
    static const int sizes[] = {300, -1, 40};
    struct download downloads[3];

    for (int i = 0; i < 3; i++) {
        struct download *d = &downloads[i];
        snprintf(d->url, sizeof d->url, "http://localhost%s", urls[i]);
        d->size = sizes[i];
        d->error = 0;
        if (pthread_create(&d->thread, NULL, fetch, d) != 0) {
            perror("pthread_create");
            exit(1);
        }
    }
    for (int i = 0; i < 3; i++)
        pthread_join(downloads[i].thread, NULL); //@join
    printf("%d files, %ld bytes\n", progress.finished, progress.bytes);
    return 0;
}
