/* unravel-corpus
 * title: two compilations use a shared attribute list one after the other and both destroy it, which main forbids (the check is at fault: serial runs do the same)
 * stands-for: ConcBugAssist, Table 1, llvm-8441
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: destroy < check, destroy < check
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

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

/* The declaration of a function, compiled by a thread of its own. */
struct function {
    pthread_t thread;
    const char *name;
    const char *letters; /* its attributes as they stand in the bitcode */
    struct attribute_list *attributes;
    bool valid;
    bool destroyed_list; /* its compilation dropped the last reference */
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

static void attribute_list_retain(struct attribute_list *list) {
    list->refs = (uint8_t)(list->refs + 1); //@retain
}

static void attribute_list_set(struct attribute_list *list, char bits) {
    list->bits = bits; //@set
}

/* Drops a reference; returns whether it was the last one. */
static bool attribute_list_release(struct attribute_list *list) {
    list->refs = (uint8_t)(list->refs - 1); //@drop
    return list->refs == 0;                 //@test
}

/* Compiles one declaration: the list is needed only meanwhile. */
static void *compile(void *arg) {
    struct function *f = arg;
    char bits;

    f->valid = attributes_parse(f->letters, &bits) && attributes_compatible(bits);
    if (!f->valid)
        return NULL;

    attribute_list_retain(f->attributes);
    attribute_list_set(f->attributes, bits);
    if (attribute_list_release(f->attributes))
        f->destroyed_list = true; //@destroy
    return NULL;
}

static void compile_start(struct function *f) {
    pthread_create(&f->thread, NULL, compile, f);
}

/* Two functions without side effects, which therefore share a list. */
static struct attribute_list pure;
static struct function sine = {
    .name = "sin",
    .letters = "un",
    .attributes = &pure,
};
static struct function cosine = {
    .name = "cos",
    .letters = "un",
    .attributes = &pure,
};

int main(void) {
    compile_start(&sine);
    compile_start(&cosine);

    /* There is one list, so at most one compilation may have destroyed it. */
    assert(!(sine.destroyed_list && cosine.destroyed_list)); //@check
    return 0;
}
