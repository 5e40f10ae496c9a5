/* unravel-corpus
 * title: a one-time initialization is controlled by a block that was freed
 * stands-for: pthread_once
 * verdict: unsafe
 * property: memory
 * at: once
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>
#include <stdlib.h>

static void open_shop(void) {
}

static void discard(void *block) {
    free(block);
}

int main(void) {
    pthread_once_t *control = calloc(1, sizeof *control);
    discard(control);
    pthread_once(control, open_shop); //@once
    return 0;
}
