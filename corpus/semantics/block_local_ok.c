/* unravel-corpus
 * title: in each turn a thread fills in the form of that turn, and is joined before the block ends
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct form {
    int number;
    int pages;
};

static void *clerk(void *arg) {
    struct form *form = arg;
    form->pages = form->number + 2;
    return arg;
}

int main(void) {
    int sum = 0;
    for (int turn = 0; turn < 3; turn++) {
        pthread_t thread;
        struct form form = {turn, 0};
        pthread_create(&thread, NULL, clerk, &form);
        pthread_join(thread, NULL);
        if (form.number == 1)
            continue;
        sum += form.pages;
    }
    assert(sum == 6);
    printf("%d pages\n", sum);
    return 0;
}
