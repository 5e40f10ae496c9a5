/* unravel-corpus
 * title: a door that is closed for a moment while somebody waits behind it lets the porter in
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int guest_waits, room_ready, beds;

static void *guest(void *arg) {
    pthread_mutex_lock(&door);
    guest_waits = 1;
    while (!room_ready) {
        pthread_mutex_unlock(&door);
        pthread_mutex_lock(&door);
    }
    pthread_mutex_unlock(&door);
    assert(beds == 1); //@check
    return arg;
}

int main(void) {
    pthread_t thread;
    int waits = 0;

    pthread_create(&thread, NULL, guest, NULL);
    while (!waits) {
        pthread_mutex_lock(&door);
        waits = guest_waits;
        pthread_mutex_unlock(&door);
    }
    pthread_mutex_lock(&door);
    room_ready = 1;
    pthread_mutex_unlock(&door);
    beds = 1;
    pthread_join(thread, NULL);
    return 0;
}
