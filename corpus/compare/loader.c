/* unravel-corpus
 * title: a module is marked as loaded before its code is there; another thread trusts the mark and calls it
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, loader
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: mark < look, call < load
 * repair: widen, signal-wait
 * sizes: S 2 M 20 L 100
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

/* Modules of the program. */
#ifndef SIZE
#define SIZE 2
#endif

#define USERS 2
#define CODE 0x90

/* A part of the program. What is not loaded at the start is loaded when it is used first. */
struct module {
    pthread_mutex_t lock;
    bool is_loaded;
    int code;
};

/* A thread that calls all the modules. */
struct user {
    pthread_t thread;
    int calls;
};

static struct module module[SIZE];

static void module_init(struct module *m, bool is_loaded) {
    pthread_mutex_init(&m->lock, NULL);
    m->is_loaded = is_loaded;
    m->code = is_loaded ? CODE : 0;
}

static void module_load(struct module *m) {
    pthread_mutex_lock(&m->lock);
    if (!m->is_loaded) {
        m->is_loaded = true; //@mark
        m->code = CODE;      //@load
    }
    pthread_mutex_unlock(&m->lock);
}

static int module_call(struct module *m) {
    if (!m->is_loaded) //@look
        module_load(m);
    return m->code; //@call
}

static void *user_main(void *arg) {
    struct user *self = arg;
    int failed = 0;

    for (int i = 0; i < SIZE; i++) {
        failed += module_call(&module[i]) != CODE;
        self->calls++;
    }
    assert(failed == 0); //@check
    return NULL;
}

int main(void) {
    static struct user user[USERS];

    for (int i = 0; i < SIZE; i++)
        module_init(&module[i], i < SIZE - 1);
    for (int i = 0; i < USERS; i++)
        pthread_create(&user[i].thread, NULL, user_main, &user[i]);
    for (int i = 0; i < USERS; i++)
        pthread_join(user[i].thread, NULL);
    return 0;
}
