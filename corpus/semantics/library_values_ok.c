/* unravel-corpus
 * title: what functions of the C library promise of their results holds
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    assert(pow(2, 10) == 1024 && exp(0) == 1 && sin(0.5) <= 1);
    assert(htonl(0x0a000001) == 0x0100000a && difftime(9, 4) == 5);
    assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX);
    assert(isprint('x') && !isprint('\n'));
    puts("kept");
    return 0;
}
