/* unravel-corpus
 * title: two lines are appended to a buffer that has room for one
 * stands-for: strcat, past the end of a heap block
 * verdict: unsafe
 * property: memory
 * at: append
 * pattern: atomicity violation
 * orders: room < append, room < append; append < append, append < room; append < append, room < append
 * repair: widen
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *text;

static void *append(void *arg) {
    pthread_mutex_lock(&m);
    bool room = strlen(text) == 0; //@room
    pthread_mutex_unlock(&m);
    if (!room)
        return NULL;
    pthread_mutex_lock(&m);
    strcat(text, arg); //@append
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    text = calloc(4, 1);
    pthread_create(&a, NULL, append, "ab");
    pthread_create(&b, NULL, append, "cd");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
