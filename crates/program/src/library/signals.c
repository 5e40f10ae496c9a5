/* <signal.h>. Handlers are kept and never called: no signal comes from outside, and `raise` and its kind are
 * not modelled. */
#include "model.h"

enum { LAST_SIGNAL = 64, KILL = 9, STOP = 19, SET_BYTES = 128 };

static void *__unravel_signal_handlers[LAST_SIGNAL + 1];

static void *__unravel_exchange(int number, void *handler) {
    return __atomic_exchange_n(&__unravel_signal_handlers[number], handler, __ATOMIC_RELAXED);
}

void *signal(int number, void *handler) {
    if (number < 1 || number > LAST_SIGNAL || number == KILL || number == STOP || handler == (void *)-1)
        return (void)FAIL(EINVAL), (void *)-1;
    return __unravel_exchange(number, handler);
}

struct __unravel_action {
    void *handler;
    char mask[SET_BYTES];
    int flags;
    void *restorer;
};

int sigaction(int number, const struct __unravel_action *action, struct __unravel_action *before) {
    if (number < 1 || number > LAST_SIGNAL || (action && (number == KILL || number == STOP)))
        return FAIL(EINVAL);
    void *handler = action ? action->handler : 0;
    if (action)
        reads(action->mask, sizeof *action - sizeof(void *));
    void *kept = action ? __unravel_exchange(number, handler)
                        : __atomic_load_n(&__unravel_signal_handlers[number], __ATOMIC_RELAXED);
    if (before) {
        __builtin_memset(before, 0, sizeof *before);
        before->handler = kept;
    }
    return DONE(0);
}

/* Sets: a bit for each signal. */
#define WORD (8 * (int)sizeof(long))

int sigemptyset(unsigned long *set) {
    __builtin_memset(set, 0, SET_BYTES);
    return 0;
}
int sigfillset(unsigned long *set) {
    __builtin_memset(set, 255, SET_BYTES);
    return 0;
}
int sigaddset(unsigned long *set, int number) {
    if (number < 1 || number > LAST_SIGNAL)
        return FAIL(EINVAL);
    set[(number - 1) / WORD] |= 1ul << (number - 1) % WORD;
    return 0;
}
int sigdelset(unsigned long *set, int number) {
    if (number < 1 || number > LAST_SIGNAL)
        return FAIL(EINVAL);
    set[(number - 1) / WORD] &= ~(1ul << (number - 1) % WORD);
    return 0;
}
int sigismember(const unsigned long *set, int number) {
    if (number < 1 || number > LAST_SIGNAL)
        return FAIL(EINVAL);
    return (int)(set[(number - 1) / WORD] >> (number - 1) % WORD & 1);
}

/* The mask of a thread. The system knows the first 64 bits of a set only. A new thread has an empty mask here,
 * and not its creator's, which is to be seen only by asking for it. */
static _Thread_local unsigned long long __unravel_blocked;

int pthread_sigmask(int how, const unsigned long long *set, unsigned long long *before) {
    enum { BLOCK = 0, UNBLOCK = 1, SET = 2 };
    unsigned long long now = __unravel_blocked;
    if (set) {
        unsigned long long given = *set;
        if (how < BLOCK || how > SET)
            return EINVAL;
        __unravel_blocked = how == BLOCK ? now | given : how == UNBLOCK ? now & ~given : given;
    }
    if (before)
        *before = now;
    return 0;
}
int sigprocmask(int how, const unsigned long long *set, unsigned long long *before) {
    return pthread_sigmask(how, set, before) ? FAIL(EINVAL) : DONE(0);
}
