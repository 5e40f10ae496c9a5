/* unravel-corpus
 * title: an editor who holds a document for reading takes it for writing, and waits for his own reading to end
 * stands-for: a mistake C programmers make: a read lock that is upgraded to a write lock
 * verdict: unsafe
 * property: deadlock
 * at: upgrade
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>
#include <stddef.h>

struct document {
    pthread_rwlock_t lock;
    int version;
    int words;
};

static struct document letter = {.lock = PTHREAD_RWLOCK_INITIALIZER, .words = 10};

static int document_words(struct document *d) {
    pthread_rwlock_rdlock(&d->lock); //@read
    return d->words;
}

/* Called with the document locked for reading. */
static void document_append(struct document *d, int words) {
    pthread_rwlock_wrlock(&d->lock); //@upgrade
    d->words = words;
    d->version++;
    pthread_rwlock_unlock(&d->lock);
}

static void *edit(void *arg) {
    struct document *d = arg;
    int words = document_words(d);

    if (words < 100)
        document_append(d, words + 1);
    pthread_rwlock_unlock(&d->lock);
    return NULL;
}

int main(void) {
    pthread_t author, editor;

    pthread_create(&author, NULL, edit, &letter);
    pthread_create(&editor, NULL, edit, &letter);
    pthread_join(author, NULL);
    pthread_join(editor, NULL);
    return 0;
}
