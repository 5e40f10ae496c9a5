/* unravel-corpus
 * title: the receiver compares what it gets with the number of its attempt, but attempts can be idle
 * stands-for: Alves et al., Table 3, circular_buffer_bad
 * verdict: unsafe
 * property: reach
 * at: compare
 * pattern: atomicity violation
 * orders: take < put; sent < try_receive
 * repair: widen, mutex, signal-wait
 * faulty-lines: expected
 * turns: 7
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define ROUNDS 7
#define SLOTS 10

/* Frames between a radio and its decoder, in the order of their numbers. */
struct ring {
    int frames[SLOTS];
    unsigned in;  /* where the next frame goes */
    unsigned out; /* where the next frame comes from */
};

/* The link: one frame is under way at a time. All members are used under the lock. */
struct link {
    pthread_mutex_t lock;
    struct ring ring;
    bool may_send;
    bool may_receive;
};

static struct link radio = {.lock = PTHREAD_MUTEX_INITIALIZER, .may_send = true};

static void ring_put(struct ring *r, int frame) {
    r->frames[r->in] = frame; //@put
    r->in = (r->in + 1) % SLOTS;
}

static int ring_take(struct ring *r) {
    int frame = r->frames[r->out]; //@take

    r->out = (r->out + 1) % SLOTS;
    return frame;
}

static void *sender(void *arg) {
    struct link *l = arg;

    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&l->lock);
        if (l->may_send) { //@try_send
            ring_put(&l->ring, i);
            l->may_send = false;
            l->may_receive = true; //@sent
        }
        pthread_mutex_unlock(&l->lock);
    }
    return NULL;
}

static void *receiver(void *arg) {
    struct link *l = arg;

    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&l->lock);
        if (l->may_receive) { //@try_receive
            int expected = i; //@expected
            int frame = ring_take(&l->ring);

            assert(frame == expected); //@compare
            l->may_receive = false;
            l->may_send = true; //@received
        }
        pthread_mutex_unlock(&l->lock);
    }
    return NULL;
}

int main(void) {
    pthread_t sends, receives;

    pthread_create(&sends, NULL, sender, &radio);
    pthread_create(&receives, NULL, receiver, &radio);
    pthread_join(sends, NULL);
    pthread_join(receives, NULL);
    return 0;
}
