/* unravel-corpus
 * title: a thread ends between two creations, which nobody else can notice
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: fail
 */
#include <assert.h>
#include <pthread.h>

static int rooms[2];

static void *idle(void *arg) {
    return arg;
}

static void *tidy(void *arg) {
    int room = 0;
    rooms[room]++;
    return arg;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, idle, NULL);
    pthread_create(&second, NULL, tidy, NULL);
    rooms[0]++;
    assert(rooms[0] + rooms[1] == 2); //@fail
    return 0;
}
