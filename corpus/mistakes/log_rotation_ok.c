/* unravel-corpus
 * title: a writer keeps the lock until its line is in the log
 * stands-for: a mistake C programmers make: a current object that is picked under the lock and used outside, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

struct log_file {
    int lines;
    int archived_lines;
};

/* Two files that take turns; the lock guards which one is current. */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static struct log_file files[2];
static int current;

static void *write_line(void *arg) {
    pthread_mutex_lock(&log_lock);
    struct log_file *f = &files[current]; //@pick
    f->lines++;                           //@append
    pthread_mutex_unlock(&log_lock);
    return arg;
}

static void log_rotate(void) {
    pthread_mutex_lock(&log_lock);
    struct log_file *old = &files[current];
    current = 1 - current;            //@rotate
    old->archived_lines = old->lines; //@archive
    pthread_mutex_unlock(&log_lock);
}

int main(void) {
    pthread_t writer;

    pthread_create(&writer, NULL, write_line, NULL);
    log_rotate();
    pthread_join(writer, NULL);
    assert(files[0].archived_lines == files[0].lines); //@check
    printf("%d line\n", files[0].lines + files[1].lines);
    return 0;
}
