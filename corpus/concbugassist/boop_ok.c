/* unravel-corpus
 * title: client and self-test of a character device wait for each other by two flags
 * stands-for: ConcBugAssist, Table 1, boop, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

/* A character device that one client at a time may hold open. */
struct chardev {
    int use_count;         /* opens that have not been released */
    int busy;              /* a client holds the device */
    atomic_int registered; /* the driver is ready for clients */
    atomic_int opened;     /* a client has got the device */
};

static struct chardev boop;

/* Called once, when the driver is loaded. */
static void chardev_register(struct chardev *dev) {
    dev->use_count = 0; //@reset
    dev->busy = 0;
    dev->registered = 1;
}

static int chardev_open(struct chardev *dev) {
    if (dev->busy)
        return -EBUSY;
    dev->busy = 1;
    dev->use_count++; //@count_up
    return 0;
}

static void chardev_release(struct chardev *dev) {
    dev->use_count--; //@count_down
    dev->busy = 0;
}

static void wait_for(atomic_int *flag) {
    while (!*flag)
        sched_yield();
}

/*
 * The driver's self-test: register the device, let the client open it,
 * release it in the client's place. Nobody may be counted afterwards.
 */
static void *self_test(void *arg) {
    struct chardev *dev = arg;

    chardev_register(dev);
    wait_for(&dev->opened);
    chardev_release(dev);
    assert(dev->use_count == 0); //@check
    return NULL;
}

/* The client of the self-test. */
static void *client(void *arg) {
    struct chardev *dev = arg;

    wait_for(&dev->registered);
    if (chardev_open(dev) == 0)
        dev->opened = 1;
    return NULL;
}

int main(void) {
    pthread_t tester, opener;

    pthread_create(&tester, NULL, self_test, &boop);
    pthread_create(&opener, NULL, client, &boop);
    pthread_join(tester, NULL);
    pthread_join(opener, NULL);
    printf("boop: %d users\n", boop.use_count);
    return 0;
}
