/* Models of functions of <string.h>, <stdlib.h>, <ctype.h> and <getopt.h>, as ordinary code: every access to
 * memory is a step that other threads can come between, as in reality.
 *
 * This file is not compiled with Unravel. `make models` lowers it to the text form of the IR, once
 * per pointer width (cstring64.ir, cstring32.ir); a test checks that these are up to date.
 */
typedef __SIZE_TYPE__ size_t;

void *malloc(size_t size);

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

int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

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
static char *strtok_rest;

char *strtok(char *s, const char *delimiters) { return strtok_r(s, delimiters, &strtok_rest); }

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

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

static unsigned long long parse(const char *s, char **end, int base, int *negative) {
    const char *start = s;
    *negative = 0;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+')
        *negative = *s++ == '-';
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    unsigned long long value = 0;
    const char *digits = s;
    for (; digit(*s) < base; s++)
        value = value * (unsigned)base + (unsigned)digit(*s);
    if (end)
        *end = (char *)(s == digits ? start : s);
    return value;
}

unsigned long long strtoull(const char *s, char **end, int base) {
    int negative;
    unsigned long long value = parse(s, end, base, &negative);
    return negative ? -value : value;
}

/* Values out of range are cut off here, where the real functions report ERANGE. */
long long strtoll(const char *s, char **end, int base) { return (long long)strtoull(s, end, base); }
long strtol(const char *s, char **end, int base) { return (long)strtoull(s, end, base); }
unsigned long strtoul(const char *s, char **end, int base) {
    return (unsigned long)strtoull(s, end, base);
}
int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void swap(char *a, char *b, size_t size) {
    for (; size; size--, a++, b++) {
        char kept = *a;
        *a = *b;
        *b = kept;
    }
}

/* The order of equal elements is unspecified; this one keeps it. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *first = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0; j--) {
            char *here = first + j * size;
            if (compare(here - size, here) <= 0)
                break;
            swap(here - size, here, size);
        }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    const char *first = base;
    while (count) {
        const char *middle = first + count / 2 * size;
        int order = compare(key, middle);
        if (!order)
            return (void *)middle;
        if (order > 0) {
            first = middle + size;
            count--;
        }
        count /= 2;
    }
    return 0;
}

int main(void) { return 0; }

/* As in the GNU C library: operands in front of an option change places with it. What is wrong is
 * returned, and not printed; the places are changed at once, so `optind` lags behind between calls. */
char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static int getopt_at;

static int is_option(const char *word) { return word[0] == '-' && word[1]; }

static const char *option_in(const char *options, char c) {
    while (*options == '+' || *options == '-' || *options == ':')
        options++;
    for (; *options; options++)
        if (*options == c && c != ':')
            return options;
    return 0;
}

/* Brings the word at `from` to `to`, those between one further. */
static void bring(char **words, int from, int to) {
    char *word = words[from];
    for (; from > to; from--)
        words[from] = words[from - 1];
    if (words[to] != word)
        words[to] = word;
}

/* Whether the next word belongs to this one, which holds options. */
static int wants_next(const char *word, const char *options) {
    for (word++; *word; word++) {
        const char *known = option_in(options, *word);
        if (known && known[1] == ':')
            return !word[1] && known[2] != ':';
    }
    return 0;
}

static int next_options(int argc, char **argv, const char *options) {
    int found = optind;
    while (found < argc && !is_option(argv[found]) && *options != '+')
        found++;
    if (found >= argc || !is_option(argv[found]))
        return 0;
    bring(argv, found, optind);
    if (argv[optind][1] == '-' && !argv[optind][2]) {
        optind++;
        return 0;
    }
    if (wants_next(argv[optind], options) && found + 1 < argc)
        bring(argv, found + 1, optind + 1);
    return 1;
}

int getopt(int argc, char *const argv[], const char *options) {
    optarg = 0;
    if (optind == 0) {
        optind = 1;
        getopt_at = 0;
    }
    if (getopt_at == 0) {
        if (!next_options(argc, (char **)argv, options))
            return -1;
        getopt_at = 1;
    }
    const char *word = argv[optind];
    char c = word[getopt_at++];
    const char *known = option_in(options, c);
    int is_last = !word[getopt_at];
    if (known && known[1] == ':') {
        if (!is_last)
            optarg = (char *)&word[getopt_at];
        else if (known[2] != ':' && optind + 1 < argc)
            optarg = argv[++optind];
        is_last = 1;
    }
    if (is_last) {
        optind++;
        getopt_at = 0;
    }
    if (known && (known[1] != ':' || known[2] == ':' || optarg))
        return c;
    optopt = c;
    return known && options[*options == '+' || *options == '-'] == ':' ? ':' : '?';
}
