/* unravel-corpus
 * title: two workers append to the buffered access log at the same index; one entry overwrites the other
 * stands-for: ConcBugAssist, Table 1, apache-25520
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: test < advance, test < advance; advance < advance, advance < advance
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define LOG_ENTRIES 2
#define EMPTY '-'

/* The log buffer of the server. All workers append to it; it is written out
 * as one block when it is full or when the server shuts down. */
struct buffered_log {
    char entry[LOG_ENTRIES];
    int next; /* index of the next free entry */
};

enum method { METHOD_GET, METHOD_POST, METHOD_OTHER };

/* A request, as far as the access log cares. */
struct request {
    enum method method;
    const char *uri;
    int status;
};

/* A thread of the pool with the request it was given. */
struct worker {
    struct buffered_log *log;
    struct request request;
};

static void log_init(struct buffered_log *log) {
    for (int i = 0; i < LOG_ENTRIES; i++)
        log->entry[i] = EMPTY;
    log->next = 0;
}

/* The letter under which a request is logged: that of its method, in lower
 * case if the request failed. */
static char log_letter(const struct request *r) {
    char letter;

    switch (r->method) {
    case METHOD_GET:
        letter = 'G';
        break;
    case METHOD_POST:
        letter = 'P';
        break;
    default:
        letter = 'X';
        break;
    }
    if (r->status >= 400)
        letter = (char)(letter - 'A' + 'a');
    return letter;
}

/* Appends one entry; the last place takes what comes after the first. */
static void log_append(struct buffered_log *log, char entry) {
    if (log->next == 0) //@test
        log->entry[0] = entry; //@first
    else
        log->entry[LOG_ENTRIES - 1] = entry; //@last
    log->next += 1; //@advance
}

static bool log_full(const struct buffered_log *log) {
    return log->entry[LOG_ENTRIES - 1] != EMPTY;
}

/* Decides the status of the answer. */
static int handle(const struct request *r) {
    if (r->uri[0] != '/')
        return 400;
    if (r->method == METHOD_OTHER)
        return 501;
    return 200;
}

static void *worker_main(void *arg) {
    struct worker *self = arg;

    self->request.status = handle(&self->request);
    log_append(self->log, log_letter(&self->request));
    return NULL;
}

int main(void) {
    static struct buffered_log access_log;
    struct worker reader = {
        .log = &access_log,
        .request = {.method = METHOD_GET, .uri = "/index.html"},
    };
    struct worker sender = {
        .log = &access_log,
        .request = {.method = METHOD_POST, .uri = "/guestbook"},
    };
    pthread_t a, b;

    log_init(&access_log);
    pthread_create(&a, NULL, worker_main, &reader);
    pthread_create(&b, NULL, worker_main, &sender);
    pthread_join(a, NULL);
    pthread_join(b, NULL);

    /* Two requests have been served, so both entries are in use. */
    assert(log_full(&access_log)); //@check
    return 0;
}
