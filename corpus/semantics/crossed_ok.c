/* unravel-corpus
 * title: four observers cannot all see what they wait for, though no two of them exclude each other; races by design
 * stands-for: a corner of what a program means (sequential consistency is more than what follows from single orders)
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int leader, left, right, left_open, right_open;
static int first_saw, second_saw, third_saw, fourth_saw;

static void *first(void *arg) {
    left = 1;
    if (!left_open)
        return arg;
    leader = 1;
    if (right == 1 && leader == 1)
        first_saw = 1;
    return arg;
}

static void *second(void *arg) {
    right = 1;
    if (!right_open)
        return arg;
    leader = 2;
    if (left == 1 && leader == 2)
        second_saw = 1;
    return arg;
}

static void *third(void *arg) {
    right = 2;
    right_open = 1;
    if (leader == 2 && left == 2)
        third_saw = 1;
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, third, NULL);
    left = 2;
    left_open = 1;
    if (leader == 1 && right == 2)
        fourth_saw = 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(!(first_saw && second_saw && third_saw && fourth_saw));
    puts("done");
    return 0;
}
