/* unravel-corpus
 * title: a call that succeeds may leave anything in errno
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * repair: none
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    printf("started\n");
    assert(errno == 0); //@check
    return 0;
}
