/* unravel-corpus
 * title: a session is freed without the lock under which another request uses it
 * stands-for: an everyday program: a table of sessions that expire
 * verdict: unsafe
 * property: memory
 * at: hit, outside
 * fault: expire, free, given
 * pattern: use after free
 * repair: mutex
 * patch: session.c
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "session.h"

static void *request(void *arg) {
    int id = *(const int *)arg;

    if (session_hit(id) < 0)
        fprintf(stderr, "session %d is over\n", id);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread;
    int id = session_create(argc > 1 ? argv[1] : "guest");

    if (id < 0) {
        fprintf(stderr, "no session\n");
        return 1;
    }
    if (pthread_create(&thread, NULL, request, &id) != 0) {
        perror("pthread_create");
        return 1;
    }
    usleep(1000);
    session_expire(id);
    pthread_join(thread, NULL);
    printf("session %d has ended\n", id);
    return 0;
}
