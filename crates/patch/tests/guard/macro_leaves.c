new xy_lock
#include <pthread.h>

int x, y;

#define CHECK(a) do { if (!(a)) return -1; } while (0)

int f(void) {
    @1x++;
    CHECK(x);
    @1y++;
    return 0;
}
==========
refused: the macro `CHECK` may leave the region
