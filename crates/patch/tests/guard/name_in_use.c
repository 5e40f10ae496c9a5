new x
#include <pthread.h>

int x, y;

void f(void) {
    @1x++;
}
==========
refused: the name `x` is in use
