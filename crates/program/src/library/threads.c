/* Models of the functions of <pthread.h> that only touch memory: attribute objects, and names.
 *
 * Sources: POSIX.1-2017, and glibc where POSIX leaves a choice.
 */
#include "model.h"

/* Tags. */
enum { MUTEX = 0xa1, COND = 0xa2, RWLOCK = 0xa3, BARRIER = 0xa4, THREADS = 0xa5, DESTROYED = 0xaf };

/* Whether an object has another tag, which is a misuse: it was never initialized, or destroyed. */
int __unravel_refuses(const void *object, int tag);
#define refused __unravel_refuses

/* The first word of every attribute object; attributes.rs beside this file knows the first and the
 * last byte. */
struct __unravel_word {
    unsigned char setting, shared, other, tag;
};

static int __unravel_make(struct __unravel_word *a, int tag) {
    a->setting = a->shared = a->other = 0;
    a->tag = (unsigned char)tag;
    return 0;
}

static int __unravel_destroy(struct __unravel_word *a, int tag) {
    if (refused(a, tag))
        return EINVAL;
    a->tag = DESTROYED;
    return 0;
}

static int __unravel_set(struct __unravel_word *a, int tag, unsigned char *field, int value, int most) {
    if (refused(a, tag))
        return EINVAL;
    if (value < 0 || value > most)
        return EINVAL;
    *field = (unsigned char)value;
    return 0;
}

static int __unravel_get(const struct __unravel_word *a, int tag, const unsigned char *field, int *value) {
    if (refused(a, tag))
        return EINVAL;
    *value = *field;
    return 0;
}

typedef struct __unravel_word Word;
#define SETS __unravel_set
#define GETS __unravel_get

/* Mutexes. */

int pthread_mutexattr_init(Word *a) { return __unravel_make(a, MUTEX); }
int pthread_mutexattr_destroy(Word *a) { return __unravel_destroy(a, MUTEX); }
int pthread_mutexattr_settype(Word *a, int v) { return SETS(a, MUTEX, &a->setting, v, 3); }
int pthread_mutexattr_gettype(const Word *a, int *v) { return GETS(a, MUTEX, &a->setting, v); }
int pthread_mutexattr_setpshared(Word *a, int v) { return SETS(a, MUTEX, &a->shared, v, 1); }
int pthread_mutexattr_getpshared(const Word *a, int *v) { return GETS(a, MUTEX, &a->shared, v); }
int pthread_mutexattr_setprotocol(Word *a, int v) { return SETS(a, MUTEX, &a->other, v, 2); }
int pthread_mutexattr_getprotocol(const Word *a, int *v) { return GETS(a, MUTEX, &a->other, v); }

void robust_mutexes(void);
int pthread_mutexattr_setrobust(Word *a, int v) {
    if (refused(a, MUTEX) || v < 0 || v > 1)
        return EINVAL;
    if (v == 1)
        robust_mutexes();
    return 0;
}
int pthread_mutexattr_getrobust(const Word *a, int *v) {
    if (refused(a, MUTEX))
        return EINVAL;
    *v = 0;
    return 0;
}

/* Condition variables. Times are compared with no clock here, so it does not matter which it is. */

int pthread_condattr_init(Word *a) { return __unravel_make(a, COND); }
int pthread_condattr_destroy(Word *a) { return __unravel_destroy(a, COND); }
int pthread_condattr_setpshared(Word *a, int v) { return SETS(a, COND, &a->shared, v, 1); }
int pthread_condattr_getpshared(const Word *a, int *v) { return GETS(a, COND, &a->shared, v); }
int pthread_condattr_setclock(Word *a, int v) { return SETS(a, COND, &a->other, v, 1); }
int pthread_condattr_getclock(const Word *a, int *v) { return GETS(a, COND, &a->other, v); }

/* Reader-writer locks: glibc's objects have eight bytes. */

struct __unravel_rwlock {
    Word word;
    int unused;
};

int pthread_rwlockattr_init(struct __unravel_rwlock *a) {
    a->unused = 0;
    return __unravel_make(&a->word, RWLOCK);
}
int pthread_rwlockattr_destroy(Word *a) { return __unravel_destroy(a, RWLOCK); }
int pthread_rwlockattr_setpshared(Word *a, int v) { return SETS(a, RWLOCK, &a->shared, v, 1); }
int pthread_rwlockattr_getpshared(const Word *a, int *v) { return GETS(a, RWLOCK, &a->shared, v); }
int pthread_rwlockattr_setkind_np(Word *a, int v) { return SETS(a, RWLOCK, &a->setting, v, 2); }
int pthread_rwlockattr_getkind_np(const Word *a, int *v) { return GETS(a, RWLOCK, &a->setting, v); }

/* Barriers. */

int pthread_barrierattr_init(Word *a) { return __unravel_make(a, BARRIER); }
int pthread_barrierattr_destroy(Word *a) { return __unravel_destroy(a, BARRIER); }
int pthread_barrierattr_setpshared(Word *a, int v) { return SETS(a, BARRIER, &a->shared, v, 1); }
int pthread_barrierattr_getpshared(const Word *a, int *v) { return GETS(a, BARRIER, &a->shared, v); }

/* Threads: 56 bytes in glibc, 36 with pointers of four. A stack has at least PTHREAD_STACK_MIN bytes;
 * the size that is used if none was set depends on the machine, and is not told here. */

enum { STACK_MIN = 16384, PAGE = 4096, OTHER = 0, FIFO = 1, ROUND_ROBIN = 2 };

struct __unravel_thread {
    Word word; /* setting: detached; shared: inherits its scheduling; other: the policy */
    int priority;
    size_t stack, guard;
    char unused[sizeof(size_t) == 8 ? 32 : 20];
};

int pthread_attr_init(struct __unravel_thread *a) {
    a->priority = 0;
    a->stack = 0;
    a->guard = PAGE;
    a->unused[sizeof a->unused - 1] = 0;
    return __unravel_make(&a->word, THREADS);
}
int pthread_attr_destroy(Word *a) { return __unravel_destroy(a, THREADS); }
int pthread_attr_setdetachstate(Word *a, int v) { return SETS(a, THREADS, &a->setting, v, 1); }
int pthread_attr_getdetachstate(const Word *a, int *v) { return GETS(a, THREADS, &a->setting, v); }
int pthread_attr_setinheritsched(Word *a, int v) { return SETS(a, THREADS, &a->shared, v, 1); }
int pthread_attr_getinheritsched(const Word *a, int *v) { return GETS(a, THREADS, &a->shared, v); }
int pthread_attr_setschedpolicy(Word *a, int v) { return SETS(a, THREADS, &a->other, v, ROUND_ROBIN); }
int pthread_attr_getschedpolicy(const Word *a, int *v) { return GETS(a, THREADS, &a->other, v); }

int pthread_attr_setstacksize(struct __unravel_thread *a, size_t bytes) {
    if (refused(&a->word, THREADS) || bytes < STACK_MIN)
        return EINVAL;
    a->stack = bytes;
    return 0;
}

int pthread_attr_getstacksize(const struct __unravel_thread *a, size_t *bytes) {
    if (refused(&a->word, THREADS))
        return EINVAL;
    *bytes = a->stack ? a->stack : (size_t)between(8 << 20, STACK_MIN, 0x7fffffff);
    return 0;
}

int pthread_attr_setguardsize(struct __unravel_thread *a, size_t bytes) {
    if (refused(&a->word, THREADS))
        return EINVAL;
    a->guard = bytes;
    return 0;
}

int pthread_attr_getguardsize(const struct __unravel_thread *a, size_t *bytes) {
    if (refused(&a->word, THREADS))
        return EINVAL;
    *bytes = a->guard;
    return 0;
}

/* Linux has threads of the system only. */
int pthread_attr_setscope(Word *a, int scope) {
    if (refused(a, THREADS))
        return EINVAL;
    return scope == 0 ? 0 : scope == 1 ? EOPNOTSUPP : EINVAL;
}

int pthread_attr_getscope(const Word *a, int *scope) {
    if (refused(a, THREADS))
        return EINVAL;
    *scope = 0;
    return 0;
}

int pthread_attr_setschedparam(struct __unravel_thread *a, const int *priority) {
    if (refused(&a->word, THREADS))
        return EINVAL;
    int value = *priority;
    int real_time = a->word.other != OTHER;
    if (value < real_time || value > (real_time ? 99 : 0))
        return EINVAL;
    a->priority = value;
    return 0;
}

int pthread_attr_getschedparam(const struct __unravel_thread *a, int *priority) {
    if (refused(&a->word, THREADS))
        return EINVAL;
    *priority = a->priority;
    return 0;
}

/* A name has at most 15 letters. */
int pthread_setname_np(size_t thread, const char *name) {
    size_t n = 0;
    (void)thread;
    while (name[n])
        n++;
    return n > 15 ? ERANGE : 0;
}

int pthread_getname_np(size_t thread, char *to, size_t n) {
    (void)thread;
    if (n < 16)
        return ERANGE;
    outside_text(to, (size_t)between(4, 0, 15), 16);
    return 0;
}

/* Cancellation. Nobody cancels (`pthread_cancel` is not modelled), so that there is only what was set. */
static _Thread_local int __unravel_cancel_state, __unravel_cancel_type;

static int __unravel_switch(int *kept, int value, int *before) {
    if (value < 0 || value > 1)
        return EINVAL;
    int old = *kept;
    *kept = value;
    if (before)
        *before = old;
    return 0;
}
int pthread_setcancelstate(int value, int *before) { return __unravel_switch(&__unravel_cancel_state, value, before); }
int pthread_setcanceltype(int value, int *before) { return __unravel_switch(&__unravel_cancel_type, value, before); }
void pthread_testcancel(void) {}

/* What `pthread_cleanup_push` and `pop` become. Handlers run at `pop`, in the code of the macro; those that a
 * `pthread_exit` between the two would run are not followed (models.rs). */
static _Thread_local int __unravel_cleanups;
void cleanup_handlers_at_pthread_exit(void);
void __pthread_register_cancel(void *buffer) {
    (void)buffer;
    __unravel_cleanups++;
}
void __pthread_unregister_cancel(void *buffer) {
    (void)buffer;
    __unravel_cleanups--;
}
void __unravel_before_pthread_exit(void) {
    if (__unravel_cleanups)
        cleanup_handlers_at_pthread_exit();
}
