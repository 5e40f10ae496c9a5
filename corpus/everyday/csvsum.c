/* unravel-corpus
 * title: main frees the rows while a parser may still read them: one worker is not joined
 * stands-for: an everyday program: a parser with workers
 * verdict: unsafe
 * property: memory
 * at: read
 * fault: loop, free
 * pattern: use after free
 * repair: join
 * patch: csvsum.c
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
    const char *text;
    long sum;
    int error;
};

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Adds up the numbers of a row such as "3,14,15". */
static void *parse(void *arg) {
    struct part *part = arg;
    const char *at = part->text;
    long value = 0;

    for (; *at != '\0'; at++) { //@read
        if (is_digit(*at)) {
            value = value * 10 + (*at - '0');
        } else if (*at == ',') {
            part->sum += value;
            value = 0;
        } else {
            part->error = 1;
            return NULL;
        }
    }
    part->sum += value;
    return NULL;
}

static char *copy(const char *text) {
    char *result = malloc(strlen(text) + 1);

    if (result == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return strcpy(result, text);
}

int main(void) {
    static const char *const rows[2] = {"3,4", "12"};
    static struct part parts[2];
    pthread_t workers[2];
    char *texts[2];

    for (int i = 0; i < 2; i++) {
        texts[i] = copy(rows[i]);
        parts[i].text = texts[i];
        if (pthread_create(&workers[i], NULL, parse, &parts[i]) != 0)
            return 1;
    }
    for (int i = 1; i < 2; i++) //@loop
        pthread_join(workers[i], NULL);
    for (int i = 0; i < 2; i++) {
        if (parts[i].error)
            fprintf(stderr, "row %d: bad character\n", i);
        free(texts[i]); //@free
    }
    printf("sum %ld\n", parts[0].sum + parts[1].sum);
    return 0;
}
