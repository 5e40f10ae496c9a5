/* unravel-corpus
 * title: the place in the text belongs to the caller
 * stands-for: a mistake C programmers make: strtok in two threads, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

/* The next letter of a text; a null pointer continues the last text. */
static char next_letter(const char *text, const char **place) {
    if (text != NULL)
        *place = text; //@begin
    const char *here = *place; //@here
    *place = here + 1;         //@next
    return *here;
}

struct line {
    const char *text;
    char first, second;
};

static void *parse(void *arg) {
    struct line *l = arg;
    const char *place = NULL;

    l->first = next_letter(l->text, &place);
    l->second = next_letter(NULL, &place);
    return NULL;
}

int main(void) {
    pthread_t upper, lower;
    struct line head = {.text = "ABEF"}, body = {.text = "cdgh"};

    pthread_create(&upper, NULL, parse, &head);
    pthread_create(&lower, NULL, parse, &body);
    pthread_join(upper, NULL);
    pthread_join(lower, NULL);
    assert(head.second == 'B' && body.second == 'd'); //@check
    printf("%c%c %c%c\n", head.first, head.second, body.first, body.second);
    return 0;
}
