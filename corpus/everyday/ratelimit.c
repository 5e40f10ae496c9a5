/* unravel-corpus
 * title: a token is looked for in one critical section and taken in the next; two take the last one
 * stands-for: an everyday program: a limit of requests per second
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: has, take, gap
 * pattern: atomicity violation
 * repair: widen
 * patch: ratelimit.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CLIENTS 4

struct bucket {
    pthread_mutex_t lock;
    int tokens;
    int granted;
};

static struct bucket bucket = {PTHREAD_MUTEX_INITIALIZER, 2, 0};

static bool has_token(struct bucket *b) {
    bool result;

    pthread_mutex_lock(&b->lock);
    result = b->tokens > 0; //@has
    pthread_mutex_unlock(&b->lock); //@gap
    return result;
}

static void take_token(struct bucket *b) {
    pthread_mutex_lock(&b->lock);
    b->tokens--; //@take
    b->granted++;
    assert(b->tokens >= 0); //@check
    pthread_mutex_unlock(&b->lock);
}

static void *client(void *arg) {
    const char *name = arg;

    if (!has_token(&bucket)) {
        fprintf(stderr, "%s: too many requests\n", name);
        return NULL;
    }
    take_token(&bucket);
    return NULL;
}

int main(int argc, char **argv) {
    static char names[CLIENTS][8];
    pthread_t threads[CLIENTS];

    if (argc > 1)
        bucket.tokens = atoi(argv[1]);
    if (bucket.tokens < 0) {
        fprintf(stderr, "usage: %s [TOKENS]\n", argv[0]);
        return 1;
    }
    for (int i = 0; i < CLIENTS; i++) {
        names[i][0] = (char)('a' + i);
        if (pthread_create(&threads[i], NULL, client, names[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    printf("%d requests granted\n", bucket.granted);
    return 0;
}
