/* unravel-corpus
 * title: a writer picks the current log file, which is rotated and archived before its line is in it
 * stands-for: a mistake C programmers make: a current object that is picked under the lock and used outside
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: pick < rotate, archive < append
 * repair: widen, mutex, join, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct log_file {
    int lines;
    int archived_lines;
};

/* Two files that take turns; the lock guards which one is current. */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static struct log_file files[2];
static int current;

static struct log_file *log_current(void) {
    pthread_mutex_lock(&log_lock);
    struct log_file *f = &files[current]; //@pick
    pthread_mutex_unlock(&log_lock);
    return f;
}

static void *write_line(void *arg) {
    struct log_file *f = log_current();

    f->lines++; //@append
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
    return 0;
}
