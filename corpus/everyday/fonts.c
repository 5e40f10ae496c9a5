/* unravel-corpus
 * title: the table of fonts is set up on first use without a lock; two threads set it up
 * stands-for: an everyday program: lazy initialization of a table
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: test, set
 * pattern: atomicity violation
 * repair: mutex
 * patch: fonts.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct font {
    char name[16];
    int size;
    int users;
};

#define FONTS 2

static struct font *fonts;
static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;

static struct font *load_fonts(void) {
    static const char *const names[FONTS] = {"serif", "mono"};
    struct font *table = calloc(FONTS, sizeof *table);

    if (table == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (int i = 0; i < FONTS; i++) {
        strcpy(table[i].name, names[i]);
        table[i].size = 10 + i;
    }
    return table;
}

static struct font *font_named(const char *name) {
    if (fonts == NULL) //@test
        fonts = load_fonts(); //@set
    for (int i = 0; i < FONTS; i++) {
        if (strcmp(fonts[i].name, name) == 0)
            return &fonts[i];
    }
    return NULL;
}

static void *window(void *arg) {
    const char *name = arg;
    struct font *font = font_named(name);

    if (font == NULL) {
        fprintf(stderr, "no font %s\n", name);
        return NULL;
    }
    pthread_mutex_lock(&users_lock);
    font->users++;
    pthread_mutex_unlock(&users_lock);
    return font;
}

int main(void) {
    pthread_t editor, console;

    if (pthread_create(&editor, NULL, window, "mono") != 0 ||
        pthread_create(&console, NULL, window, "mono") != 0)
        return 1;
    pthread_join(editor, NULL);
    pthread_join(console, NULL);
    struct font *mono = font_named("mono");
    printf("%s %d: %d windows\n", mono->name, mono->size, mono->users);
    assert(mono->users == 2); //@check
    free(fonts);
    return 0;
}
