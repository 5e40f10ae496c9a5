/* unravel-corpus
 * title: a jump back to where the stack was kept ends what can be said
 * stands-for: a corner of what a program means
 * verdict: inconclusive
 */
#include <setjmp.h>

static jmp_buf retry;

int main(void) {
    int tries = 0;
    if (setjmp(retry) == 0)
        tries++;
    if (tries < 2)
        longjmp(retry, 1);
    return 0;
}
