/* unravel-corpus
 * title: two class writers use one temporary file; the second to finish finds it gone, in a serial run too (the check is at fault)
 * stands-for: ConcBugAssist, Table 1, gcc-25330
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: remove < check
 * repair: signal-wait
 * differs: the second writer fails in a serial run, too, so no lock helps: both checks have to come before either removal
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

/* The directory entry of a file that is being written. */
struct temp_file {
    char data;
    bool renamed; /* has become a class file */
    bool removed; /* has no entry of its own any more */
};

/* A compilation that writes one class file. */
struct compilation {
    const char *class_name;
    char code;
};

/* Every compiler builds the same name for its temporary file. */
static struct temp_file temp_class;

static void temp_write(struct temp_file *file, char data) {
    file->data = data; //@write
}

/* Gives the file its final name. The temporary name must still be there. */
static void temp_rename(struct temp_file *file) {
    assert(!file->removed); //@check
    file->renamed = true;   //@rename
    file->removed = true;   //@remove
}

static void *write_class_file(void *arg) {
    const struct compilation *unit = arg;

    temp_write(&temp_class, unit->code);
    temp_rename(&temp_class);
    return NULL;
}

int main(void) {
    struct compilation parser = {.class_name = "Parser", .code = 'P'};
    struct compilation lexer = {.class_name = "Lexer", .code = 'L'};
    pthread_t a, b;

    pthread_create(&a, NULL, write_class_file, &parser);
    pthread_create(&b, NULL, write_class_file, &lexer);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
