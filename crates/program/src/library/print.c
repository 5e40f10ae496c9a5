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
    return (int)n;
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

/* Formats that are read while the program runs. */
struct __unravel_arguments {
    __builtin_va_list list;
};
struct __unravel_conversion {
    unsigned spec;
    int width, precision, bytes;
};
void an_unknown_conversion_of_a_format(void);
void a_float_in_a_text_in_memory(void);
void the_length_of_a_float_in_a_text(void);
void a_pointer_in_a_text_in_memory(void);
void __unravel_shows_number(unsigned spec, int width, int precision, unsigned long long bits);

/* Where a text goes, and whether its length counts. */
enum { TO_MEMORY, COUNTED, NOT_COUNTED };

static int __unravel_is_flag(char c) { return c == '-' || c == '+' || c == ' ' || c == '#' || c == '0'; }
static unsigned __unravel_flag(char c) {
    return c == '-' ? LEFT : c == '+' ? PLUS : c == ' ' ? BLANK_SIGN : c == '#' ? ALTERNATE : ZERO;
}
static const char *__unravel_count(const char *format, int *count, struct __unravel_arguments *arguments) {
    if (*format == '*') {
        *count = __builtin_va_arg(arguments->list, int);
        return format + 1;
    }
    for (*count = 0; *format >= '0' && *format <= '9'; format++)
        *count = *count * 10 + (*format - '0');
    return format;
}
/* Reads a conversion to its letter, at which it stops. */
static const char *__unravel_conversion(const char *format, struct __unravel_conversion *conversion,
                                        struct __unravel_arguments *arguments) {
    unsigned spec = 0;
    int bytes = sizeof(int);
    for (; __unravel_is_flag(*format); format++)
        spec |= __unravel_flag(*format);
    format = __unravel_count(format, &conversion->width, arguments);
    conversion->precision = -1;
    if (*format == '.')
        format = __unravel_count(format + 1, &conversion->precision, arguments);
    for (;; format++) {
        if (*format == 'l' && (format[1] == 's' || format[1] == 'c'))
            an_unknown_conversion_of_a_format();
        if (*format == 'h')
            bytes = bytes == sizeof(int) ? 2 : 1;
        else if (*format == 'l')
            bytes = bytes == sizeof(int) ? sizeof(long) : 8;
        else if (*format == 'z' || *format == 't')
            bytes = sizeof(size_t);
        else if (*format == 'j' || *format == 'q')
            bytes = 8;
        else
            break;
        /* The same as `int` there, and yet not. */
        if (*format == 'l' && sizeof(long) == sizeof(int) && format[1] == 'l') {
            bytes = 8;
            format++;
        }
    }
    conversion->bytes = bytes;
    conversion->spec = spec | (unsigned char)*format | (bytes == 8 ? WIDE : 0);
    return format;
}
static unsigned long long __unravel_integer(const struct __unravel_conversion *conversion,
                                            struct __unravel_arguments *arguments) {
    unsigned letter = conversion->spec & LETTER;
    int is_signed = letter == 'd' || letter == 'i';
    if (conversion->bytes == 8) {
        unsigned long long wide = __builtin_va_arg(arguments->list, unsigned long long);
        return wide;
    }
    unsigned narrow = __builtin_va_arg(arguments->list, unsigned);
    if (conversion->bytes == 1)
        return is_signed ? (unsigned long long)(signed char)narrow : (unsigned char)narrow;
    if (conversion->bytes == 2)
        return is_signed ? (unsigned long long)(short)narrow : (unsigned short)narrow;
    return is_signed ? (unsigned long long)(int)narrow : narrow;
}
static size_t __unravel_formats_number(char *to, size_t size, size_t at, int kind,
                                       const struct __unravel_conversion *conversion, unsigned long long bits) {
    unsigned spec = conversion->spec;
    int width = conversion->width, precision = conversion->precision;
    if (kind == TO_MEMORY)
        return __unravel_put_number(to, size, at, spec, width, precision, bits);
    __unravel_shows_number(spec, width, precision, bits);
    return kind == COUNTED ? at + __unravel_print_number(spec, width, precision, bits) : 0;
}
static size_t __unravel_formats_character(char *to, size_t size, size_t at, int kind,
                                          const struct __unravel_conversion *conversion, int c) {
    unsigned spec = conversion->spec;
    if (kind == TO_MEMORY)
        return __unravel_put_character(to, size, at, spec, conversion->width, c);
    __unravel_shows_number(spec, conversion->width, 0, (unsigned char)c);
    return at + __unravel_print_character(spec, conversion->width);
}
static size_t __unravel_formats_text(char *to, size_t size, size_t at, int kind,
                                     const struct __unravel_conversion *conversion, const char *s) {
    unsigned spec = conversion->spec;
    int width = conversion->width, precision = conversion->precision;
    if (kind == TO_MEMORY)
        return __unravel_put_text(to, size, at, spec, width, precision, s);
    return at + __unravel_print_text(spec, width, precision, s);
}
/* What can be printed, but whose length is not known. */
static void __unravel_formats_other(int kind, const struct __unravel_conversion *conversion,
                                    struct __unravel_arguments *arguments) {
    typedef void (*shows_float)(unsigned, int, int, double);
    typedef void (*shows_pointer)(unsigned, int, int, void *);
    unsigned spec = conversion->spec;
    int is_pointer = (spec & LETTER) == 'p';
    if (kind == TO_MEMORY)
        is_pointer ? a_pointer_in_a_text_in_memory() : a_float_in_a_text_in_memory();
    if (kind == COUNTED)
        the_length_of_a_float_in_a_text();
    if (is_pointer) {
        void *pointer = __builtin_va_arg(arguments->list, void *);
        ((shows_pointer)__unravel_shows_number)(spec, conversion->width, conversion->precision, pointer);
    } else {
        double number = __builtin_va_arg(arguments->list, double);
        ((shows_float)__unravel_shows_number)(spec, conversion->width, conversion->precision, number);
    }
}
static size_t __unravel_formats(char *to, size_t size, size_t at, int kind,
                                const struct __unravel_conversion *conversion,
                                struct __unravel_arguments *arguments) {
    switch (conversion->spec & LETTER) {
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': {
        unsigned long long bits = __unravel_integer(conversion, arguments);
        return __unravel_formats_number(to, size, at, kind, conversion, bits);
    }
    case 'c': {
        int c = __builtin_va_arg(arguments->list, int);
        return __unravel_formats_character(to, size, at, kind, conversion, c);
    }
    case 's': {
        const char *s = __builtin_va_arg(arguments->list, const char *);
        return __unravel_formats_text(to, size, at, kind, conversion, s);
    }
    case 'p': case 'f': case 'F': case 'e': case 'E': case 'g': case 'G':
        __unravel_formats_other(kind, conversion, arguments);
        return at;
    default:
        an_unknown_conversion_of_a_format();
        return at;
    }
}
static size_t __unravel_format(char *to, size_t size, int kind, const char *format, __builtin_va_list list) {
    struct __unravel_arguments arguments;
    size_t at = 0;
    __builtin_va_copy(arguments.list, list);
    for (; *format; format++) {
        if (*format == '%' && format[1] != '%') {
            struct __unravel_conversion conversion;
            if (kind != TO_MEMORY)
                __unravel_shows_padding(0, 0);
            format = __unravel_conversion(format + 1, &conversion, &arguments);
            at = __unravel_formats(to, size, at, kind, &conversion, &arguments);
            continue;
        }
        if (*format == '%')
            format++;
        if (kind == TO_MEMORY)
            __unravel_put(to, size, at, *format);
        else
            __unravel_shows_byte(*format);
        at++;
    }
    if (kind != TO_MEMORY)
        __unravel_shows_padding(0, 0);
    __builtin_va_end(arguments.list);
    return at;
}

int vsnprintf(char *to, size_t size, const char *format, __builtin_va_list list) {
    return __unravel_put_end(to, size, __unravel_format(to, size, TO_MEMORY, format, list));
}
int vsprintf(char *to, const char *format, __builtin_va_list list) {
    return vsnprintf(to, (size_t)-1, format, list);
}
#define PRINTING(prefix, kind) \
    int prefix##vprintf(const char *format, __builtin_va_list list) { \
        return __unravel_printed(__unravel_format(0, 0, kind, format, list)); \
    } \
    int prefix##vfprintf(void *stream, const char *format, __builtin_va_list list) { \
        return __unravel_printed_to(stream, __unravel_format(0, 0, kind, format, list)); \
    } \
    int prefix##vdprintf(int descriptor, const char *format, __builtin_va_list list) { \
        return __unravel_printed_to_descriptor(descriptor, __unravel_format(0, 0, kind, format, list)); \
    }
PRINTING(, COUNTED)
PRINTING(__unravel_unasked_, NOT_COUNTED)
void vsyslog(int priority, const char *format, __builtin_va_list list) {
    (void)priority;
    __unravel_unasked_vdprintf(0, format, list);
}

#define WITH_LIST(call) \
    __builtin_va_list list; \
    __builtin_va_start(list, format); \
    int n = call; \
    __builtin_va_end(list); \
    return n;
#define FORMATTING(prefix, v) \
    int prefix##printf(const char *format, ...) { WITH_LIST(v##vprintf(format, list)) } \
    int prefix##fprintf(void *stream, const char *format, ...) { WITH_LIST(v##vfprintf(stream, format, list)) } \
    int prefix##dprintf(int descriptor, const char *format, ...) { WITH_LIST(v##vdprintf(descriptor, format, list)) }
FORMATTING(__unravel_, )
FORMATTING(__unravel_unasked_, __unravel_unasked_)
int __unravel_snprintf(char *to, size_t size, const char *format, ...) {
    WITH_LIST(vsnprintf(to, size, format, list))
}
int __unravel_sprintf(char *to, const char *format, ...) { WITH_LIST(vsprintf(to, format, list)) }
void __unravel_syslog(int priority, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    vsyslog(priority, format, list);
    __builtin_va_end(list);
}

int vasprintf(char **to, const char *format, __builtin_va_list list) {
    int n = vsnprintf(0, 0, format, list);
    char *made = malloc((size_t)n + 1);
    if (!made)
        return -1;
    *to = made;
    return vsnprintf(made, (size_t)n + 1, format, list);
}
int asprintf(char **to, const char *format, ...) { WITH_LIST(vasprintf(to, format, list)) }
