/* unravel-corpus
 * title: threads log through a function with variable arguments; the text is formatted under a lock
 * stands-for: vsnprintf
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char last[16];

static void log_line(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&lock);
    int n = vsnprintf(last, sizeof last, format, arguments);
    assert(n == (int)strlen(last));
    pthread_mutex_unlock(&lock);
    va_end(arguments);
}

static void *worker(void *arg) {
    log_line("%s %d", (const char *)arg, 7);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, "job");
    log_line("%c%03u", 'm', 5u);
    pthread_join(t, NULL);
    log_line("%ld", 12L);
    assert(strcmp(last, "12") == 0);
    printf("%s\n", last);
    return 0;
}
