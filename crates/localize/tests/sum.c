#include <semaphore.h>
static int total = 3;
static sem_t gate;
static int one(void) { return 1; }
int main(void) {
    sem_init(&gate, 0, 2);
    for (int i = 0; i < 3; i++) {
        int got = 1;
        total += got;
    }
    total += one();
    if (total > 90)
        __builtin_abort();
    return total;
}
