/* unravel-corpus
 * title: a viewer looks whether a document is open and then uses it; the document is closed in between
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, crasher
 * verdict: unsafe
 * property: memory
 * at: draw
 * pattern: atomicity violation
 * orders: close < draw, look < close
 * repair: mutex, signal-wait
 * sizes: S 3 M 30 L 200
 */
#include <pthread.h>
#include <stddef.h>

/* Pages of the document. */
#ifndef SIZE
#define SIZE 3
#endif

struct document {
    int page[SIZE];
};

/* A window shows a document, or none. */
struct window {
    struct document *document;
    int pixels;
};

static struct document report;
static struct window window = {.document = &report};
static int saved[SIZE];

static void window_draw(struct window *w, int page) {
    if (w->document != NULL)                      //@look
        w->pixels += w->document->page[page] + 1; //@draw
}

/* The user turns over all the pages. */
static void *show(void *arg) {
    struct window *w = arg;

    for (int page = 0; page < SIZE; page++)
        window_draw(w, page);
    return NULL;
}

/* Another one saves the document and closes it. */
static void *save_and_close(void *arg) {
    struct window *w = arg;

    for (int page = 0; page < SIZE; page++)
        saved[page] = report.page[page];
    w->document = NULL; //@close
    return NULL;
}

int main(void) {
    pthread_t viewer, editor;

    pthread_create(&viewer, NULL, show, &window);
    pthread_create(&editor, NULL, save_and_close, &window);
    pthread_join(viewer, NULL);
    pthread_join(editor, NULL);
    return 0;
}
