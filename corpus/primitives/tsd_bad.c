/* unravel-corpus
 * title: both threads make the key; the value set under the first one is not found under the second
 * stands-for: pthread_key_create, more than once
 * verdict: unsafe
 * property: memory
 * at: use
 * pattern: atomicity violation
 * orders: set < make, make < get
 * repair: mutex
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_key_t key;
static bool key_made = false;
static int number[2] = {0, 1};

static void *count(void *arg) {
    if (!key_made) {                    //@look
        pthread_key_create(&key, NULL); //@make
        key_made = true;                //@made
    }
    pthread_setspecific(key, arg);        //@set
    int *mine = pthread_getspecific(key); //@get
    *mine += 1;                           //@use
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, &number[0]);
    pthread_create(&b, NULL, count, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
