/* unravel-corpus
 * title: a thread fills in a form that ended with the block it was declared in
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: memory
 * at: fill
 * pattern: use after free
 */
#include <pthread.h>

struct form {
    int number;
    int pages;
};

static void *clerk(void *arg) {
    struct form *form = arg;
    form->number = 1; //@fill
    return arg;
}

int main(void) {
    pthread_t thread;
    {
        struct form form = {0, 0};
        pthread_create(&thread, NULL, clerk, &form);
    }
    pthread_join(thread, NULL);
    return 0;
}
