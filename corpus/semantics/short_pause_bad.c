/* unravel-corpus
 * title: a pause of too many nanoseconds fails
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * repair: none
 */
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec pause = {0, 1500000000};

    assert(nanosleep(&pause, NULL) == 0); //@check
    return 0;
}
