/* unravel-corpus
 * title: dropping the last reference and leaving the set are one step, so a lookup never finds a destroyed attribute list
 * stands-for: ConcBugAssist, Table 1, llvm-8441, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Attributes of a function, one bit each. */
enum attribute {
    ATTR_NONE = 0,
    ATTR_NORETURN = 1 << 0,
    ATTR_NOUNWIND = 1 << 1,
    ATTR_READNONE = 1 << 2,
    ATTR_READONLY = 1 << 3,
    ATTR_NOINLINE = 1 << 4,
    ATTR_ALWAYSINLINE = 1 << 5,
    ATTR_OPTSIZE = 1 << 6,
};

/* A set of attributes. Functions with equal attributes share one list. */
struct attribute_list {
    uint8_t refs;
    char bits;
};

/* The lists in use. There is room for one, which this program never exceeds. */
struct attribute_set {
    pthread_mutex_t lock; /* guards the set and the reference counts */
    struct attribute_list *list;
};

/* The declaration of a function, compiled by a thread of its own. */
struct function {
    pthread_t thread;
    const char *name;
    const char *letters; /* its attributes as they stand in the bitcode */
    struct attribute_set *set;
    bool valid;
};

/* The attribute that a letter of the bitcode stands for. */
static enum attribute attribute_of(char letter) {
    switch (letter) {
    case 'x':
        return ATTR_NORETURN;
    case 'u':
        return ATTR_NOUNWIND;
    case 'n':
        return ATTR_READNONE;
    case 'r':
        return ATTR_READONLY;
    case 'o':
        return ATTR_NOINLINE;
    case 'i':
        return ATTR_ALWAYSINLINE;
    case 's':
        return ATTR_OPTSIZE;
    default:
        return ATTR_NONE;
    }
}

/* Reads attributes; returns whether all letters are known. */
static bool attributes_parse(const char *letters, char *bits) {
    *bits = 0;
    for (const char *p = letters; *p != '\0'; p++) {
        enum attribute a = attribute_of(*p);
        if (a == ATTR_NONE)
            return false;
        *bits = (char)(*bits | a);
    }
    return true;
}

static bool has_all(char bits, int wanted) {
    return (bits & wanted) == wanted;
}

/* Some attributes exclude each other. */
static bool attributes_compatible(char bits) {
    if (has_all(bits, ATTR_READNONE | ATTR_READONLY))
        return false;
    if (has_all(bits, ATTR_NOINLINE | ATTR_ALWAYSINLINE))
        return false;
    return true;
}

/* Finds or makes the list with these attributes and takes a reference. */
static struct attribute_list *attribute_set_get(struct attribute_set *set, char bits) {
    pthread_mutex_lock(&set->lock);
    struct attribute_list *list = set->list;
    if (list == NULL) {
        list = malloc(sizeof *list);
        list->refs = 0;
        list->bits = bits;
        set->list = list;
    }
    list->refs = (uint8_t)(list->refs + 1);
    pthread_mutex_unlock(&set->lock);
    return list;
}

/* Drops a reference; with the last one the list leaves the set. */
static void attribute_set_release(struct attribute_set *set, struct attribute_list *list) {
    pthread_mutex_lock(&set->lock);
    list->refs = (uint8_t)(list->refs - 1);
    if (list->refs == 0) {
        set->list = NULL;
        free(list);
    }
    pthread_mutex_unlock(&set->lock);
}

/* Compiles one declaration: the list is needed only meanwhile. */
static void *compile(void *arg) {
    struct function *f = arg;
    char bits;

    f->valid = attributes_parse(f->letters, &bits) && attributes_compatible(bits);
    if (!f->valid)
        return NULL;

    struct attribute_list *list = attribute_set_get(f->set, bits);
    assert(list->bits == bits);
    attribute_set_release(f->set, list);
    return NULL;
}

static void compile_start(struct function *f) {
    pthread_create(&f->thread, NULL, compile, f);
}

/* Two functions without side effects, which therefore share a list. */
static struct attribute_set set = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct function sine = {.name = "sin", .letters = "un", .set = &set};
static struct function cosine = {.name = "cos", .letters = "un", .set = &set};

int main(void) {
    compile_start(&sine);
    compile_start(&cosine);
    pthread_join(sine.thread, NULL);
    pthread_join(cosine.thread, NULL);

    assert(sine.valid && cosine.valid);
    assert(set.list == NULL);
    printf("compiled %s and %s, no list left\n", sine.name, cosine.name);
    return 0;
}
