/* unravel-corpus
 * title: workers add their counts to a common total that nothing protects
 * stands-for: an everyday program: words are counted in parallel
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: add
 * pattern: atomicity violation
 * repair: atomic, mutex
 * patch: wordcount.c
 */
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 5

static const char *const lines[WORKERS] = {
    "a b",
    "one",
    "",
    "x  y",
    "end",
};

static long total;

static long count_words(const char *line) {
    long words = 0;
    int inside = 0;

    for (; *line != '\0'; line++) {
        if (isspace((unsigned char)*line)) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    return words;
}

static void *worker(void *arg) {
    const char *line = arg;
    long words = count_words(line);

    if (words > 0)
        total += words; //@add
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[WORKERS];
    long expected = 0;
    int verbose = argc > 1 && strcmp(argv[1], "-v") == 0;

    for (int i = 0; i < WORKERS; i++) {
        if (pthread_create(&threads[i], NULL, worker, (void *)lines[i]) != 0) {
            fprintf(stderr, "%s: cannot create thread %d\n", argv[0], i);
            return EXIT_FAILURE;
        }
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        if (verbose)
            printf("line %d: \"%s\"\n", i + 1, lines[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        expected += count_words(lines[i]);
    printf("%ld words\n", total);
    assert(total == expected); //@check
    return EXIT_SUCCESS;
}
