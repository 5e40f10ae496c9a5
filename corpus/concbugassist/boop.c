/* unravel-corpus
 * title: the self-test of a character device closes it without waiting until the client has opened it
 * stands-for: ConcBugAssist, Table 1, boop
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < count_up; count_up < reset; count_up < count_down, count_down < count_up
 * repair: signal-wait
 * differs: the client has to open the device after it is registered and before it is released; in both serial orders the check fails, so no lock helps
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

/* A character device that one client at a time may hold open. */
struct chardev {
    int use_count;  /* opens that have not been released */
    int busy;       /* a client holds the device */
    int registered; /* the driver is ready for clients */
    int opened;     /* a client has got the device */
};

static struct chardev boop;

/* Called once, when the driver is loaded. */
static void chardev_register(struct chardev *dev) {
    dev->use_count = 0; //@reset
    dev->busy = 0;
    dev->registered = 1;
}

static int chardev_open(struct chardev *dev) {
    dev->use_count++; //@count_up
    if (dev->busy)
        return -EBUSY;
    dev->busy = 1;
    return 0;
}

static void chardev_release(struct chardev *dev) {
    dev->use_count--; //@count_down
    dev->busy = 0;
}

/*
 * The driver's self-test: register the device, let the client open it,
 * release it in the client's place. Nobody may be counted afterwards.
 */
static void *self_test(void *arg) {
    struct chardev *dev = arg;

    chardev_register(dev);
    chardev_release(dev);
    assert(dev->use_count == 0); //@check
    return NULL;
}

/* The client of the self-test. */
static void *client(void *arg) {
    struct chardev *dev = arg;

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
    return boop.registered && boop.opened ? 0 : 1;
}
