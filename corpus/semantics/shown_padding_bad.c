/* unravel-corpus
 * title: two copies of one struct are compared with their padding, which was never written
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <string.h>

struct entry {
    char tag;
    int value;
};

static struct entry first, second;

int main(void) {
    struct entry entry;
    entry.tag = 1;
    entry.value = 2;
    first = entry;
    second = entry;
    assert(memcmp(&first, &second, sizeof first) == 0); //@check
    return 0;
}
