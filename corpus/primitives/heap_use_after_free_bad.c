/* unravel-corpus
 * title: the session is closed while a request still uses it
 * stands-for: free, use by another thread
 * verdict: unsafe
 * property: memory
 * at: use
 * pattern: use after free
 * orders: close < use
 * repair: signal-wait, join
 */
#include <pthread.h>
#include <stdlib.h>

struct session {
    int requests;
};

static void *serve(void *arg) {
    struct session *s = arg;
    s->requests += 1; //@use
    return NULL;
}

int main(void) {
    pthread_t t;
    struct session *s = malloc(sizeof *s);
    s->requests = 0;
    pthread_create(&t, NULL, serve, s);
    free(s); //@close
    pthread_join(t, NULL);
    return 0;
}
