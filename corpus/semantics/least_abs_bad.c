/* unravel-corpus
 * title: the absolute value of the least number
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: ub
 * at: abs
 * flags: --ub
 * pattern: sequential
 */
#include <limits.h>
#include <stdlib.h>

int main(void) {
    volatile int change = INT_MIN;
    int distance = abs(change); //@abs
    return distance == 0;
}
