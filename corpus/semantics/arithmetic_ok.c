/* unravel-corpus
 * title: shifts, absolute values and conversions that fit
 * stands-for: a corner of what a program means
 * verdict: safe
 * flags: --ub
 * output: deterministic
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile int one = 1, least = INT_MIN;
    volatile unsigned all = UINT_MAX;
    volatile double large = 2147483647.75, small = -2147483648.75, below = -0.75;
    int top = one << 30;
    unsigned high = all << 31;
    int distance = abs(least + 1);
    int a = (int)large, b = (int)small;
    unsigned c = (unsigned)below;
    printf("%d %u %d %d %d %u\n", top, high, distance, a, b, c);
    return 0;
}
