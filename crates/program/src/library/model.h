/* What the models of library functions are made of.
 *
 * Names that begin with `__unravel_` are for the models alone: no call in a program is taken for one.
 */
#ifndef MODEL_H
#define MODEL_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void free(void *block);
int *__errno_location(void);
#define errno (*__errno_location())

enum {
    EPERM = 1, ENOENT = 2, ESRCH = 3, EINTR = 4, EIO = 5, ENXIO = 6, E2BIG = 7, EBADF = 9, EAGAIN = 11,
    ENOMEM = 12, EACCES = 13, EFAULT = 14, EBUSY = 16, EEXIST = 17, EXDEV = 18, ENODEV = 19, ENOTDIR = 20,
    EISDIR = 21, EINVAL = 22, ENFILE = 23, EMFILE = 24, ENOTTY = 25, ETXTBSY = 26, EFBIG = 27, ENOSPC = 28,
    ESPIPE = 29, EROFS = 30, EMLINK = 31, EPIPE = 32, EDOM = 33, ERANGE = 34, ENAMETOOLONG = 36,
    ENOTEMPTY = 39, ELOOP = 40, EOVERFLOW = 75, ENOTSOCK = 88, EDESTADDRREQ = 89, EMSGSIZE = 90,
    EPROTONOSUPPORT = 93, EOPNOTSUPP = 95, EAFNOSUPPORT = 97, ENETDOWN = 100, ENETUNREACH = 101,
    ECONNRESET = 104, ENOBUFS = 105, EISCONN = 106, ENOTCONN = 107, ETIMEDOUT = 110, ECONNREFUSED = 111,
    EHOSTUNREACH = 113, EDQUOT = 122, LAST_ERROR = 133
};

/* A value that the outside decides, from `low` to `high`; where nothing is asked for, `ordinary`. */
long long __unravel_between(long long ordinary, long long low, long long high);
#define between __unravel_between

/* Whether calls that the outside can let fail succeed: 1 with `--assume-calls-succeed` (models.rs). */
static int __unravel_calls_succeed(void) { return 0; }

/* Whether this call fails for a reason that lies outside the program. */
#define may_fail() between(0, 0, !__unravel_calls_succeed())

/* How many of `n` bytes went through: at most all, and -1 for a failure. */
#define between_failure_and(n) \
    between((long long)(n), __unravel_calls_succeed() ? (long long)(n) : -1, (long long)(n))

/* Reads `n` bytes, in words, and makes nothing of them. */
static void __unravel_reads(const void *from, size_t n) {
    const char *at = from;
    for (; n > 4096; n -= 4096, at += 4096) {
        char page[4096];
        __builtin_memcpy(page, at, 4096);
    }
    if (n) {
        char sink[n];
        __builtin_memcpy(sink, at, n);
    }
}
#define reads __unravel_reads

/* Writes `n` bytes that the outside decides: those of a variable without a value. */
static void __unravel_writes(void *to, size_t n) {
    char *at = to;
    for (; n > 4096; n -= 4096, at += 4096) {
        char page[4096];
        __builtin_memcpy(at, page, 4096);
    }
    if (n) {
        char source[n];
        __builtin_memcpy(at, source, n);
    }
}
#define writes __unravel_writes

/* Writes the first `count` of `n` bytes: byte for byte where they are few, since a length that is not known
 * is hard. */
static void __unravel_fills(void *to, size_t count, size_t n) {
    if (count == n)
        __unravel_writes(to, n);
    else if (n > 16)
        __unravel_writes(to, count);
    else
        for (size_t i = 0; i < n; i++)
            if (i < count)
                __unravel_writes((char *)to + i, 1);
}
#define fills __unravel_fills

/* Reads a text to its end. */
static void __unravel_text(const char *s) {
    while (*s)
        s++;
}
#define text __unravel_text

/* Writes a text of `length` bytes that the outside decides, and its end, to a place of `n` bytes: byte for
 * byte where they are few, since a length that is not known is hard. */
static void __unravel_outside_text(char *to, size_t length, size_t n) {
    if (n > 256) {
        for (size_t i = 0; i < length; i++)
            to[i] = (char)between('a', 1, 127);
    } else {
        for (size_t i = 0; i + 1 < n; i++)
            if (i < length)
                to[i] = (char)between('a', 1, 127);
    }
    to[length] = 0;
}
#define outside_text __unravel_outside_text

/* A call fails with one of these errors. Both functions are left out of programs that do not ask for
 * `errno` (models.rs). */
static void __unravel_fails(const unsigned char *codes, int count) {
    errno = count == 1 ? codes[0] : codes[between(0, 0, count - 1)];
}

/* A call that succeeds may leave anything in `errno` (POSIX.1-2017, 2.3), unless its page says otherwise. */
static void __unravel_leaves_errno_open(void) {
    if (between(0, 0, 1))
        errno = (int)between(1, 1, LAST_ERROR);
}

/* The same of output, whose functions are not code; a call of it is put behind theirs (models.rs). */
void __unravel_output_leaves_errno_open(void) { __unravel_leaves_errno_open(); }

/* -1, and one of these errors in `errno`. */
#define FAIL(...) \
    ({ \
        static const unsigned char codes[] = {__VA_ARGS__}; \
        __unravel_fails(codes, sizeof codes); \
        -1; \
    })

/* A result of a call that succeeds. */
#define DONE(result) ({ __unravel_leaves_errno_open(); (result); })

/* 0, or -1 with one of these errors. */
#define DONE_OR(...) (may_fail() ? FAIL(__VA_ARGS__) : DONE(0))

#endif
