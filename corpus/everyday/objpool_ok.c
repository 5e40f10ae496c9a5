/* unravel-corpus
 * title: a buffer goes back to the free list under the lock
 * stands-for: an everyday program: a pool of buffers
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFERS 2

struct buffer {
    struct buffer *next;
    char data[16];
};

struct pool {
    pthread_mutex_t lock;
    struct buffer *free;
    struct buffer all[BUFFERS];
};

static struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void pool_init(struct pool *p) {
    for (int i = 0; i < BUFFERS; i++) {
        p->all[i].next = p->free;
        p->free = &p->all[i];
    }
}

static struct buffer *pool_get(struct pool *p) {
    struct buffer *b;

    pthread_mutex_lock(&p->lock);
    b = p->free;
    if (b != NULL)
        p->free = b->next;
    pthread_mutex_unlock(&p->lock);
    return b;
}

static void pool_put(struct pool *p, struct buffer *b) {
    pthread_mutex_lock(&p->lock);
    b->next = p->free;
    p->free = b;
    pthread_mutex_unlock(&p->lock);
}

static void *request(void *arg) {
    const char *text = arg;
    struct buffer *b = pool_get(&pool);

    if (b == NULL) {
        fprintf(stderr, "%s: no buffer\n", text);
        return NULL;
    }
    strncpy(b->data, text, sizeof b->data - 1);
    pool_put(&pool, b);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int left = 0;

    pool_init(&pool);
    if (pthread_create(&first, NULL, request, "GET /") != 0 ||
        pthread_create(&second, NULL, request, "PUT /") != 0) {
        perror("pthread_create");
        return 1;
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    while (pool_get(&pool) != NULL)
        left++;
    if (left != BUFFERS) {
        fprintf(stderr, "%d of %d buffers are left\n", left, BUFFERS);
        abort();
    }
    printf("%d buffers\n", left);
    return 0;
}
