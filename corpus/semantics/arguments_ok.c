/* unravel-corpus
 * title: without `--args` a program is called by its name and nothing else
 * stands-for: a corner of what a program means
 * verdict: safe
 */
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc == 1 && argv[0] != 0 && argv[1] == 0);
    return 0;
}
