/* unravel-corpus
 * title: functions are called through tables and pointers, one of which another thread changes
 * stands-for: tables of function pointers, initialized without a space; types that a function declares
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: swap < check
 * repair: mutex, join, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef int (*scale)(int);

static int twice(int value) {
    return 2 * value;
}
static int thrice(int value) {
    return 3 * value;
}

struct shape {
    scale width, height;
};
static struct shape shape={twice,thrice};
static scale current=twice;
static const scale known[]={twice,thrice};

static int area(int sides[], int count) {
    enum { FIRST, SECOND, MOST };
    struct pair {
        int values[MOST];
    } pair = {{1, 1}};
    for (int i = FIRST; i < count && i <= SECOND; i++)
        pair.values[i] = sides[i];
    return pair.values[FIRST] * pair.values[SECOND];
}

static void *change(void *arg) {
    current = known[1]; //@swap
    return arg;
}

int main(void) {
    pthread_t thread;
    int sides[2] = {shape.width(1), shape.height(1)};
    pthread_create(&thread, NULL, change, NULL);
    assert(area(sides, 2) == 6 && current(1) == 2); //@check
    pthread_join(thread, NULL);
    return 0;
}
