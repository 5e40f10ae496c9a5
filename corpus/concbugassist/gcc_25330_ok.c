/* unravel-corpus
 * title: every class writer has a temporary file of its own, as with the process id in the name
 * stands-for: ConcBugAssist, Table 1, gcc-25330, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

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
    struct temp_file temp; /* its name contains the process id */
};

static void temp_write(struct temp_file *file, char data) {
    file->data = data;
}

/* Gives the file its final name. The temporary name must still be there. */
static void temp_rename(struct temp_file *file) {
    assert(!file->removed);
    file->renamed = true;
    file->removed = true;
}

static void *write_class_file(void *arg) {
    struct compilation *unit = arg;

    temp_write(&unit->temp, unit->code);
    temp_rename(&unit->temp);
    return NULL;
}

static bool class_file_complete(const struct compilation *unit) {
    return unit->temp.renamed && unit->temp.data == unit->code;
}

int main(void) {
    struct compilation parser = {.class_name = "Parser", .code = 'P'};
    struct compilation lexer = {.class_name = "Lexer", .code = 'L'};
    pthread_t a, b;

    pthread_create(&a, NULL, write_class_file, &parser);
    pthread_create(&b, NULL, write_class_file, &lexer);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(class_file_complete(&parser) && class_file_complete(&lexer));
    printf("wrote %s.class and %s.class\n", parser.class_name, lexer.class_name);
    return 0;
}
