/* <stdio.h>: files of the outside. What is in them is arbitrary; reading comes to an end at any time, and any
 * call may fail. A stream is a block of its own: one that is closed, or null, is a memory error. */
#include "model.h"

struct __unravel_stream {
    int state;
    /* What was put back, plus one. */
    int pushed;
};
enum { AT_END = 1, IN_ERROR = 2 };
typedef struct __unravel_stream Stream;

static Stream __unravel_standard[3];
void *stdin = &__unravel_standard[0];
void *stdout = &__unravel_standard[1];
void *stderr = &__unravel_standard[2];

static void *__unravel_stdout(void) { return &__unravel_standard[1]; }
static int __unravel_is_standard(const Stream *stream) {
    return stream == &__unravel_standard[0] || stream == &__unravel_standard[1] || stream == &__unravel_standard[2];
}

/* Streams lock themselves: what a call does to one is a step. */
static int __VERIFIER_atomic_unravel_state(Stream *stream) { return stream->state; }
static void __VERIFIER_atomic_unravel_set(Stream *stream, int state) { stream->state |= state; }
static void __VERIFIER_atomic_unravel_clear(Stream *stream, int state) {
    stream->state &= ~state;
    stream->pushed = 0;
}
/* Whether there is something to read. If not, the end was reached, or reading failed. */
static int __VERIFIER_atomic_unravel_has_more(Stream *stream) {
    if (stream->state & AT_END)
        return 0;
    if (between(1, 0, 1))
        return 1;
    stream->state |= may_fail() ? IN_ERROR : AT_END;
    return 0;
}
static int __VERIFIER_atomic_unravel_pushed(Stream *stream) {
    int pushed = stream->pushed;
    stream->pushed = 0;
    return pushed - 1;
}

#define NO_FILE EACCES, EINTR, EINVAL, EISDIR, ELOOP, EMFILE, ENAMETOOLONG, ENFILE, ENOENT, ENOMEM, ENOSPC, ENOTDIR, \
    ENXIO, EROFS, ETXTBSY, EOVERFLOW
/* They write when they like, so that each call may fail. */
#define WRITING EAGAIN, EBADF, EFBIG, EINTR, EIO, ENOMEM, ENOSPC, ENXIO, EPIPE

static void *__unravel_new_stream(void) {
    if (may_fail())
        return (void)FAIL(NO_FILE), (void *)0;
    Stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return (void)FAIL(ENOMEM), (void *)0;
    return DONE(stream);
}
void *fopen(const char *path, const char *mode) {
    text(path);
    text(mode);
    return __unravel_new_stream();
}
void *fdopen(int descriptor, const char *mode) {
    text(mode);
    if (descriptor < 0)
        return (void)FAIL(EBADF), (void *)0;
    return __unravel_new_stream();
}
void *tmpfile(void) { return __unravel_new_stream(); }
int fclose(void *stream) {
    (void)__VERIFIER_atomic_unravel_state(stream);
    if (!__unravel_is_standard(stream))
        free(stream);
    return DONE_OR(WRITING);
}
int fflush(void *stream) {
    if (stream)
        (void)__VERIFIER_atomic_unravel_state(stream);
    return DONE_OR(WRITING);
}

size_t fwrite(const void *from, size_t size, size_t count, void *stream) {
    (void)__VERIFIER_atomic_unravel_state(stream);
    reads(from, size * count);
    if (!size || !count)
        return 0;
    long long least = __unravel_calls_succeed() ? (long long)count : 0;
    size_t written = (size_t)between((long long)count, least, (long long)count);
    if (written < count) {
        __VERIFIER_atomic_unravel_set(stream, IN_ERROR);
        (void)FAIL(WRITING);
    }
    return written < count ? written : DONE(written);
}
size_t fread(void *to, size_t size, size_t count, void *stream) {
    if (!size || !count)
        return 0;
    if (!__VERIFIER_atomic_unravel_has_more(stream))
        return 0;
    /* Whole elements, and what there is of another. */
    size_t bytes = (size_t)between((long long)(size * count), 0, (long long)(size * count));
    if (bytes)
        fills(to, bytes, size * count);
    if (bytes < size * count) {
        __VERIFIER_atomic_unravel_set(stream, may_fail() ? IN_ERROR : AT_END);
        __unravel_leaves_errno_open();
    }
    return bytes / size;
}

int fgetc(void *stream) {
    int pushed = __VERIFIER_atomic_unravel_pushed(stream);
    if (pushed >= 0)
        return pushed;
    if (__VERIFIER_atomic_unravel_has_more(stream))
        return (int)between('a', 0, 255);
    __unravel_leaves_errno_open();
    return -1;
}
int getc(void *stream) { return fgetc(stream); }
int getchar(void) { return fgetc(stdin); }
int ungetc(int c, void *stream) {
    if (c == -1)
        return -1;
    __VERIFIER_atomic_unravel_clear(stream, AT_END);
    ((Stream *)stream)->pushed = (unsigned char)c + 1;
    return (unsigned char)c;
}

/* Reads a line of at most `most` bytes to a place of one more; a line feed can only be the last byte, and
 * where a shorter line has none, the end follows. How many there were. */
static size_t __unravel_line(char *to, size_t most, Stream *stream) {
    size_t length = (size_t)between(1, 1, (long long)most);
    char last = 0;
    for (size_t i = 0; i < most; i++)
        if (i < length) {
            last = (char)between(i + 1 == length ? '\n' : 'a', -128, 127);
            if (last == '\n' && i + 1 < length)
                last = 'a';
            to[i] = last;
        }
    to[length] = 0;
    if (length < most && last != '\n')
        __VERIFIER_atomic_unravel_set(stream, AT_END);
    return length;
}
char *fgets(char *to, int n, void *stream) {
    if (n <= 1) {
        if (n == 1)
            *to = 0;
        return n == 1 ? to : 0;
    }
    if (!__VERIFIER_atomic_unravel_has_more(stream)) {
        __unravel_leaves_errno_open();
        return 0;
    }
    __unravel_line(to, (size_t)n - 1, stream);
    return to;
}
/* Lines have at most 119 bytes here. */
enum { LINE_BYTES = 120 };
ssize_t getline(char **to, size_t *size, void *stream) {
    if (!to || !size)
        return FAIL(EINVAL);
    if (!*to || *size < LINE_BYTES) {
        char *block = realloc(*to, LINE_BYTES);
        if (!block)
            return FAIL(ENOMEM);
        *to = block;
        *size = LINE_BYTES;
    }
    if (!__VERIFIER_atomic_unravel_has_more(stream)) {
        __unravel_leaves_errno_open();
        return -1;
    }
    return (ssize_t)__unravel_line(*to, LINE_BYTES - 1, stream);
}

int feof(void *stream) { return __VERIFIER_atomic_unravel_state(stream) & AT_END; }
int ferror(void *stream) { return __VERIFIER_atomic_unravel_state(stream) & IN_ERROR; }
void clearerr(void *stream) { __VERIFIER_atomic_unravel_clear(stream, AT_END | IN_ERROR); }
void rewind(void *stream) { __VERIFIER_atomic_unravel_clear(stream, AT_END | IN_ERROR); }
int fileno(void *stream) {
    (void)__VERIFIER_atomic_unravel_state(stream);
    return (int)between(3, 0, 0x7ffffffe);
}
int fseek(void *stream, long offset, int whence) {
    (void)__VERIFIER_atomic_unravel_state(stream);
    if (whence < 0 || whence > 2 || (whence == 0 && offset < 0))
        return FAIL(EINVAL);
    if (may_fail())
        return FAIL(EAGAIN, EBADF, EFBIG, EINTR, EINVAL, EIO, ENOSPC, ENXIO, EOVERFLOW, EPIPE, ESPIPE);
    __VERIFIER_atomic_unravel_clear(stream, AT_END);
    return DONE(0);
}
long ftell(void *stream) {
    (void)__VERIFIER_atomic_unravel_state(stream);
    return may_fail() ? FAIL(EBADF, EOVERFLOW, ESPIPE) : DONE((long)between(0, 0, __LONG_MAX__));
}

/* `scanf` and `fscanf` of numbers: `sizes` has four bits for each, the number of bytes of its variable
 * (models.rs). Input may end, or not be a number, before each. */
static int __unravel_scan(Stream *stream, int count, unsigned sizes, void *a, void *b, void *c, void *d) {
    void *to[4] = {a, b, c, d};
    int read = (int)between(count, -1, count);
    if (stream->state & AT_END)
        read = -1;
    for (int i = 0; i < count; i++) {
        int bytes = (int)(sizes >> 4 * i & 15);
        if (i < read && bytes == 1)
            *(char *)to[i] = (char)between(0, -128, 127);
        if (i < read && bytes == 2)
            *(short *)to[i] = (short)between(0, -32768, 32767);
        if (i < read && bytes == 4)
            *(int *)to[i] = (int)between(0, -0x80000000ll, 0x7fffffff);
        if (i < read && bytes == 8)
            *(long long *)to[i] = between(0, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__);
    }
    if (read < count && (read < 0 || between(0, 0, 1)))
        __VERIFIER_atomic_unravel_set(stream, AT_END);
    if (read < count)
        __unravel_leaves_errno_open();
    return read;
}
int __unravel_scanf(int count, unsigned sizes, void *a, void *b, void *c, void *d) {
    return __unravel_scan(stdin, count, sizes, a, b, c, d);
}
int __unravel_fscanf(void *stream, int count, unsigned sizes, void *a, void *b, void *c, void *d) {
    return __unravel_scan(stream, count, sizes, a, b, c, d);
}
