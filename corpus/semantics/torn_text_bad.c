/* unravel-corpus
 * title: a status line is formatted while another thread copies it; the copy is half of each
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char line[4] = "10";

static void *meter(void *arg) {
    snprintf(line, sizeof line, "%d", 25); //@write
    return arg;
}

int main(void) {
    pthread_t t;
    char seen[4];

    pthread_create(&t, NULL, meter, NULL);
    sprintf(seen, "%s", line); //@read
    assert(strcmp(seen, "10") == 0 || strcmp(seen, "25") == 0); //@check
    pthread_join(t, NULL);
    return 0;
}
