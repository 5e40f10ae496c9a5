/* Linked to a program that `repair --try` runs: the functions of verifiers, unless the program has
 * its own, and delays that differ from run to run. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define WEAK __attribute__((weak))
#define NONDET(type, name) \
    WEAK type __VERIFIER_nondet_##name(void) { return 0; }

/* Any value is one that the program may get. */
NONDET(_Bool, bool)
NONDET(char, char)
NONDET(unsigned char, uchar)
NONDET(unsigned char, unsigned_char)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned, uint)
NONDET(unsigned, unsigned)
NONDET(unsigned, unsigned_int)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(unsigned long, size_t)
NONDET(float, float)
NONDET(double, double)
NONDET(void *, pointer)
NONDET(unsigned char, u8)
NONDET(unsigned short, u16)
NONDET(unsigned, u32)
NONDET(unsigned long, u64)

/* Runs in which an assumption does not hold are none. */
WEAK void __VERIFIER_assume(int holds) {
    if (!holds)
        _Exit(0);
}

WEAK void __VERIFIER_assert(int holds) {
    if (!holds)
        abort();
}

WEAK void __VERIFIER_error(void) {
    abort();
}

WEAK void reach_error(void) {
    abort();
}

static pthread_mutex_t atomic_lock;

__attribute__((constructor)) static void begin(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&atomic_lock, &kind);
    pthread_mutexattr_destroy(&kind);
}

WEAK void __VERIFIER_atomic_begin(void) {
    pthread_mutex_lock(&atomic_lock);
}

WEAK void __VERIFIER_atomic_end(void) {
    pthread_mutex_unlock(&atomic_lock);
}

/* After so many delays there are no more: a loop must not take for ever. */
#define MOST 200

/* The longest one, in nanoseconds. */
#define LONGEST 3000000u

void unravel_try_delay(unsigned place) {
    static unsigned calls;
    unsigned call = __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    const char *run = getenv("UNRAVEL_TRY_RUN");
    if (call >= MOST)
        return;
    /* Numbers that look as if they had nothing to do with each other (Knuth's multiplicative hash). */
    unsigned mixed = (run ? (unsigned)atoi(run) : 0) * 2654435761u;
    mixed = (mixed ^ place) * 2246822519u;
    mixed = (mixed ^ call) * 3266489917u;
    mixed ^= mixed >> 15;
    /* Every second time there is none. */
    if (mixed & 1) {
        struct timespec time = {0, (long)(mixed % LONGEST)};
        nanosleep(&time, NULL);
    }
}
