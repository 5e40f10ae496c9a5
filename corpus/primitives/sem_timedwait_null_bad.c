/* unravel-corpus
 * title: a wait with a limit is given no time
 * stands-for: sem_timedwait
 * verdict: unsafe
 * property: memory
 * at: wait
 * pattern: sequential
 * repair: none
 */
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

int main(void) {
    sem_t seats;
    const struct timespec *limit = NULL;
    sem_init(&seats, 0, 1);
    sem_timedwait(&seats, limit); //@wait
    sem_destroy(&seats);
    return 0;
}
