/* unravel-corpus
 * title: poll and attach count the users of a trigger with atomic increments
 * stands-for: ConcBugAssist, Table 1, linux-iio, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

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
    atomic_int use_count; /* 0 when the trigger is off */
};

static struct trigger timer_trigger = {.ops = NULL, .use_count = 1};

/* The consumer is off: keep the trigger busy, and rearm it if the driver can. */
static void notify_done(struct trigger *trig) {
    int users = atomic_fetch_add(&trig->use_count, 1) + 1; //@polled
    if (users == 0)
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

    atomic_fetch_add(&trig->use_count, 1); //@attached
    return NULL;
}

int main(void) {
    pthread_t poller, user;

    pthread_create(&poller, NULL, poll_trigger, &timer_trigger);
    pthread_create(&user, NULL, attach, &timer_trigger);
    pthread_join(poller, NULL);
    pthread_join(user, NULL);
    assert(timer_trigger.use_count == 3); //@check
    printf("%d users\n", timer_trigger.use_count);
    return 0;
}
