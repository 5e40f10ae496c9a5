/* unravel-corpus
 * title: a tokenizer keeps its place in a static variable; two parsers continue in each other's text
 * stands-for: a mistake C programmers make: strtok in two threads
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: begin < begin, begin < here; begin < here, begin < here; begin < here, next < here; next < here, next < here; next < here, next < next
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static const char *place; /* where the next word begins */

/* The next letter of a text; a null pointer continues the last text. */
static char next_letter(const char *text) {
    if (text != NULL)
        place = text; //@begin
    const char *here = place; //@here
    place = here + 1;         //@next
    return *here;
}

struct line {
    const char *text;
    char first, second;
};

static void *parse(void *arg) {
    struct line *l = arg;

    l->first = next_letter(l->text);
    l->second = next_letter(NULL);
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
    return 0;
}
