/* unravel-corpus
 * title: the cleaner puts another object into a slot after a client has found its key there and before it takes the value
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, cache4j
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: find < replace_key, replace < take
 * repair: widen, signal-wait
 * sizes: S 1 M 15 L 100
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

/* Slots of the cache. */
#ifndef SIZE
#define SIZE 1
#endif

#define NEW_KEY 1000

/* An object in the cache. Its value is ten times its key. */
struct slot {
    pthread_mutex_t lock;
    int key;
    int value;
    bool is_old;
};

static struct slot slot[SIZE];

static void slot_init(struct slot *s, int key, bool is_old) {
    pthread_mutex_init(&s->lock, NULL);
    s->key = key;
    s->value = 10 * key;
    s->is_old = is_old;
}

static bool slot_has(struct slot *s, int key) {
    pthread_mutex_lock(&s->lock);
    bool has = s->key == key; //@find
    pthread_mutex_unlock(&s->lock);
    return has;
}

static int slot_value(struct slot *s) {
    pthread_mutex_lock(&s->lock);
    int value = s->value; //@take
    pthread_mutex_unlock(&s->lock);
    return value;
}

/* Gives the slot to another object, if the one in it is old. */
static void slot_clean(struct slot *s) {
    pthread_mutex_lock(&s->lock);
    if (s->is_old) {
        s->key = NEW_KEY;        //@replace_key
        s->value = 10 * NEW_KEY; //@replace
        s->is_old = false;
    }
    pthread_mutex_unlock(&s->lock);
}

static void *client(void *arg) {
    int wrong = 0;

    (void)arg;
    for (int key = 0; key < SIZE; key++) {
        if (slot_has(&slot[key], key))
            wrong += slot_value(&slot[key]) != 10 * key;
    }
    assert(wrong == 0); //@check
    return NULL;
}

static void *cleaner(void *arg) {
    (void)arg;
    for (int i = 0; i < SIZE; i++)
        slot_clean(&slot[i]);
    return NULL;
}

int main(void) {
    pthread_t client_thread, cleaner_thread;

    for (int i = 0; i < SIZE; i++)
        slot_init(&slot[i], i, i == SIZE - 1);
    pthread_create(&client_thread, NULL, client, NULL);
    pthread_create(&cleaner_thread, NULL, cleaner, NULL);
    pthread_join(client_thread, NULL);
    pthread_join(cleaner_thread, NULL);
    return 0;
}
