/* unravel-corpus
 * title: two writers see room for one record, and the second one writes behind the end of the buffer
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, bufwriter
 * verdict: unsafe
 * property: memory
 * at: store
 * pattern: atomicity violation
 * orders: advance < store, look < advance
 * repair: mutex, signal-wait
 * sizes: S 2 M 24 L 160
 */
#include <pthread.h>
#include <stdbool.h>

/* Fields of a record. */
#ifndef SIZE
#define SIZE 2
#endif

#define WRITERS 2
#define CAPACITY 1

/* Records that wait to be written to the disk. One that finds no room is dropped. */
struct buffer {
    int used;
    int record[CAPACITY];
};

/* A thread that makes a record, field by field. */
struct writer {
    pthread_t thread;
    int field[SIZE];
    int checksum;
    bool is_written;
};

static struct buffer buffer;

static bool buffer_put(struct buffer *b, int record) {
    if (b->used == CAPACITY) //@look
        return false;
    b->record[b->used] = record; //@store
    b->used++;                   //@advance
    return true;
}

static void writer_add_field(struct writer *w, int i) {
    w->field[i] = i + 1;
    w->checksum += w->field[i];
}

static void *writer_main(void *arg) {
    struct writer *self = arg;

    for (int i = 0; i < SIZE; i++)
        writer_add_field(self, i);
    self->is_written = buffer_put(&buffer, self->checksum);
    return NULL;
}

int main(void) {
    static struct writer writer[WRITERS];

    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writer[i].thread, NULL, writer_main, &writer[i]);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writer[i].thread, NULL);
    return 0;
}
