/* unravel-corpus
 * title: an editor who may write takes the document for writing at once
 * stands-for: a mistake C programmers make: a read lock that is upgraded to a write lock, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

struct document {
    pthread_rwlock_t lock;
    int version;
    int words;
};

static struct document letter = {.lock = PTHREAD_RWLOCK_INITIALIZER, .words = 10};

/* Called with the document locked for writing. */
static void document_append(struct document *d, int words) {
    d->words = words;
    d->version++;
}

static void *edit(void *arg) {
    struct document *d = arg;

    pthread_rwlock_wrlock(&d->lock); //@write
    if (d->words < 100)
        document_append(d, d->words + 1);
    pthread_rwlock_unlock(&d->lock);
    return NULL;
}

int main(void) {
    pthread_t author, editor;

    pthread_create(&author, NULL, edit, &letter);
    pthread_create(&editor, NULL, edit, &letter);
    pthread_join(author, NULL);
    pthread_join(editor, NULL);
    printf("version %d, %d words\n", letter.version, letter.words);
    return 0;
}
