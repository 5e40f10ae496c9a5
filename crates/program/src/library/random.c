/* Random numbers: <stdlib.h>. */
#include "model.h"

/* The same seed gives the same numbers: what comes after a second seed is not followed. */
static int __unravel_seeds;
void numbers_after_a_second_seed(void);

void srand(unsigned seed) {
    (void)seed;
    __atomic_fetch_add(&__unravel_seeds, 1, __ATOMIC_RELAXED);
}
void srandom(unsigned seed) { srand(seed); }

int rand(void) {
    if (__atomic_load_n(&__unravel_seeds, __ATOMIC_RELAXED) > 1)
        numbers_after_a_second_seed();
    return (int)between(0, 0, 0x7fffffff);
}
long random(void) { return rand(); }

/* As in the GNU C library. */
static unsigned __unravel_next(unsigned *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return *seed / 65536;
}
int rand_r(unsigned *seed) {
    unsigned result = __unravel_next(seed) % 2048;
    result = result << 10 ^ __unravel_next(seed) % 1024;
    result = result << 10 ^ __unravel_next(seed) % 1024;
    return (int)result;
}

/* POSIX gives the numbers themselves; before the first seed these are those of the GNU C library.
 * Unlike `rand`, which takes a lock there, these are not for several threads at once: two may get the
 * same number. */
static unsigned long long __unravel_state_of_drand48;
static unsigned long long __unravel_step48(void) {
    unsigned long long next = __unravel_state_of_drand48 * 0x5deece66dull + 0xb;
    return __unravel_state_of_drand48 = next & 0xffffffffffffull;
}
static void __unravel_seed48(unsigned seed) {
    __unravel_state_of_drand48 = (unsigned long long)seed << 16 | 0x330e;
}
void srand48(long seed) { __unravel_seed48((unsigned)seed); }
long lrand48(void) { return (long)(__unravel_step48() >> 17); }
long mrand48(void) { return (int)(__unravel_step48() >> 16); }
double drand48(void) { return (double)__unravel_step48() / 281474976710656.0; }

unsigned arc4random(void) { return (unsigned)between(0, 0, 0xffffffffll); }
unsigned arc4random_uniform(unsigned bound) { return bound < 2 ? 0 : (unsigned)between(0, 0, bound - 1ll); }
