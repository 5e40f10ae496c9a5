/* The inner loop of a compressor: two threads look for repeated text in halves of a buffer (LZ77 with a
 * table of hashes). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 16, TABLE = 1 << 12 };

struct part {
    const unsigned char *from;
    int size;
    int table[TABLE];
    long literals, matched;
};

static unsigned char text[SIZE];

static void *compress(void *arg) {
    struct part *part = arg;
    const unsigned char *from = part->from;
    int at = 0;
    memset(part->table, -1, sizeof part->table);
    while (at + 4 < part->size) {
        unsigned hash = (from[at] | from[at + 1] << 8 | from[at + 2] << 16) * 2654435761u >> 20;
        int before = part->table[hash], length = 0;
        part->table[hash] = at;
        if (before >= 0)
            while (at + length < part->size && length < 255 && from[before + length] == from[at + length])
                length++;
        if (length < 4) {
            part->literals++;
            at++;
        } else {
            part->matched += length;
            at += length;
        }
    }
    return NULL;
}

int main(int count, char **words) {
    int rounds = count > 1 ? atoi(words[1]) : 1;
    unsigned seed = 1;
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1103515245u + 12345u;
        text[i] = i > 512 && seed >> 28 ? text[i - 500] : seed >> 24;
    }
    struct part *parts = calloc(2, sizeof *parts);
    for (int round = 0; round < rounds; round++) {
        pthread_t threads[2];
        for (int i = 0; i < 2; i++) {
            parts[i].from = text + i * SIZE / 2;
            parts[i].size = SIZE / 2;
            pthread_create(&threads[i], NULL, compress, &parts[i]);
        }
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    }
    printf("%ld %ld\n", parts[0].literals + parts[1].literals, parts[0].matched + parts[1].matched);
    free(parts);
    return 0;
}
