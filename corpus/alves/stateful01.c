/* unravel-corpus
 * title: the sense of the check is inverted: it forbids the levels that both pumps together always reach
 * stands-for: Alves et al., Table 3, stateful01
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 * faulty-lines: levels, move, check
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define LEVEL 10

/* Two tanks with one lock for both; the second lock came later and is not used yet. */
struct plant {
    pthread_mutex_t lock;
    pthread_mutex_t lower_lock;
    int upper;
    int lower;
};

static struct plant plant = { //@levels
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, LEVEL, LEVEL};

static void move(struct plant *p, int *tank, int amount) {
    pthread_mutex_lock(&p->lock);
    *tank += amount; //@move
    pthread_mutex_unlock(&p->lock);
}

/* Rain fills both tanks. */
static void *rain(void *arg) {
    struct plant *p = arg;

    move(p, &p->upper, 1);
    move(p, &p->lower, 1);
    return NULL;
}

/* The pump lifts water; one part in six gets lost. */
static void *pump(void *arg) {
    struct plant *p = arg;

    move(p, &p->upper, 5);
    move(p, &p->lower, -6);
    return NULL;
}

int main(void) {
    pthread_t sky, motor;

    pthread_create(&sky, NULL, rain, &plant);
    pthread_create(&motor, NULL, pump, &plant);
    pthread_join(sky, NULL);
    pthread_join(motor, NULL);
    assert(!(plant.upper == LEVEL + 6 && plant.lower == LEVEL - 5)); //@check
    return 0;
}
