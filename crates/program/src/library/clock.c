/* <time.h>, <sys/time.h>. The time is arbitrary; clocks that cannot be set never go back. A pause takes any
 * time, and nothing interrupts it, since handlers of signals are not followed. */
#include "model.h"

struct timespec { long tv_sec, tv_nsec; };
struct timeval { long tv_sec, tv_usec; };
struct timezone { int minutes, dst; };
struct __unravel_moment { long seconds, nanoseconds; };

#define ORDINARY_TIME 1700000000
#define LAST_SECOND (sizeof(long) == 8 ? 1ll << 40 : 0x7fffffffll)
#define SECOND 1000000000

enum { REALTIME = 0, MONOTONIC = 1, PROCESS = 2, THREAD = 3, RAW = 4, REALTIME_COARSE = 5,
       MONOTONIC_COARSE = 6, BOOT = 7, REALTIME_ALARM = 8, BOOT_ALARM = 9, TAI = 11, CLOCKS = 12 };

static struct __unravel_moment __unravel_last[CLOCKS];
static _Thread_local struct __unravel_moment __unravel_last_of_thread;

/* Not before the last time. */
static struct __unravel_moment __VERIFIER_atomic_unravel_later(struct __unravel_moment *last) {
    long second = (long)between(0, 0, LAST_SECOND), nanosecond = (long)between(0, 0, SECOND - 1);
    if (second > last->seconds) {
        last->seconds = second;
        last->nanoseconds = nanosecond;
    } else if (second == last->seconds && nanosecond > last->nanoseconds) {
        last->nanoseconds = nanosecond;
    }
    return *last;
}

static struct __unravel_moment __unravel_now(int clock) {
    if (clock == REALTIME || clock == REALTIME_COARSE || clock == REALTIME_ALARM || clock == TAI) {
        struct __unravel_moment now;
        now.seconds = (long)between(ORDINARY_TIME, 0, LAST_SECOND);
        now.nanoseconds = (long)between(0, 0, SECOND - 1);
        return now;
    }
    struct __unravel_moment *last = clock == THREAD ? &__unravel_last_of_thread : &__unravel_last[clock];
    return __VERIFIER_atomic_unravel_later(last);
}

static int __unravel_is_clock(int clock) { return clock >= 0 && clock <= TAI && clock != 10; }

int clock_gettime(int clock, struct timespec *to) {
    if (!__unravel_is_clock(clock))
        return FAIL(EINVAL);
    struct __unravel_moment now = __unravel_now(clock);
    to->tv_sec = now.seconds;
    to->tv_nsec = now.nanoseconds;
    return DONE(0);
}

int clock_getres(int clock, struct timespec *to) {
    if (!__unravel_is_clock(clock))
        return FAIL(EINVAL);
    if (to) {
        to->tv_sec = 0;
        to->tv_nsec = (long)between(1, 1, SECOND - 1);
    }
    return DONE(0);
}

int gettimeofday(struct timeval *to, void *zone) {
    if (to) {
        to->tv_sec = (long)between(ORDINARY_TIME, 0, LAST_SECOND);
        to->tv_usec = (long)between(0, 0, 999999);
    }
    if (zone) {
        ((struct timezone *)zone)->minutes = 0;
        ((struct timezone *)zone)->dst = 0;
    }
    return DONE(0);
}

int timespec_get(struct timespec *to, int base) {
    if (base != 1)
        return 0;
    to->tv_sec = (long)between(ORDINARY_TIME, 0, LAST_SECOND);
    to->tv_nsec = (long)between(0, 0, SECOND - 1);
    return base;
}

long time(long *to) {
    long now = (long)between(ORDINARY_TIME, 0, LAST_SECOND);
    if (to)
        *to = now;
    return now;
}

/* Processor time, in microseconds. */
static long __unravel_used;
static long __VERIFIER_atomic_unravel_used(void) {
    long now = (long)between(0, 0, LAST_SECOND);
    return __unravel_used = now > __unravel_used ? now : __unravel_used;
}
long clock(void) { return __VERIFIER_atomic_unravel_used(); }

double difftime(long end, long begin) { return (double)(end - begin); }

static int __unravel_is_time(const struct timespec *time) {
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < SECOND;
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
    (void)rest;
    return __unravel_is_time(time) ? DONE(0) : FAIL(EINVAL);
}

int clock_nanosleep(int clock, int flags, const struct timespec *time, struct timespec *rest) {
    (void)flags;
    (void)rest;
    if (!__unravel_is_clock(clock) || clock == THREAD || clock == RAW || !__unravel_is_time(time))
        return EINVAL;
    return 0;
}

int thrd_sleep(const struct timespec *time, struct timespec *rest) {
    (void)rest;
    return __unravel_is_time(time) ? 0 : -2;
}
