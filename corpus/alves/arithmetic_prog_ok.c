/* unravel-corpus
 * title: the sum on the packing list must be that of the crates
 * stands-for: Alves et al., Table 3, arithmetic_prog_bad, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define CRATES 3

/* A belt with room for one crate, between the loader and the packer. */
struct belt {
    pthread_mutex_t lock;
    pthread_cond_t emptied;
    pthread_cond_t loaded;
    int crates; /* 0 or 1 */
};

static struct belt belt = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .emptied = PTHREAD_COND_INITIALIZER,
    .loaded = PTHREAD_COND_INITIALIZER,
};

/* The packing list: the sum of the numbers on it, and whether it is closed. */
static int sum_of_numbers;
static bool closed;

static void put_on(struct belt *b) {
    pthread_mutex_lock(&b->lock);
    while (b->crates > 0)
        pthread_cond_wait(&b->emptied, &b->lock);
    b->crates++;
    pthread_cond_signal(&b->loaded);
    pthread_mutex_unlock(&b->lock);
}

static void take_off(struct belt *b) {
    pthread_mutex_lock(&b->lock);
    while (b->crates == 0)
        pthread_cond_wait(&b->loaded, &b->lock);
    b->crates--;
    pthread_cond_signal(&b->emptied);
    pthread_mutex_unlock(&b->lock);
}

static void *loader(void *arg) {
    for (int number = 0; number < CRATES; number++)
        put_on(arg);
    return NULL;
}

static void *packer(void *arg) {
    int number = 0;

    while (number < CRATES) {
        sum_of_numbers += number; //@add
        take_off(arg);
        number++;
    }
    sum_of_numbers += number; //@add_last
    closed = true;
    return NULL;
}

int main(void) {
    pthread_t loads, packs;

    pthread_create(&loads, NULL, loader, &belt);
    pthread_create(&packs, NULL, packer, &belt);
    pthread_join(loads, NULL);
    pthread_join(packs, NULL);
    if (closed)
        assert(sum_of_numbers == CRATES * (CRATES + 1) / 2); //@check
    printf("sum %d\n", sum_of_numbers);
    return 0;
}
