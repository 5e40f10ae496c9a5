/* Numbers: <stdlib.h>, <ctype.h>, <arpa/inet.h>, and what of <math.h> is exact. */
#include "model.h"

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
div_t div(int x, int y) { return (div_t){x / y, x % y}; }
ldiv_t ldiv(long x, long y) { return (ldiv_t){x / y, x % y}; }
lldiv_t lldiv(long long x, long long y) { return (lldiv_t){x / y, x % y}; }

static int __unravel_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

struct __unravel_number {
    unsigned long long magnitude;
    int negative, too_large;
};

/* The subject of C11 7.22.1.4. */
static struct __unravel_number __unravel_parse(const char *s, char **end, int base) {
    const char *start = s;
    struct __unravel_number number = {0, 0, 0};
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return number;
    }
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+')
        number.negative = *s++ == '-';
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && __unravel_digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    const char *digits = s;
    for (; __unravel_digit(*s) < base; s++) {
        unsigned long long value = number.magnitude;
        number.too_large |= __builtin_mul_overflow(value, (unsigned)base, &value);
        number.too_large |= __builtin_add_overflow(value, (unsigned)__unravel_digit(*s), &value);
        number.magnitude = value;
    }
    if (end)
        *end = (char *)(s == digits ? start : s);
    /* Nothing converted: an error that is allowed, and that the GNU C library does not report. */
    if (s == digits && between(0, 0, 1))
        errno = EINVAL;
    return number;
}

static unsigned long long __unravel_unsigned(const char *s, char **end, int base, unsigned long long most) {
    struct __unravel_number number = __unravel_parse(s, end, base);
    if (number.too_large || number.magnitude > most) {
        errno = ERANGE;
        return most;
    }
    return number.negative ? most & -number.magnitude : number.magnitude;
}

static long long __unravel_signed(const char *s, char **end, int base, long long most) {
    struct __unravel_number number = __unravel_parse(s, end, base);
    unsigned long long limit = (unsigned long long)most + (number.negative ? 1 : 0);
    if (number.too_large || number.magnitude > limit) {
        errno = ERANGE;
        number.magnitude = limit;
    }
    return (long long)(number.negative ? -number.magnitude : number.magnitude);
}

unsigned long long strtoull(const char *s, char **end, int base) {
    return __unravel_unsigned(s, end, base, -1ull);
}
unsigned long strtoul(const char *s, char **end, int base) {
    return (unsigned long)__unravel_unsigned(s, end, base, -1ul);
}
long long strtoll(const char *s, char **end, int base) {
    return __unravel_signed(s, end, base, __LONG_LONG_MAX__);
}
long strtol(const char *s, char **end, int base) {
    return (long)__unravel_signed(s, end, base, __LONG_MAX__);
}
int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }
/* The names that <stdlib.h> gives them with C23. */
long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }

/* Characters, in the C locale. That a character is of a class is any value but 0: the bits of the GNU C
 * library (little endian), with which its macros ask, too. */
enum {
    UPPER = 1 << 8, LOWER = 1 << 9, ALPHA = 1 << 10, DIGIT = 1 << 11, XDIGIT = 1 << 12, SPACE = 1 << 13,
    PRINT = 1 << 14, GRAPH = 1 << 15, BLANK = 1 << 0, CNTRL = 1 << 1, PUNCT = 1 << 2, ALNUM = 1 << 3
};

int isdigit(int c) { return c >= '0' && c <= '9' ? DIGIT : 0; }
int isupper(int c) { return c >= 'A' && c <= 'Z' ? UPPER : 0; }
int islower(int c) { return c >= 'a' && c <= 'z' ? LOWER : 0; }
int isalpha(int c) { return isupper(c) || islower(c) ? ALPHA : 0; }
int isalnum(int c) { return isalpha(c) || isdigit(c) ? ALNUM : 0; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r') ? SPACE : 0; }
int isblank(int c) { return c == ' ' || c == '\t' ? BLANK : 0; }
int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127 ? CNTRL : 0; }
int isprint(int c) { return c >= ' ' && c < 127 ? PRINT : 0; }
int isgraph(int c) { return c > ' ' && c < 127 ? GRAPH : 0; }
int ispunct(int c) { return isgraph(c) && !isalnum(c) ? PUNCT : 0; }
int isxdigit(int c) { return isdigit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f') ? XDIGIT : 0; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

/* For characters from -128 to 255, as the macros of <ctype.h> index them. */
#define TIMES_2(x) x, x
#define TIMES_4(x) TIMES_2(x), TIMES_2(x)
#define TIMES_6(x) TIMES_4(x), TIMES_2(x)
#define TIMES_7(x) TIMES_6(x), x
#define TIMES_8(x) TIMES_4(x), TIMES_4(x)
#define TIMES_10(x) TIMES_8(x), TIMES_2(x)
#define TIMES_15(x) TIMES_8(x), TIMES_7(x)
#define TIMES_18(x) TIMES_10(x), TIMES_8(x)
#define TIMES_20(x) TIMES_10(x), TIMES_10(x)
#define TIMES_128(x) TIMES_20(x), TIMES_20(x), TIMES_20(x), TIMES_20(x), TIMES_20(x), TIMES_20(x), TIMES_8(x)
#define MARK (PUNCT | PRINT | GRAPH)
#define SPACING (CNTRL | SPACE)
#define CAPITAL (UPPER | ALPHA | ALNUM | PRINT | GRAPH)
#define SMALL (LOWER | ALPHA | ALNUM | PRINT | GRAPH)

static const unsigned short __unravel_classes[384] = {
    TIMES_128(0),
    TIMES_8(CNTRL), CNTRL, SPACING | BLANK, TIMES_4(SPACING), TIMES_18(CNTRL),
    SPACE | PRINT | BLANK, TIMES_15(MARK),
    TIMES_10((DIGIT | XDIGIT | ALNUM | PRINT | GRAPH)), TIMES_7(MARK),
    TIMES_6((CAPITAL | XDIGIT)), TIMES_20(CAPITAL), TIMES_6(MARK),
    TIMES_6((SMALL | XDIGIT)), TIMES_20(SMALL), TIMES_4(MARK), CNTRL,
};
static const unsigned short *__unravel_class = __unravel_classes + 128;
const unsigned short **__ctype_b_loc(void) { return &__unravel_class; }

unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }
unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }

/* Square roots and remainders are exact; what is not defined sets `errno`. */
#define NOT_DEFINED(condition) \
    if (condition) \
        errno = EDOM;
double sqrt(double x) {
    NOT_DEFINED(x < 0)
    return __builtin_elementwise_sqrt(x);
}
float sqrtf(float x) {
    NOT_DEFINED(x < 0)
    return __builtin_elementwise_sqrt(x);
}
double __unravel_fmod(double x, double y);
float __unravel_fmodf(float x, float y);
double fmod(double x, double y) {
    NOT_DEFINED(x - x != 0 && x == x && y == y)
    NOT_DEFINED(y == 0 && x == x)
    return __unravel_fmod(x, y);
}
float fmodf(float x, float y) {
    NOT_DEFINED(x - x != 0 && x == x && y == y)
    NOT_DEFINED(y == 0 && x == x)
    return __unravel_fmodf(x, y);
}
double fdim(double x, double y) { return x <= y ? 0 : x - y; }
float fdimf(float x, float y) { return x <= y ? 0 : x - y; }
