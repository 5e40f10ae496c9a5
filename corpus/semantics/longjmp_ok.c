/* unravel-corpus
 * title: the stack is kept, and no run jumps back there
 * stands-for: a corner of what a program means
 * verdict: safe
 */
#include <assert.h>
#include <setjmp.h>

static jmp_buf retry;

int main(void) {
    int tries = 0;
    if (setjmp(retry) == 0)
        tries++;
    if (tries > 1)
        longjmp(retry, 1);
    assert(tries == 1);
    return 0;
}
