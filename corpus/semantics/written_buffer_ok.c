/* unravel-corpus
 * title: a line is handed to the system once its writer has ended
 * stands-for: a corner of what a program means
 * verdict: safe
 * flags: --races
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static char line[8] = "ready\n";

static void *writer(void *arg) {
    line[0] = 'R';
    return arg;
}

int main(void) {
    pthread_t thread;
    ssize_t written;

    pthread_create(&thread, NULL, writer, NULL);
    pthread_join(thread, NULL);
    written = write(STDOUT_FILENO, line, 6);
    assert(written >= -1 && written <= 6);
    return 0;
}
