/* Models of the functions of <pthread.h> and <threads.h> that only touch memory, as ordinary code:
 * attribute objects, names, and times that are only looked at.
 *
 * Like cstring.c, this file is not compiled with Unravel: `make models` lowers it to the text form of
 * the IR (threads64.ir, threads32.ir).
 *
 * Sources: POSIX.1-2017, and glibc where POSIX leaves a choice.
 */
typedef __SIZE_TYPE__ size_t;

enum { EINVAL = 22, ERANGE = 34, ENOTSUP = 95 };
enum { MUTEX = 0xa1, COND = 0xa2, RWLOCK = 0xa3, BARRIER = 0xa4, THREAD = 0xa5, DESTROYED = 0xaf };

/* A use of an object that was never initialized, or was destroyed: a misuse. */
void __unravel_uninitialized(const void *object);
void __unravel_destroyed(const void *object);

/* The first word of every attribute object; attributes.rs beside this file knows the first and the
 * last byte. */
struct word {
    unsigned char setting, shared, other, tag;
};

static int refused(const struct word *a, int tag) {
    unsigned char is = a->tag;
    if (is == tag)
        return 0;
    if (is == DESTROYED)
        __unravel_destroyed(a);
    else
        __unravel_uninitialized(a);
    return 1;
}

static int make(struct word *a, int tag) {
    a->setting = a->shared = a->other = 0;
    a->tag = (unsigned char)tag;
    return 0;
}

static int destroy(struct word *a, int tag) {
    if (refused(a, tag))
        return EINVAL;
    a->tag = DESTROYED;
    return 0;
}

static int set(struct word *a, int tag, unsigned char *field, int value, int most) {
    if (refused(a, tag))
        return EINVAL;
    if (value < 0 || value > most)
        return EINVAL;
    *field = (unsigned char)value;
    return 0;
}

static int get(const struct word *a, int tag, const unsigned char *field, int *value) {
    if (refused(a, tag))
        return EINVAL;
    *value = *field;
    return 0;
}

/* Mutexes. */

int pthread_mutexattr_init(struct word *a) { return make(a, MUTEX); }
int pthread_mutexattr_destroy(struct word *a) { return destroy(a, MUTEX); }
int pthread_mutexattr_settype(struct word *a, int v) { return set(a, MUTEX, &a->setting, v, 3); }
int pthread_mutexattr_gettype(const struct word *a, int *v) { return get(a, MUTEX, &a->setting, v); }
int pthread_mutexattr_setpshared(struct word *a, int v) { return set(a, MUTEX, &a->shared, v, 1); }
int pthread_mutexattr_getpshared(const struct word *a, int *v) { return get(a, MUTEX, &a->shared, v); }
int pthread_mutexattr_setprotocol(struct word *a, int v) { return set(a, MUTEX, &a->other, v, 2); }
int pthread_mutexattr_getprotocol(const struct word *a, int *v) { return get(a, MUTEX, &a->other, v); }

/* Condition variables. Times are compared with no clock here, so it does not matter which it is. */

int pthread_condattr_init(struct word *a) { return make(a, COND); }
int pthread_condattr_destroy(struct word *a) { return destroy(a, COND); }
int pthread_condattr_setpshared(struct word *a, int v) { return set(a, COND, &a->shared, v, 1); }
int pthread_condattr_getpshared(const struct word *a, int *v) { return get(a, COND, &a->shared, v); }
int pthread_condattr_setclock(struct word *a, int v) { return set(a, COND, &a->other, v, 1); }
int pthread_condattr_getclock(const struct word *a, int *v) { return get(a, COND, &a->other, v); }

/* Reader-writer locks: glibc's objects have eight bytes. */

struct rwlock {
    struct word word;
    int unused;
};

int pthread_rwlockattr_init(struct rwlock *a) {
    a->unused = 0;
    return make(&a->word, RWLOCK);
}
int pthread_rwlockattr_destroy(struct word *a) { return destroy(a, RWLOCK); }
int pthread_rwlockattr_setpshared(struct word *a, int v) { return set(a, RWLOCK, &a->shared, v, 1); }
int pthread_rwlockattr_getpshared(const struct word *a, int *v) { return get(a, RWLOCK, &a->shared, v); }
int pthread_rwlockattr_setkind_np(struct word *a, int v) { return set(a, RWLOCK, &a->setting, v, 2); }
int pthread_rwlockattr_getkind_np(const struct word *a, int *v) { return get(a, RWLOCK, &a->setting, v); }

/* Barriers. */

int pthread_barrierattr_init(struct word *a) { return make(a, BARRIER); }
int pthread_barrierattr_destroy(struct word *a) { return destroy(a, BARRIER); }
int pthread_barrierattr_setpshared(struct word *a, int v) { return set(a, BARRIER, &a->shared, v, 1); }
int pthread_barrierattr_getpshared(const struct word *a, int *v) { return get(a, BARRIER, &a->shared, v); }

/* Threads: 56 bytes in glibc, 36 with pointers of four. A stack has at least PTHREAD_STACK_MIN bytes;
 * the size that is used if none was set depends on the machine, and is not told here. */

enum { STACK_MIN = 16384, PAGE = 4096, OTHER = 0, FIFO = 1, ROUND_ROBIN = 2 };

struct thread {
    struct word word; /* setting: detached; shared: inherits its scheduling; other: the policy */
    int priority;
    size_t stack, guard;
    char unused[sizeof(size_t) == 8 ? 32 : 20];
};

int pthread_attr_init(struct thread *a) {
    a->priority = 0;
    a->stack = 0;
    a->guard = PAGE;
    a->unused[sizeof a->unused - 1] = 0;
    return make(&a->word, THREAD);
}
int pthread_attr_destroy(struct word *a) { return destroy(a, THREAD); }
int pthread_attr_setdetachstate(struct word *a, int v) { return set(a, THREAD, &a->setting, v, 1); }
int pthread_attr_getdetachstate(const struct word *a, int *v) { return get(a, THREAD, &a->setting, v); }
int pthread_attr_setinheritsched(struct word *a, int v) { return set(a, THREAD, &a->shared, v, 1); }
int pthread_attr_getinheritsched(const struct word *a, int *v) { return get(a, THREAD, &a->shared, v); }
int pthread_attr_setschedpolicy(struct word *a, int v) { return set(a, THREAD, &a->other, v, ROUND_ROBIN); }
int pthread_attr_getschedpolicy(const struct word *a, int *v) { return get(a, THREAD, &a->other, v); }

int pthread_attr_setstacksize(struct thread *a, size_t bytes) {
    if (refused(&a->word, THREAD) || bytes < STACK_MIN)
        return EINVAL;
    a->stack = bytes;
    return 0;
}

int pthread_attr_setguardsize(struct thread *a, size_t bytes) {
    if (refused(&a->word, THREAD))
        return EINVAL;
    a->guard = bytes;
    return 0;
}

int pthread_attr_getguardsize(const struct thread *a, size_t *bytes) {
    if (refused(&a->word, THREAD))
        return EINVAL;
    *bytes = a->guard;
    return 0;
}

/* Linux has threads of the system only. */
int pthread_attr_setscope(struct word *a, int scope) {
    if (refused(a, THREAD))
        return EINVAL;
    return scope == 0 ? 0 : scope == 1 ? ENOTSUP : EINVAL;
}

int pthread_attr_getscope(const struct word *a, int *scope) {
    if (refused(a, THREAD))
        return EINVAL;
    *scope = 0;
    return 0;
}

int pthread_attr_setschedparam(struct thread *a, const int *priority) {
    if (refused(&a->word, THREAD))
        return EINVAL;
    int value = *priority;
    int real_time = a->word.other != OTHER;
    if (value < real_time || value > (real_time ? 99 : 0))
        return EINVAL;
    a->priority = value;
    return 0;
}

int pthread_attr_getschedparam(const struct thread *a, int *priority) {
    if (refused(&a->word, THREAD))
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

int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }

struct timespec {
    long seconds, nanoseconds;
};

/* Nothing interrupts it, so that it does not say how much time is left. */
int thrd_sleep(const struct timespec *time, struct timespec *left) {
    (void)left;
    long seconds = time->seconds, nanoseconds = time->nanoseconds;
    return seconds < 0 || nanoseconds < 0 || nanoseconds >= 1000000000 ? -2 : 0;
}

int main(void) { return 0; }
