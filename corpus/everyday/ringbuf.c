/* unravel-corpus
 * title: the writer of a ring buffer moves the index before it writes the sample
 * stands-for: an everyday program: a ring buffer between one writer and one reader
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: publish
 * pattern: order violation
 * repair: move
 * patch: ringbuf.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SLOTS 4
#define SAMPLES 2

struct ring {
    atomic_uint head; /* next to write */
    atomic_uint tail; /* next to read */
    int samples[SLOTS];
};

static struct ring ring;

static int ring_put(struct ring *r, int sample) {
    unsigned head = atomic_load(&r->head);

    if (head - atomic_load(&r->tail) == SLOTS)
        return -1; /* full */
    atomic_store(&r->head, head + 1); //@publish
    r->samples[head % SLOTS] = sample;
    return 0;
}

static int ring_get(struct ring *r, int *sample) {
    unsigned tail = atomic_load(&r->tail);

    if (atomic_load(&r->head) == tail)
        return -1; /* empty */
    *sample = r->samples[tail % SLOTS];
    atomic_store(&r->tail, tail + 1);
    return 0;
}

static void *sensor(void *arg) {
    int first = *(int *)arg;

    for (int i = 0; i < SAMPLES; i++) {
        if (ring_put(&ring, first + i) != 0)
            fprintf(stderr, "sample %d is lost\n", i);
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread;
    int first = 20;
    int seen = 0;

    if (argc > 1)
        first = (int)strtol(argv[1], NULL, 10);
    if (first <= 0) {
        fprintf(stderr, "usage: %s [FIRST SAMPLE]\n", argv[0]);
        return 2;
    }
    if (pthread_create(&thread, NULL, sensor, &first) != 0)
        return 1;
    for (int tries = 0; tries < 3 && seen < SAMPLES; tries++) {
        int sample;
        if (ring_get(&ring, &sample) != 0) {
            usleep(10);
            continue;
        }
        assert(sample == first + seen); //@check
        seen++;
    }
    pthread_join(thread, NULL);
    printf("the sensor has ended\n");
    return 0;
}
