new xy_lock
#include <pthread.h>

int x, y;

int f(int n) {
    if (n > 1)
        goto middle;
    @1x++;
middle:
    @1y++;
    return n;
}
==========
refused: a `goto` leads into the region
