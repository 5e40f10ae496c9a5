new xy_lock
#include <pthread.h>

int x, y;

void f(void) {
    @1x++;
    FOREACH(a, b) { y++; }
    @1y++ +;
}
==========
refused: the function has syntax that is not understood
