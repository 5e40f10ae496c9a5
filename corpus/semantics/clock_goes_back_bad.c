/* unravel-corpus
 * title: the clock of the day can be set back between two looks at it
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * repair: none
 */
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec begin, end;

    clock_gettime(CLOCK_REALTIME, &begin);
    clock_gettime(CLOCK_REALTIME, &end);
    assert(end.tv_sec >= begin.tv_sec); //@check
    return 0;
}
