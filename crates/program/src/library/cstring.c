/* <string.h>, <strings.h> and <getopt.h>. */
#include "model.h"

int tolower(int c);

int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *p = a, *q = b;
    for (; n; n--, p++, q++) {
        unsigned char x = *p, y = *q;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    for (; n; n--, p++)
        if (*p == (unsigned char)c)
            return (void *)p;
    return 0;
}

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t strnlen(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

int strncmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++) {
        unsigned char x = *a, y = *b;
        if (x != y)
            return x < y ? -1 : 1;
        if (!x)
            return 0;
    }
    return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, (size_t)-1); }

int strncasecmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++) {
        int x = tolower((unsigned char)*a), y = tolower((unsigned char)*b);
        if (x != y)
            return x - y;
        if (!x)
            return 0;
    }
    return 0;
}

int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, (size_t)-1); }

char *stpcpy(char *to, const char *from) {
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *to, const char *from) {
    stpcpy(to, from);
    return to;
}

char *strncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *strcat(char *to, const char *from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t n) {
    char *end = to + strlen(to);
    size_t i = 0;
    for (; i < n && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

char *strchr(const char *s, int c) {
    for (;; s++) {
        char here = *s;
        if (here == (char)c)
            return (char *)s;
        if (!here)
            return 0;
    }
}

char *strrchr(const char *s, int c) {
    const char *found = 0;
    for (;; s++) {
        char here = *s;
        if (here == (char)c)
            found = s;
        if (!here)
            return (char *)found;
    }
}

size_t strspn(const char *s, const char *accept) {
    size_t n = 0;
    while (s[n] && strchr(accept, s[n]))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *reject) {
    size_t n = 0;
    while (s[n] && !strchr(reject, s[n]))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *accept) {
    s += strcspn(s, accept);
    return *s ? (char *)s : 0;
}

char *strstr(const char *s, const char *part) {
    size_t n = strlen(part);
    for (;; s++) {
        if (!strncmp(s, part, n))
            return (char *)s;
        if (!*s)
            return 0;
    }
}

char *strtok_r(char *s, const char *delimiters, char **rest) {
    if (!s)
        s = *rest;
    s += strspn(s, delimiters);
    if (!*s) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, delimiters);
    if (*end)
        *end++ = 0;
    *rest = end;
    return s;
}

/* Shared by all threads, as the real one is. */
static char *__unravel_state_of_strtok;

char *strtok(char *s, const char *delimiters) { return strtok_r(s, delimiters, &__unravel_state_of_strtok); }

char *strdup(const char *s) {
    char *copy = malloc(strlen(s) + 1);
    return copy ? strcpy(copy, s) : 0;
}

char *strndup(const char *s, size_t most) {
    size_t n = strnlen(s, most);
    char *copy = malloc(n + 1);
    if (!copy)
        return 0;
    copy[n] = 0;
    return strncpy(copy, s, n);
}

/* As in the GNU C library: operands in front of an option change places with it. What is wrong is
 * returned, and not printed; the places are changed at once, so `optind` lags behind between calls. */
char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static int __unravel_getopt_at;

static int __unravel_is_option(const char *word) { return word[0] == '-' && word[1]; }

static const char *__unravel_option_in(const char *options, char c) {
    while (*options == '+' || *options == '-' || *options == ':')
        options++;
    for (; *options; options++)
        if (*options == c && c != ':')
            return options;
    return 0;
}

/* Brings the word at `from` to `to`, those between one further. */
static void __unravel_bring(char **words, int from, int to) {
    char *word = words[from];
    for (; from > to; from--)
        words[from] = words[from - 1];
    if (words[to] != word)
        words[to] = word;
}

/* Long options: those of a call of `getopt_long` that is going on. */
struct __unravel_long_option {
    const char *name;
    int argument;
    int *flag, value;
};
typedef struct __unravel_long_option Long;
enum { NO_ARGUMENT = 0, WITH_ARGUMENT = 1 };

static int __unravel_is_long(const char *word) { return word[0] == '-' && word[1] == '-' && word[2]; }

/* How many letters of a long option there are before its argument. */
static size_t __unravel_long_length(const char *name) {
    size_t n = 0;
    while (name[n] && name[n] != '=')
        n++;
    return n;
}

/* The number of a long option, by its name or by the beginning of only one; -1 if there is none. */
static int __unravel_long_option(const char *name, const Long *all) {
    size_t length = __unravel_long_length(name);
    int found = -1;
    for (int i = 0; all[i].name; i++)
        if (!strncmp(all[i].name, name, length)) {
            if (!all[i].name[length])
                return i;
            found = found == -1 ? i : -2;
        }
    return found < 0 ? -1 : found;
}

/* Whether the next word belongs to this one, which holds options. */
static int __unravel_wants_next(const char *word, const char *options, const Long *all) {
    if (all && __unravel_is_long(word)) {
        int found = __unravel_long_option(word + 2, all);
        return found >= 0 && all[found].argument == WITH_ARGUMENT && !word[2 + __unravel_long_length(word + 2)];
    }
    for (word++; *word; word++) {
        const char *known = __unravel_option_in(options, *word);
        if (known && known[1] == ':')
            return !word[1] && known[2] != ':';
    }
    return 0;
}

static int __unravel_next_options(int argc, char **argv, const char *options, const Long *all) {
    int found = optind;
    while (found < argc && !__unravel_is_option(argv[found]) && *options != '+')
        found++;
    if (found >= argc || !__unravel_is_option(argv[found]))
        return 0;
    __unravel_bring(argv, found, optind);
    if (argv[optind][1] == '-' && !argv[optind][2]) {
        optind++;
        return 0;
    }
    if (__unravel_wants_next(argv[optind], options, all) && found + 1 < argc)
        __unravel_bring(argv, found + 1, optind + 1);
    return 1;
}

/* A word that is a long option, with its argument. */
static int __unravel_get_long(int argc, char *const argv[], const char *options, const Long *all, int *index) {
    const char *name = argv[optind++] + 2;
    const char *argument = name + __unravel_long_length(name);
    int found = __unravel_long_option(name, all);
    optopt = 0;
    if (found < 0)
        return '?';
    const Long *option = &all[found];
    optopt = option->value;
    if (*argument) {
        if (option->argument == NO_ARGUMENT)
            return '?';
        optarg = (char *)argument + 1;
    } else if (option->argument == WITH_ARGUMENT) {
        if (optind >= argc)
            return options[*options == '+' || *options == '-'] == ':' ? ':' : '?';
        optarg = argv[optind++];
    }
    if (index)
        *index = found;
    if (!option->flag)
        return option->value;
    *option->flag = option->value;
    return 0;
}

int getopt_long(int argc, char *const argv[], const char *options, const Long *all, int *index) {
    optarg = 0;
    if (optind == 0) {
        optind = 1;
        __unravel_getopt_at = 0;
    }
    if (__unravel_getopt_at == 0) {
        if (!__unravel_next_options(argc, (char **)argv, options, all))
            return -1;
        if (all && __unravel_is_long(argv[optind]))
            return __unravel_get_long(argc, argv, options, all, index);
        __unravel_getopt_at = 1;
    }
    const char *word = argv[optind];
    char c = word[__unravel_getopt_at++];
    const char *known = __unravel_option_in(options, c);
    int is_last = !word[__unravel_getopt_at];
    if (known && known[1] == ':') {
        if (!is_last)
            optarg = (char *)&word[__unravel_getopt_at];
        else if (known[2] != ':' && optind + 1 < argc)
            optarg = argv[++optind];
        is_last = 1;
    }
    if (is_last) {
        optind++;
        __unravel_getopt_at = 0;
    }
    if (known && (known[1] != ':' || known[2] == ':' || optarg))
        return c;
    optopt = c;
    return known && options[*options == '+' || *options == '-'] == ':' ? ':' : '?';
}
int getopt(int argc, char *const argv[], const char *options) { return getopt_long(argc, argv, options, 0, 0); }
