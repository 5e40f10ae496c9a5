/* unravel-corpus
 * title: attributes of a thread are initialized in a block that was freed
 * stands-for: pthread_attr_init
 * verdict: unsafe
 * property: memory
 * at: make
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>
#include <stdlib.h>

static void discard(void *block) {
    free(block);
}

int main(void) {
    pthread_attr_t *how = malloc(sizeof *how);
    discard(how);
    pthread_attr_init(how); //@make
    return 0;
}
