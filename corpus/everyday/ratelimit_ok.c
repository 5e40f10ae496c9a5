/* unravel-corpus
 * title: a token is looked for and taken in one critical section
 * stands-for: an everyday program: a limit of requests per second
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CLIENTS 3

struct bucket {
    pthread_mutex_t lock;
    int tokens;
    int granted;
};

static struct bucket bucket = {PTHREAD_MUTEX_INITIALIZER, 2, 0};

/* With the lock held. */
static bool has_token(struct bucket *b) {
    return b->tokens > 0;
}

/* With the lock held. */
static void take_token(struct bucket *b) {
    b->tokens--;
    b->granted++;
    assert(b->tokens >= 0);
}

static void *client(void *arg) {
    const char *name = arg;

    pthread_mutex_lock(&bucket.lock);
    if (!has_token(&bucket)) {
        pthread_mutex_unlock(&bucket.lock);
        fprintf(stderr, "%s: too many requests\n", name);
        return NULL;
    }
    take_token(&bucket);
    pthread_mutex_unlock(&bucket.lock);
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
