/* unravel-corpus
 * title: a program takes for granted that it is given an argument
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: given
 * pattern: sequential
 */
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc > 1 && argv[1] != 0); //@given
    return 0;
}
