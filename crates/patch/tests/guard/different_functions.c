new xy_lock
#include <pthread.h>

int x, y;

void f(void) {
    @1x++;
}
void g(void) {
    @1y++;
}
==========
refused: the region begins and ends in different functions
