/* <stdio.h> and <syslog.h>: what prints, and what writes text to memory.
 *
 * A call with a constant format becomes a sequence of calls of the functions below, one for each piece of the
 * format (models/formats.rs). Each of them takes where the text has got to, and returns where it is then.
 * Flags and the letter of a conversion come as one number; a width below 0 means: to the left.
 */
#include "model.h"

size_t strnlen(const char *s, size_t most);

/* What is printed is collected for those who show a run; nobody else asks for it. */
void __unravel_shows_byte(int c);
void __unravel_shows_padding(unsigned spec, int width);
void __unravel_shows_line(int is_stdout, const void *stream, const void *standard);

enum { LETTER = 0xff, LEFT = 0x100, PLUS = 0x200, BLANK_SIGN = 0x400, ALTERNATE = 0x800, ZERO = 0x1000, WIDE = 0x2000 };

static size_t __unravel_least(size_t n, int width) {
    size_t least = width < 0 ? -(size_t)width : (size_t)width;
    return n < least ? least : n;
}
static int __unravel_width(unsigned spec, int width) { return (spec & LEFT) && width > 0 ? -width : width; }

/* A text that is printed: how long it is then. */
size_t __unravel_print_text(unsigned spec, int width, int precision, const char *s) {
    size_t n = 0, most = (size_t)(ssize_t)precision;
    for (char c; n < most && (c = s[n]); n++)
        __unravel_shows_byte(c);
    __unravel_shows_padding(spec, width);
    return __unravel_least(n, width);
}

/* How long a number of so many digits is. */
static size_t __unravel_number_length(unsigned spec, int width, int precision, int digits, int is_negative) {
    unsigned letter = spec & LETTER;
    int is_signed = letter == 'd' || letter == 'i';
    int prefix = is_signed && (is_negative || (spec & (PLUS | BLANK_SIGN)));
    if ((spec & ALTERNATE) && (letter == 'x' || letter == 'X'))
        prefix = digits ? 2 : 0;
    int least = precision < 0 ? 1 : precision;
    int all = digits < least ? least : digits;
    if ((spec & ALTERNATE) && letter == 'o')
        all += digits == all;
    return __unravel_least((size_t)(prefix + all), width);
}

/* How many digits a number has; none for 0. Without divisions, which are hard. */
static int __unravel_digits(unsigned letter, unsigned long long x) {
    int digits = 0;
    if (letter == 'x' || letter == 'X') {
        for (int i = 0; i < 16; i++)
            digits += x >> (4 * i) != 0;
    } else if (letter == 'o') {
        for (int i = 0; i < 22; i++)
            digits += x >> (3 * i) != 0;
    } else {
        unsigned long long power = 1;
        for (int i = 0; i < 20; i++) {
            digits += x >= power;
            power *= 10;
        }
    }
    return digits;
}
static int __unravel_is_negative(unsigned spec, unsigned long long bits) {
    unsigned letter = spec & LETTER;
    return (letter == 'd' || letter == 'i') && (long long)bits < 0;
}
size_t __unravel_print_number(unsigned spec, int width, int precision, unsigned long long bits) {
    int is_negative = __unravel_is_negative(spec, bits);
    int digits = __unravel_digits(spec & LETTER, is_negative ? -bits : bits);
    return __unravel_number_length(spec, width, precision, digits, is_negative);
}
size_t __unravel_print_character(unsigned spec, int width) {
    (void)spec;
    return __unravel_least(1, width);
}

/* Where a call that prints ends; what it leaves in `errno` comes after it (models.rs). */
static void *__unravel_stdout(void);
static int __unravel_ends_line(int is_stdout, const void *stream, size_t n) {
    __unravel_shows_line(is_stdout, stream, __unravel_stdout());
    return DONE((int)n);
}
int __unravel_printed(size_t n) { return __unravel_ends_line(1, 0, n); }
int __unravel_printed_to(const void *stream, size_t n) { return __unravel_ends_line(0, stream, n); }
int __unravel_printed_to_descriptor(int descriptor, size_t n) { return __unravel_ends_line(descriptor == 1, 0, n); }

int fputs(const char *s, void *stream) {
    __unravel_print_text(0, 0, -1, s);
    return __unravel_ends_line(0, stream, 1);
}
int puts(const char *s) {
    size_t n = __unravel_print_text(0, 0, -1, s);
    __unravel_shows_byte('\n');
    return __unravel_ends_line(1, 0, n + 1);
}
int fputc(int c, void *stream) {
    __unravel_shows_byte(c);
    return __unravel_ends_line(0, stream, (unsigned char)c);
}
int putc(int c, void *stream) { return fputc(c, stream); }
int putchar(int c) {
    __unravel_shows_byte(c);
    return __unravel_ends_line(1, 0, (unsigned char)c);
}
void perror(const char *s) {
    if (s)
        __unravel_print_text(0, 0, -1, s);
    __unravel_ends_line(0, 0, 0);
}

/* Text that goes to memory, of which `size` bytes with the end are kept. */
static void __unravel_put(char *to, size_t size, size_t at, char c) {
    if (at + 1 < size)
        to[at] = c;
}
size_t __unravel_put_literal(char *to, size_t size, size_t at, const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        __unravel_put(to, size, at + i, s[i]);
    return at + n;
}
static size_t __unravel_put_blanks(char *to, size_t size, size_t at, size_t n, int width) {
    size_t all = __unravel_least(n, width);
    for (size_t i = n; i < all; i++)
        __unravel_put(to, size, at + i - n, ' ');
    return at + all - n;
}
size_t __unravel_put_text(char *to, size_t size, size_t at, unsigned spec, int width, int precision, const char *s) {
    size_t n = 0, most = (size_t)(ssize_t)precision;
    width = __unravel_width(spec, width);
    /* Its length is wanted first, as in the GNU C library. */
    if (width > 0) {
        most = strnlen(s, most);
        at = __unravel_put_blanks(to, size, at, most, width);
    }
    for (char c; n < most && (c = s[n]); n++)
        __unravel_put(to, size, at + n, c);
    return width < 0 ? __unravel_put_blanks(to, size, at + n, n, width) : at + n;
}
size_t __unravel_put_character(char *to, size_t size, size_t at, unsigned spec, int width, int c) {
    width = __unravel_width(spec, width);
    if (width > 0)
        at = __unravel_put_blanks(to, size, at, 1, width);
    __unravel_put(to, size, at, (char)c);
    return width < 0 ? __unravel_put_blanks(to, size, at + 1, 1, width) : at + 1;
}

/* The digits of a number in four bits each, low ones first. */
struct __unravel_number_digits {
    unsigned long long low, high;
};
static char __unravel_digit_at(struct __unravel_number_digits digits, int at, int is_upper) {
    if (at < 0 || at > 30)
        return '0';
    int digit = (int)(at < 16 ? digits.low >> (4 * at) : digits.high >> (4 * (at - 16))) & 15;
    return (char)(digit + (digit < 10 ? '0' : is_upper ? 'A' - 10 : 'a' - 10));
}

/* Places that a number of any value may take, where neither width nor precision ask for more. */
enum { MOST_PLACES = 24 };

/* A number, from its digits: each place is written if the number has so many. */
static size_t __unravel_put_digits(char *to, size_t size, size_t at, unsigned spec, int width, int precision,
                                   struct __unravel_number_digits digits, int count, int is_negative) {
    unsigned letter = spec & LETTER;
    int is_signed = letter == 'd' || letter == 'i', is_hexadecimal = letter == 'x' || letter == 'X';
    char sign = is_negative ? '-' : (spec & PLUS) ? '+' : (spec & BLANK_SIGN) ? ' ' : 0;
    int prefix = is_signed ? sign != 0 : is_hexadecimal && (spec & ALTERNATE) && count ? 2 : 0;
    int bare = (int)__unravel_number_length(spec, 0, precision, count, is_negative);
    int all = (int)__unravel_least((size_t)bare, width);
    int is_left = (spec & LEFT) || width < 0;
    int pad = is_left ? 0 : all - bare;
    if ((spec & ZERO) && !is_left && precision < 0) {
        bare = all;
        pad = 0;
    }
    int most = (int)__unravel_least((size_t)(precision < 0 ? MOST_PLACES : precision + MOST_PLACES), width);
    for (int i = 0; i < most; i++) {
        int place = i - pad;
        char c = __unravel_digit_at(digits, bare - 1 - place, letter == 'X');
        c = place < prefix ? (is_signed ? sign : place ? (char)letter : '0') : c;
        c = place < 0 || place >= bare ? ' ' : c;
        if (i < all)
            __unravel_put(to, size, at + (size_t)i, c);
    }
    return at + (size_t)all;
}

/* Narrow numbers are easier. */
#define DIGITS(name, type, most) \
    static struct __unravel_number_digits name(unsigned letter, type x) { \
        struct __unravel_number_digits digits = {0, 0}; \
        int is_decimal = letter != 'x' && letter != 'X' && letter != 'o'; \
        for (int i = 0; i < most; i++) { \
            unsigned long long digit = is_decimal ? x % 10 : letter == 'o' ? x & 7 : x & 15; \
            x = is_decimal ? x / 10 : letter == 'o' ? x >> 3 : x >> 4; \
            if (i < 16) \
                digits.low |= digit << (4 * i); \
            else \
                digits.high |= digit << (4 * (i - 16)); \
        } \
        return digits; \
    }
DIGITS(__unravel_narrow_digits, unsigned, 11)
DIGITS(__unravel_wide_digits, unsigned long long, 22)

size_t __unravel_put_number(char *to, size_t size, size_t at, unsigned spec, int width, int precision,
                            unsigned long long bits) {
    int is_negative = __unravel_is_negative(spec, bits);
    unsigned letter = spec & LETTER;
    unsigned long long x = is_negative ? -bits : bits;
    struct __unravel_number_digits digits =
        (spec & WIDE) ? __unravel_wide_digits(letter, x) : __unravel_narrow_digits(letter, (unsigned)x);
    return __unravel_put_digits(to, size, at, spec, width, precision, digits, __unravel_digits(letter, x),
                                is_negative);
}
int __unravel_put_end(char *to, size_t size, size_t at) {
    if (size)
        to[at < size ? at : size - 1] = 0;
    return (int)at;
}
