/* unravel-corpus
 * title: sender and receiver wait for their turn in every round
 * stands-for: Alves et al., Table 3, circular_buffer_bad, repaired
 * verdict: safe
 * output: deterministic
 * turns: 7
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

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
    pthread_cond_t turned;
    struct ring ring;
    bool may_send;
    bool may_receive;
};

static struct link radio = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .turned = PTHREAD_COND_INITIALIZER, .may_send = true};

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
        while (!l->may_send)
            pthread_cond_wait(&l->turned, &l->lock);
        ring_put(&l->ring, i);
        l->may_send = false;
        l->may_receive = true; //@sent
        pthread_cond_signal(&l->turned);
        pthread_mutex_unlock(&l->lock);
    }
    return NULL;
}

static void *receiver(void *arg) {
    struct link *l = arg;

    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&l->lock);
        while (!l->may_receive)
            pthread_cond_wait(&l->turned, &l->lock);
        int expected = i; //@expected
        int frame = ring_take(&l->ring);
        assert(frame == expected); //@compare
        l->may_receive = false;
        l->may_send = true; //@received
        pthread_cond_signal(&l->turned);
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
    printf("%d frames\n", ROUNDS);
    return 0;
}
