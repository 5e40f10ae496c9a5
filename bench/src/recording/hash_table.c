/* Two threads count words in a hash table under a lock. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 256, KEYS = 1000 };

struct entry {
    unsigned key;
    long count;
    struct entry *next;
};

static struct entry *buckets[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds = 1;

static void add(unsigned key) {
    pthread_mutex_lock(&lock);
    struct entry **place = &buckets[key * 2654435761u >> 24];
    struct entry *entry = *place;
    while (entry && entry->key != key)
        entry = entry->next;
    if (!entry) {
        entry = malloc(sizeof *entry);
        entry->key = key;
        entry->count = 0;
        entry->next = *place;
        *place = entry;
    }
    entry->count++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
    unsigned seed = *(unsigned *)arg;
    for (int i = 0; i < rounds * 10000; i++) {
        seed = seed * 1103515245u + 12345u;
        add((seed >> 16) % KEYS);
    }
    return NULL;
}

int main(int count, char **words) {
    if (count > 1)
        rounds = atoi(words[1]);
    pthread_t threads[2];
    static unsigned seeds[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &seeds[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    long sum = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry *entry = buckets[i]; entry; entry = entry->next)
            sum += entry->count;
    printf("%ld\n", sum);
    return 0;
}
