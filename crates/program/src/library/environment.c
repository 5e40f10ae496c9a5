/* The environment and the end of the process: <stdlib.h>, <locale.h>. */
#include "model.h"

int strcmp(const char *a, const char *b);
size_t strlen(const char *s);

/* Variables of the environment that were asked for: each is there or not, with a text of at most 7 bytes,
 * and stays so. Followed are four names of at most 31 letters, until the program changes one. */
enum { NAMES = 4, NAME_BYTES = 32, TEXT_BYTES = 8 };
static struct { char name[NAME_BYTES], text[TEXT_BYTES]; int is_set; } __unravel_variables[NAMES];
static int __unravel_is_changed;
void environment_after_a_change(void);
void variables_beyond_four(void);
void variable_with_a_long_name(void);

static char *__VERIFIER_atomic_unravel_variable(const char *name) {
    for (int i = 0; i < NAMES; i++) {
        if (!*__unravel_variables[i].name) {
            for (int at = 0; name[at]; at++)
                __unravel_variables[i].name[at] = name[at];
            __unravel_variables[i].is_set = (int)between(0, 0, 1);
            writes(__unravel_variables[i].text, TEXT_BYTES - 1);
        }
        if (!strcmp(__unravel_variables[i].name, name))
            return __unravel_variables[i].is_set ? __unravel_variables[i].text : 0;
    }
    variables_beyond_four();
    return 0;
}
char *getenv(const char *name) {
    if (strlen(name) >= NAME_BYTES)
        variable_with_a_long_name();
    if (__atomic_load_n(&__unravel_is_changed, __ATOMIC_RELAXED))
        environment_after_a_change();
    return *name ? __VERIFIER_atomic_unravel_variable(name) : 0;
}
char *secure_getenv(const char *name) { return getenv(name); }

static int __unravel_is_variable(const char *name) {
    int named = *name != 0;
    for (; *name; name++)
        named &= *name != '=';
    return named;
}
static void __unravel_change(void) { __atomic_store_n(&__unravel_is_changed, 1, __ATOMIC_RELAXED); }
int setenv(const char *name, const char *value, int overwrite) {
    (void)overwrite;
    text(value);
    if (!name || !__unravel_is_variable(name))
        return FAIL(EINVAL);
    __unravel_change();
    return DONE_OR(ENOMEM);
}
int unsetenv(const char *name) {
    if (!name || !__unravel_is_variable(name))
        return FAIL(EINVAL);
    __unravel_change();
    return DONE(0);
}

/* The locale changes nothing that is modelled: characters beyond ASCII are of no class in UTF-8 either. */
static char __unravel_locale[TEXT_BYTES] = "C";
char *setlocale(int category, const char *name) {
    if (category < 0 || category > 12)
        return (void)FAIL(EINVAL), (char *)0;
    if (name)
        text(name);
    return name && may_fail() ? (void)FAIL(ENOENT), (char *)0 : __unravel_locale;
}

/* What runs at the end of the process, last in first out: at a return of `main` and at `exit` (models.rs).
 * Followed are eight functions. */
typedef void (*__unravel_function)(void);
static __unravel_function __unravel_at_exit[8];
static int __unravel_at_exit_count;
void functions_at_exit_beyond_eight(void);

static void __VERIFIER_atomic_unravel_at_exit(__unravel_function function) {
    if (__unravel_at_exit_count == 8)
        functions_at_exit_beyond_eight();
    __unravel_at_exit[__unravel_at_exit_count++] = function;
}
static __unravel_function __VERIFIER_atomic_unravel_next_at_exit(void) {
    return __unravel_at_exit_count ? __unravel_at_exit[--__unravel_at_exit_count] : 0;
}
int atexit(__unravel_function function) {
    __VERIFIER_atomic_unravel_at_exit(function);
    return 0;
}
void __unravel_ends(void) {
    for (__unravel_function next; (next = __VERIFIER_atomic_unravel_next_at_exit());)
        next();
}
