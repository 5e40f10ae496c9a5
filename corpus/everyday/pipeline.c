/* unravel-corpus
 * title: the first stage says that it is done before it hands over its last item, which is lost
 * stands-for: an everyday program: a pipeline of two stages
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: done
 * pattern: order violation
 * repair: move
 * patch: pipeline.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 2

struct item {
    char text[16];
    size_t length;
};

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct item *items[ITEMS];
    int count;
    bool done;
};

static struct channel channel = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, false};

static void channel_put(struct channel *c, struct item *item) {
    pthread_mutex_lock(&c->lock);
    c->items[c->count++] = item;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

/* Returns NULL when there is nothing left and nothing will come. */
static struct item *channel_get(struct channel *c) {
    struct item *item = NULL;

    pthread_mutex_lock(&c->lock);
    while (c->count == 0 && !c->done)
        pthread_cond_wait(&c->changed, &c->lock);
    if (c->count > 0)
        item = c->items[--c->count];
    pthread_mutex_unlock(&c->lock);
    return item;
}

static void channel_close(struct channel *c) {
    pthread_mutex_lock(&c->lock);
    c->done = true;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

static void *reader(void *arg) {
    const char *const *words = arg;
    struct item *last = calloc(1, sizeof *last);

    if (last == NULL)
        abort();
    strncpy(last->text, words[0], sizeof last->text - 1);
    last->length = strlen(words[0]);
    channel_close(&channel); //@done
    channel_put(&channel, last);
    return NULL;
}

static void *writer(void *arg) {
    int *written = arg;
    struct item *item;

    while ((item = channel_get(&channel)) != NULL) {
        printf("%s\n", item->text);
        free(item);
        (*written)++;
    }
    return NULL;
}

int main(void) {
    static const char *const words[] = {"hello"};
    pthread_t first, second;
    int written = 0;

    if (pthread_create(&first, NULL, reader, (void *)words) != 0 ||
        pthread_create(&second, NULL, writer, &written) != 0)
        return 1;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(written == 1); //@check
    return 0;
}
