/* unravel-corpus
 * title: the note of one turn of a loop is read in the next one
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: memory
 * at: read
 * pattern: sequential
 */
#include <stddef.h>

int main(void) {
    const int *last = NULL;
    int sum = 0;
    for (int turn = 0; turn < 3; turn++) {
        int note = turn;
        if (last != NULL)
            sum += *last; //@read
        last = &note;
    }
    return sum;
}
