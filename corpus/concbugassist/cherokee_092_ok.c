/* unravel-corpus
 * title: the mutex of the log buffer covers both the choice of a slot and the store into it
 * stands-for: ConcBugAssist, Table 1, cherokee-0.9.2, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SLOTS 2
#define UNUSED '.'

/* Log entries wait here until the writer thread of the server flushes them. */
struct log_buffer {
    pthread_mutex_t lock; /* guards the rest */
    char slot[SLOTS];
    uint8_t last; /* index of the newest entry; one below 0 while there is none */
};

/* What the logger of a virtual server needs to know. */
struct logger {
    struct log_buffer buffer;
    bool combined; /* tell requests with a referer from those without */
};

/* A request that has been answered. */
struct connection {
    struct logger *logger;
    const char *host;
    const char *referer; /* or NULL */
    int reply;           /* status code */
    size_t bytes;
};

static void log_buffer_init(struct log_buffer *buffer) {
    pthread_mutex_init(&buffer->lock, NULL);
    for (int i = 0; i < SLOTS; i++)
        buffer->slot[i] = UNUSED;
    buffer->last = (uint8_t)-1;
}

/* Takes the next slot and fills it. */
static void log_buffer_add(struct log_buffer *buffer, char entry) {
    pthread_mutex_lock(&buffer->lock);
    buffer->last = (uint8_t)(buffer->last + 1);
    buffer->slot[buffer->last] = entry;
    pthread_mutex_unlock(&buffer->lock);
}

static bool log_buffer_used(const struct log_buffer *buffer, int slot) {
    return buffer->slot[slot] != UNUSED;
}

static void logger_init(struct logger *logger, bool combined) {
    log_buffer_init(&logger->buffer);
    logger->combined = combined;
}

/* The class of a reply: the first digit of its status code. */
static char reply_class(int reply) {
    if (reply < 200)
        return '1';
    if (reply < 300)
        return '2';
    if (reply < 400)
        return '3';
    if (reply < 500)
        return '4';
    return '5';
}

/* Writes one entry about a request that has been answered. */
static void logger_write_access(struct logger *logger, const struct connection *conn) {
    char entry = reply_class(conn->reply);

    if (conn->bytes == 0)
        entry = '0';
    else if (logger->combined && conn->referer != NULL)
        entry = (char)(entry - '1' + 'a');
    log_buffer_add(&logger->buffer, entry);
}

/* The end of a connection: the answer is sent, the access is logged. */
static void *connection_finish(void *arg) {
    const struct connection *conn = arg;

    logger_write_access(conn->logger, conn);
    return NULL;
}

int main(void) {
    static struct logger logger;
    struct connection page = {
        .logger = &logger,
        .host = "10.0.0.7",
        .reply = 200,
        .bytes = 5120,
    };
    struct connection image = {
        .logger = &logger,
        .host = "10.0.0.9",
        .referer = "/gallery",
        .reply = 304,
        .bytes = 96,
    };
    pthread_t a, b;

    logger_init(&logger, true);
    pthread_create(&a, NULL, connection_finish, &page);
    pthread_create(&b, NULL, connection_finish, &image);
    pthread_join(a, NULL);
    pthread_join(b, NULL);

    /* Two entries were written, so slot 1 holds the second. */
    assert(log_buffer_used(&logger.buffer, 1));
    pthread_mutex_destroy(&logger.buffer.lock);
    printf("%d entries\n", logger.buffer.last + 1);
    return 0;
}
