/* unravel-corpus
 * title: a line is handed to the system while another thread still writes it
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: race
 * at: fill, hand_over
 * flags: --races
 * pattern: data race
 */
#include <pthread.h>
#include <unistd.h>

static char line[8] = "ready\n";

static void *writer(void *arg) {
    line[0] = 'R'; //@fill
    return arg;
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, writer, NULL);
    if (write(STDOUT_FILENO, line, 6) != 6) //@hand_over
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
