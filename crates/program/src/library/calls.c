/* The system: <unistd.h>, <fcntl.h>, <sys/stat.h>, <sys/socket.h>, <sys/uio.h>, <sched.h>, and streams.
 *
 * Each function touches what its page says, and returns what its page allows. Files, terminals and networks
 * decide the rest. */
#include "model.h"

/* Decided at the first call, and then the same for the whole run; `kept` holds one more. */
static long long __VERIFIER_atomic_unravel_once(long long *kept, long long ordinary, long long low, long long high) {
    if (!*kept)
        *kept = between(ordinary, low, high) + 1;
    return *kept - 1;
}
#define ONCE(ordinary, low, high) \
    ({ \
        static long long __unravel_kept; \
        __VERIFIER_atomic_unravel_once(&__unravel_kept, ordinary, low, high); \
    })

#define MOST_PROCESSES 4194304
#define MOST_USERS 4294967294ll
#define MOST_PROCESSORS 8192

int getpid(void) { return (int)ONCE(1000, 1, MOST_PROCESSES); }
/* The parent may end, and another takes its place. */
int getppid(void) { return (int)between(999, 0, MOST_PROCESSES); }
unsigned getuid(void) { return (unsigned)ONCE(1000, 0, MOST_USERS); }
unsigned geteuid(void) { return (unsigned)ONCE(1000, 0, MOST_USERS); }
unsigned getgid(void) { return (unsigned)ONCE(1000, 0, MOST_USERS); }
unsigned getegid(void) { return (unsigned)ONCE(1000, 0, MOST_USERS); }
int getpagesize(void) { return 4096; }

void sysconf_of_another_name(void);
long sysconf(int name) {
    enum { CLOCK_TICKS = 2, PAGE_SIZE = 30, CONFIGURED = 83, ONLINE = 84 };
    if (name == CLOCK_TICKS)
        return 100;
    if (name == PAGE_SIZE)
        return getpagesize();
    if (name != CONFIGURED && name != ONLINE)
        sysconf_of_another_name();
    long processors = (long)ONCE(2, 1, MOST_PROCESSORS);
    return name == CONFIGURED ? processors : (long)between(processors, 1, processors);
}

int sched_getcpu(void) { return (int)between(0, 0, MOST_PROCESSORS - 1); }

static int __unravel_priority(int policy, int real_time) {
    if (policy == 1 || policy == 2)
        return real_time;
    if (policy == 0 || policy == 3 || policy == 5 || policy == 6)
        return 0;
    return FAIL(EINVAL);
}
int sched_get_priority_min(int policy) { return __unravel_priority(policy, 1); }
int sched_get_priority_max(int policy) { return __unravel_priority(policy, 99); }

static int __unravel_concurrency;
int pthread_getconcurrency(void) { return __atomic_load_n(&__unravel_concurrency, __ATOMIC_RELAXED); }
int pthread_setconcurrency(int level) {
    if (level < 0)
        return EINVAL;
    __atomic_store_n(&__unravel_concurrency, level, __ATOMIC_RELAXED);
    return 0;
}

int pthread_setaffinity_np(unsigned long thread, size_t size, const void *set) {
    (void)thread;
    reads(set, size);
    return between(0, 0, 1) ? EINVAL : 0;
}
int pthread_attr_setaffinity_np(void *attributes, size_t size, const void *set) {
    (void)attributes;
    if (set)
        reads(set, size);
    return between(0, 0, 1) ? EINVAL : 0;
}
int pthread_setschedparam(unsigned long thread, int policy, const int *priority) {
    static const int codes[] = {0, EINVAL, EPERM};
    (void)thread;
    (void)policy;
    (void)*(const volatile int *)priority;
    return codes[between(0, 0, 2)];
}

/* Descriptors that the program has opened and not closed, each plus one. A new one is none of them. */
static int __unravel_open[4];
/* The last one that was closed, plus one: it is closed until it is opened again. */
static int __unravel_closed;
void open_descriptors_beyond_four(void);

/* Whether the standard descriptors are terminals, until they are closed. */
static long long __unravel_terminal[3];

static int __unravel_is_open(int at) {
    return __unravel_open[0] == at || __unravel_open[1] == at || __unravel_open[2] == at || __unravel_open[3] == at;
}
static void __unravel_remember(int at) {
    int free = !__unravel_open[0] ? 0 : !__unravel_open[1] ? 1 : !__unravel_open[2] ? 2 : 3;
    if (__unravel_open[free])
        open_descriptors_beyond_four();
    __unravel_open[free] = at;
    if (__unravel_closed == at)
        __unravel_closed = 0;
}
/* -1 if there is none. */
static int __VERIFIER_atomic_unravel_new_descriptor(void) {
    int at = (int)between(3, 0, 0x7ffffffe) + 1;
    /* An ordinary one that is in use: the next. */
    at += __unravel_is_open(at) && at == 4;
    at += __unravel_is_open(at) && at == 5;
    if (__unravel_is_open(at))
        return -1;
    __unravel_remember(at);
    return at - 1;
}
/* Whether it may have been open. */
static int __VERIFIER_atomic_unravel_close(int descriptor) {
    int at = descriptor + 1, was_closed = __unravel_closed == at;
    if (__unravel_open[0] == at)
        __unravel_open[0] = 0;
    if (__unravel_open[1] == at)
        __unravel_open[1] = 0;
    if (__unravel_open[2] == at)
        __unravel_open[2] = 0;
    if (__unravel_open[3] == at)
        __unravel_open[3] = 0;
    __unravel_closed = at;
    if (descriptor < 3)
        __unravel_terminal[descriptor] = 0;
    return !was_closed;
}
static int __VERIFIER_atomic_unravel_open_this(int descriptor) {
    if (!__unravel_is_open(descriptor + 1))
        __unravel_remember(descriptor + 1);
    if (descriptor < 3)
        __unravel_terminal[descriptor] = 0;
    return descriptor;
}
/* A new descriptor, or -1 with one of these errors. */
#define DESCRIPTOR_OR(...) \
    ({ \
        int new = between(0, 0, 1) ? -1 : __VERIFIER_atomic_unravel_new_descriptor(); \
        new < 0 ? FAIL(EMFILE, ENFILE, ENOMEM, ##__VA_ARGS__) : DONE(new); \
    })
#define NO_PATH EACCES, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, ENOMEM, EIO

int open(const char *path, int flags, ...) {
    (void)flags;
    text(path);
    return DESCRIPTOR_OR(NO_PATH, EEXIST, EINTR, EINVAL, EISDIR, ENODEV, ENOSPC, ENXIO, EROFS, ETXTBSY, EDQUOT,
                         EFBIG, EBUSY, EPERM, EOVERFLOW, EAGAIN);
}
int creat(const char *path, unsigned mode) {
    (void)mode;
    text(path);
    return DESCRIPTOR_OR(NO_PATH, EINTR, EINVAL, EISDIR, ENODEV, ENOSPC, ENXIO, EROFS, ETXTBSY, EDQUOT, EPERM);
}
int socket(int domain, int type, int protocol) {
    (void)domain;
    (void)type;
    (void)protocol;
    return DESCRIPTOR_OR(EACCES, EAFNOSUPPORT, EINVAL, EPROTONOSUPPORT, ENOBUFS);
}
int dup(int descriptor) {
    if (descriptor < 0)
        return FAIL(EBADF);
    return DESCRIPTOR_OR(EBADF);
}
int dup2(int descriptor, int to) {
    if (descriptor < 0 || to < 0 || between(0, 0, 1))
        return FAIL(EBADF, EBUSY, EINTR);
    return DONE(__VERIFIER_atomic_unravel_open_this(to));
}
int pipe(int *ends) {
    int from = between(0, 0, 1) ? -1 : __VERIFIER_atomic_unravel_new_descriptor();
    int to = from < 0 ? -1 : __VERIFIER_atomic_unravel_new_descriptor();
    if (to < 0) {
        if (from >= 0)
            __VERIFIER_atomic_unravel_close(from);
        return FAIL(EMFILE, ENFILE);
    }
    ends[0] = from;
    ends[1] = to;
    return DONE(0);
}
int close(int descriptor) {
    if (descriptor < 0 || !__VERIFIER_atomic_unravel_close(descriptor))
        return FAIL(EBADF);
    return DONE_OR(EBADF, EINTR, EIO, ENOSPC, EDQUOT);
}

/* How many of `n` bytes went through: at most all. */
#define COUNT_OR(n, ...) \
    ({ \
        ssize_t count = (ssize_t)between((long long)(n), -1, (long long)(n)); \
        count < 0 ? FAIL(__VA_ARGS__) : DONE(count); \
    })
/* Reads: what came is written, and the rest left alone. */
#define FILL_OR(to, n, ...) \
    ({ \
        ssize_t count = (ssize_t)between((long long)(n), -1, (long long)(n)); \
        if (count > 0) \
            fills(to, (size_t)count, n); \
        count < 0 ? FAIL(__VA_ARGS__) : DONE(count); \
    })
#define TRANSFER EAGAIN, EBADF, EINTR, EINVAL, EIO
#define NETWORK EAGAIN, EBADF, EINTR, EINVAL, ENOTSOCK, ENOTCONN, ECONNRESET, ENOMEM, EOPNOTSUPP

ssize_t write(int descriptor, const void *from, size_t n) {
    reads(from, n);
    if (descriptor < 0)
        return FAIL(EBADF);
    return COUNT_OR(n, TRANSFER, EDESTADDRREQ, EDQUOT, EFBIG, ENOSPC, EPERM, EPIPE);
}
ssize_t pwrite(int descriptor, const void *from, size_t n, long at) {
    reads(from, n);
    if (descriptor < 0)
        return FAIL(EBADF);
    if (at < 0)
        return FAIL(EINVAL);
    return COUNT_OR(n, TRANSFER, EDQUOT, EFBIG, ENOSPC, EPERM, ESPIPE, EOVERFLOW, ENXIO);
}
ssize_t read(int descriptor, void *to, size_t n) {
    if (descriptor < 0)
        return FAIL(EBADF);
    return FILL_OR(to, n, TRANSFER, EISDIR);
}
ssize_t pread(int descriptor, void *to, size_t n, long at) {
    if (descriptor < 0)
        return FAIL(EBADF);
    if (at < 0)
        return FAIL(EINVAL);
    return FILL_OR(to, n, TRANSFER, EISDIR, ESPIPE, EOVERFLOW, ENXIO);
}
struct iovec { void *base; size_t length; };
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    size_t n = 0;
    if (count < 0 || count > 1024)
        return FAIL(EINVAL);
    for (int i = 0; i < count; i++) {
        reads(parts[i].base, parts[i].length);
        n += parts[i].length;
    }
    if (descriptor < 0)
        return FAIL(EBADF);
    return COUNT_OR(n, TRANSFER, EDESTADDRREQ, EDQUOT, EFBIG, ENOSPC, EPERM, EPIPE);
}
ssize_t send(int descriptor, const void *from, size_t n, int flags) {
    (void)flags;
    reads(from, n);
    if (descriptor < 0)
        return FAIL(EBADF);
    return COUNT_OR(n, NETWORK, EACCES, EDESTADDRREQ, EISCONN, EMSGSIZE, ENOBUFS, EPIPE);
}
ssize_t sendto(int descriptor, const void *from, size_t n, int flags, const void *address, unsigned length) {
    (void)flags;
    reads(from, n);
    if (address)
        reads(address, length);
    if (descriptor < 0)
        return FAIL(EBADF);
    return COUNT_OR(n, NETWORK, EACCES, EDESTADDRREQ, EISCONN, EMSGSIZE, ENOBUFS, EPIPE);
}
ssize_t recv(int descriptor, void *to, size_t n, int flags) {
    (void)flags;
    if (descriptor < 0)
        return FAIL(EBADF);
    return FILL_OR(to, n, NETWORK, ECONNREFUSED);
}

long lseek(int descriptor, long offset, int whence) {
    enum { SET = 0, CURRENT = 1, END = 2, DATA = 3, HOLE = 4 };
    if (descriptor < 0)
        return FAIL(EBADF);
    if (whence < SET || whence > HOLE || (whence == SET && offset < 0))
        return FAIL(EINVAL);
    if (between(0, 0, 1))
        return FAIL(EBADF, EINVAL, ENXIO, EOVERFLOW, ESPIPE);
    long at = whence == SET ? offset : (long)between(0, 0, __LONG_MAX__);
    return DONE(at);
}
int fsync(int descriptor) {
    return descriptor < 0 ? FAIL(EBADF) : DONE_OR(EBADF, EINTR, EIO, ENOSPC, EROFS, EINVAL, EDQUOT);
}
int fdatasync(int descriptor) { return fsync(descriptor); }
void sync(void) {}
int ftruncate(int descriptor, long length) {
    if (descriptor < 0)
        return FAIL(EBADF);
    if (length < 0)
        return FAIL(EINVAL);
    return DONE_OR(EBADF, EINVAL, EFBIG, EINTR, EIO, EPERM, ETXTBSY);
}
int isatty(int descriptor) {
    if (descriptor < 0)
        return FAIL(EBADF), 0;
    int known = descriptor < 3;
    int is_terminal = (int)(known ? __VERIFIER_atomic_unravel_once(&__unravel_terminal[descriptor], 1, 0, 1)
                                  : between(1, 0, 1));
    return is_terminal ? DONE(1) : (FAIL(EBADF, ENOTTY), 0);
}

static long long __unravel_mask;
static unsigned __VERIFIER_atomic_unravel_mask(unsigned mask) {
    unsigned before = (unsigned)(__unravel_mask ? __unravel_mask - 1 : between(022, 0, 0777));
    __unravel_mask = (mask & 0777) + 1;
    return before;
}
unsigned umask(unsigned mask) { return __VERIFIER_atomic_unravel_mask(mask); }

/* Paths. */
int access(const char *path, int mode) {
    text(path);
    if (mode & ~7)
        return FAIL(EINVAL);
    return DONE_OR(NO_PATH, EROFS, ETXTBSY);
}
int chdir(const char *path) {
    text(path);
    return DONE_OR(NO_PATH);
}
int chmod(const char *path, unsigned mode) {
    (void)mode;
    text(path);
    return DONE_OR(NO_PATH, EPERM, EROFS);
}
int mkdir(const char *path, unsigned mode) {
    (void)mode;
    text(path);
    return DONE_OR(NO_PATH, EEXIST, EMLINK, ENOSPC, EPERM, EROFS, EDQUOT);
}
int mkfifo(const char *path, unsigned mode) {
    (void)mode;
    text(path);
    return DONE_OR(NO_PATH, EEXIST, ENOSPC, EROFS, EDQUOT);
}
int rmdir(const char *path) {
    text(path);
    return DONE_OR(NO_PATH, EBUSY, EINVAL, ENOTEMPTY, EPERM, EROFS);
}
int unlink(const char *path) {
    text(path);
    return DONE_OR(NO_PATH, EBUSY, EISDIR, EPERM, EROFS);
}
int remove(const char *path) {
    text(path);
    return DONE_OR(NO_PATH, EBUSY, EISDIR, EINVAL, ENOTEMPTY, EPERM, EROFS);
}
int rename(const char *from, const char *to) {
    text(from);
    text(to);
    return DONE_OR(NO_PATH, EBUSY, EDQUOT, EEXIST, EINVAL, EISDIR, EMLINK, ENOSPC, ENOTEMPTY, EPERM, EROFS, EXDEV);
}

/* The environment. */
static int __unravel_is_variable(const char *name) {
    int named = *name != 0;
    for (; *name; name++)
        named &= *name != '=';
    return named;
}
int setenv(const char *name, const char *value, int overwrite) {
    (void)overwrite;
    text(value);
    return name && __unravel_is_variable(name) ? DONE_OR(ENOMEM) : FAIL(EINVAL);
}
int unsetenv(const char *name) { return name && __unravel_is_variable(name) ? DONE(0) : FAIL(EINVAL); }

/* Streams. They write when they like, so that each of these may fail. */
#define WRITING EAGAIN, EBADF, EFBIG, EINTR, EIO, ENOMEM, ENOSPC, ENXIO, EPIPE
size_t fwrite(const void *from, size_t size, size_t count, void *stream) {
    (void)stream;
    reads(from, size * count);
    if (!size || !count)
        return 0;
    size_t written = (size_t)between((long long)count, 0, (long long)count);
    if (written < count)
        (void)FAIL(WRITING);
    return written < count ? written : DONE(written);
}
size_t fread(void *to, size_t size, size_t count, void *stream) {
    (void)stream;
    if (!size || !count)
        return 0;
    /* Whole elements, and what there is of another. */
    size_t bytes = (size_t)between((long long)(size * count), 0, (long long)(size * count));
    if (bytes)
        fills(to, bytes, size * count);
    if (bytes < size * count)
        __unravel_leaves_errno_open();
    return bytes / size;
}
static int __unravel_character(void) {
    int c = (int)between(-1, -1, 255);
    if (c < 0)
        __unravel_leaves_errno_open();
    return c;
}
int fgetc(void *stream) {
    (void)stream;
    return __unravel_character();
}
int getc(void *stream) {
    (void)stream;
    return __unravel_character();
}
int getchar(void) { return __unravel_character(); }
int fflush(void *stream) {
    (void)stream;
    return DONE_OR(WRITING);
}
int fclose(void *stream) {
    (void)stream;
    return DONE_OR(WRITING);
}
void openlog(const char *name, int options, int facility) {
    (void)options;
    (void)facility;
    if (name)
        text(name);
}
