/* unravel-corpus
 * title: what a program does with its arguments is undecided
 * stands-for: a corner of what a program means
 * verdict: inconclusive
 */
#include <assert.h>

int main(int argc, char **argv) {
    (void)argv;
    assert(argc < 2);
    return 0;
}
