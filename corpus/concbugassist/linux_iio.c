/* unravel-corpus
 * title: poll and attach count the users of a trigger at the same time; one user is lost
 * stands-for: ConcBugAssist, Table 1, linux-iio
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: polled < attached, attached < polled
 * repair: atomic, mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define CONSUMERS 1

/* What a driver may supply for its triggers. */
struct trigger_ops {
    int (*try_reenable)(void);
};

/* A consumer gets its own sub-interrupt, if it has enabled that. */
struct consumer {
    bool enabled;
    int interrupts;
};

/* A trigger of the industrial I/O subsystem, such as a timer that starts a conversion. */
struct trigger {
    const struct trigger_ops *ops;
    struct consumer consumer[CONSUMERS];
    int use_count; /* 0 when the trigger is off */
};

static struct trigger timer_trigger = {.ops = NULL, .use_count = 1};

/* The consumer is off: keep the trigger busy, and rearm it if the driver can. */
static void notify_done(struct trigger *trig) {
    trig->use_count++; //@polled
    if (trig->use_count == 0)
        if (trig->ops != NULL && trig->ops->try_reenable != NULL)
            trig->ops->try_reenable();
}

/* The trigger has fired. */
static void *poll_trigger(void *arg) {
    struct trigger *trig = arg;

    if (trig->use_count != 0) {
        for (int i = 0; i < CONSUMERS; i++) {
            if (trig->consumer[i].enabled)
                trig->consumer[i].interrupts++;
            else
                notify_done(trig);
        }
    }
    return NULL;
}

/* Another user attaches itself to the trigger. */
static void *attach(void *arg) {
    struct trigger *trig = arg;

    trig->use_count++; //@attached
    return NULL;
}

int main(void) {
    pthread_t poller, user;

    pthread_create(&poller, NULL, poll_trigger, &timer_trigger);
    pthread_create(&user, NULL, attach, &timer_trigger);
    pthread_join(poller, NULL);
    pthread_join(user, NULL);
    assert(timer_trigger.use_count == 3); //@check
    return 0;
}
