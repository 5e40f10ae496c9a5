/* A runtime for tests: every hook is there, the copies are carried out, and with UNRAVEL_HOOKS in
   the environment each call is written to standard error. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int shown(void) {
    static int known; /* 1: no, 2: yes */
    if (known == 0) known = getenv("UNRAVEL_HOOKS") ? 2 : 1;
    return known == 2;
}

#define INDEX(site) ((unsigned)((site) & 0xffffff))
#define SAY(...) do { if (shown()) fprintf(stderr, __VA_ARGS__); } while (0)
#define READ(size) \
    void __unravel_read##size(uint64_t site, void *at) { (void)at; SAY("%u read " #size "\n", INDEX(site)); }
#define WRITE(size) \
    void __unravel_write##size(uint64_t site, void *at, uint64_t value) { \
        (void)at; SAY("%u write " #size " %llu\n", INDEX(site), (unsigned long long)value); }

READ(1) READ(2) READ(4) READ(8)
WRITE(1) WRITE(2) WRITE(4) WRITE(8)

void __unravel_read_n(uint64_t site, void *at, uint64_t n) { (void)at; SAY("%u read %u\n", INDEX(site), (unsigned)n); }
void __unravel_write_n(uint64_t site, void *at, uint64_t n) { (void)at; SAY("%u write %u\n", INDEX(site), (unsigned)n); }
void __unravel_wrote_n(uint64_t site, void *at, uint64_t n) { (void)at; SAY("%u wrote %u\n", INDEX(site), (unsigned)n); }
void __unravel_atomic(uint64_t site, void *at, uint64_t n) { (void)at; SAY("%u atomic %u\n", INDEX(site), (unsigned)n); }
void __unravel_atomic_done(uint64_t site, void *at, uint64_t what, uint64_t old, uint64_t extra) {
    (void)at;
    SAY("%u done %u %llu %llu\n", INDEX(site), (unsigned)(what >> 8), (unsigned long long)old, (unsigned long long)extra);
}
void __unravel_fence(uint64_t site) { SAY("%u fence\n", INDEX(site)); }

static void copy(volatile unsigned char *to, const volatile unsigned char *from, uint64_t n) {
    if (to < from) for (uint64_t i = 0; i < n; i++) to[i] = from[i];
    else for (uint64_t i = n; i > 0; i--) to[i - 1] = from[i - 1];
}
void __unravel_memcpy(uint64_t site, void *to, const void *from, uint64_t n, uint64_t unit) {
    SAY("%u memcpy %u %u\n", INDEX(site), (unsigned)n, (unsigned)unit);
    copy(to, from, n);
}
void __unravel_memmove(uint64_t site, void *to, const void *from, uint64_t n, uint64_t unit) {
    SAY("%u memmove %u %u\n", INDEX(site), (unsigned)n, (unsigned)unit);
    copy(to, from, n);
}
void __unravel_memset(uint64_t site, void *to, uint64_t byte, uint64_t n, uint64_t unit) {
    SAY("%u memset %u %u %u\n", INDEX(site), (unsigned)byte, (unsigned)n, (unsigned)unit);
    for (uint64_t i = 0; i < n; i++) ((volatile unsigned char *)to)[i] = (unsigned char)byte;
}
void __unravel_call(uint64_t site) { SAY("%u call\n", INDEX(site)); }
void __unravel_result(uint64_t site, uint64_t value) { SAY("%u result %llu\n", INDEX(site), (unsigned long long)value); }
void __unravel_value(uint64_t site, uint64_t low, uint64_t high) {
    SAY("%u value %llu %llu\n", INDEX(site), (unsigned long long)low, (unsigned long long)high);
}
void __unravel_local(uint64_t site, void *at, uint64_t n) { (void)at; SAY("%u local %u\n", INDEX(site), (unsigned)n); }
void __unravel_leave(uint64_t site) { SAY("%u leave\n", INDEX(site)); }
