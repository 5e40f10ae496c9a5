/* unravel-corpus
 * title: the selected channel changes between the range check and the access
 * stands-for: out-of-bounds access of a global array
 * verdict: unsafe
 * property: memory
 * at: access
 * pattern: atomicity violation
 * orders: check < select, select < access
 * repair: mutex
 */
#include <pthread.h>

static int volume[3] = {5, 6, 7};
static int channel = 0;

static void *remote_control(void *arg) {
    (void)arg;
    channel = 9; //@select
    return NULL;
}

int main(void) {
    pthread_t t;
    int loudness = 0;
    pthread_create(&t, NULL, remote_control, NULL);
    if (channel < 3)                //@check
        loudness = volume[channel]; //@access
    pthread_join(t, NULL);
    return loudness == 100;
}
