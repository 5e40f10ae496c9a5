/* unravel-corpus
 * title: two workers count primes; both read the same count and one prime is lost
 * stands-for: ConcBugAssist, Table 1, VectPrime02
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: read_low < write_high, read_high < write_low; read_low < write_high, write_high < write_low
 * repair: mutex, atomic, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define NUMBERS 2

/* The numbers that wait to be tested (0: taken) and what has come out so far. */
struct prime_count {
    int number[NUMBERS];
    int primes;
};

static struct prime_count job;

static void count_init(struct prime_count *c, int low, int high) {
    c->number[0] = low;
    c->number[1] = high;
    c->primes = 0;
}

/* The only numbers that can be asked for are below 90. */
static bool is_prime(int n) {
    return n == 2 ||
           n == 3 ||
           n == 5 ||
           n == 7 ||
           n == 11 ||
           n == 13 ||
           n == 17 ||
           n == 19 ||
           n == 23 ||
           n == 29 ||
           n == 31 ||
           n == 37 ||
           n == 41 ||
           n == 43 ||
           n == 47 ||
           n == 53 ||
           n == 59 ||
           n == 61 ||
           n == 67 ||
           n == 71 ||
           n == 73 ||
           n == 79 ||
           n == 83 ||
           n == 89;
}

/* Each slot belongs to one worker. */
static int take_number(struct prime_count *c, int slot) {
    int n = c->number[slot];

    c->number[slot] = 0;
    return n;
}

/* Nothing is left to be tested. */
static bool all_taken(const struct prime_count *c) {
    for (int slot = 0; slot < NUMBERS; slot++)
        if (c->number[slot] != 0)
            return false;
    return true;
}

/* Tests the number in the lower slot. */
static void *test_low(void *arg) {
    struct prime_count *c = arg;
    int n = take_number(c, 0);

    if (is_prime(n)) {
        int primes = c->primes; //@read_low
        c->primes = primes + 1; //@write_low
    }
    return NULL;
}

/* Tests the number in the upper slot. */
static void *test_high(void *arg) {
    struct prime_count *c = arg;
    int n = take_number(c, 1);

    if (is_prime(n)) {
        int primes = c->primes; //@read_high
        c->primes = primes + 1; //@write_high
    }
    return NULL;
}

int main(void) {
    pthread_t low, high;

    count_init(&job, 11, 23);

    pthread_create(&low, NULL, test_low, &job);
    pthread_create(&high, NULL, test_high, &job);

    pthread_join(low, NULL);
    pthread_join(high, NULL);

    assert(all_taken(&job) && job.primes == 2); //@check
    return 0;
}
