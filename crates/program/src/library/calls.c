/* The system: <unistd.h>, <fcntl.h>, <sys/stat.h>, <sys/socket.h>, <sys/uio.h> and <sched.h>.
 *
 * Each function touches what its page says, and returns what its page allows. Files, terminals and networks
 * decide the rest. */
#include "model.h"

void current_folder_in_a_new_block(void);

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

long sysconf(int name) {
    enum { CLOCK_TICKS = 2, PAGE_SIZE = 30, CONFIGURED = 83, ONLINE = 84 };
    if (name == CLOCK_TICKS)
        return 100;
    if (name == PAGE_SIZE)
        return getpagesize();
    /* Other limits: any, or none (-1), which is no error. */
    if (name < 0 || name > 248)
        return FAIL(EINVAL);
    if (name != CONFIGURED && name != ONLINE)
        return (long)between(-1, -1, __LONG_MAX__);
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
static int __VERIFIER_atomic_unravel_new_descriptor(void) {
    int at = (int)between(3, 0, 0x7ffffff0) + 1;
    /* One that is in use: the next, of which at most four are in use, too. */
    at += __unravel_is_open(at);
    at += __unravel_is_open(at);
    at += __unravel_is_open(at);
    at += __unravel_is_open(at);
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
        int new = may_fail() ? -1 : __VERIFIER_atomic_unravel_new_descriptor(); \
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
    if (descriptor < 0 || to < 0 || may_fail())
        return FAIL(EBADF, EBUSY, EINTR);
    return DONE(__VERIFIER_atomic_unravel_open_this(to));
}
int pipe(int *ends) {
    if (may_fail())
        return FAIL(EMFILE, ENFILE);
    ends[0] = __VERIFIER_atomic_unravel_new_descriptor();
    ends[1] = __VERIFIER_atomic_unravel_new_descriptor();
    return DONE(0);
}
int close(int descriptor) {
    if (descriptor < 0 || !__VERIFIER_atomic_unravel_close(descriptor))
        return FAIL(EBADF);
    return DONE_OR(EBADF, EINTR, EIO, ENOSPC, EDQUOT);
}

/* What is written. */
#define COUNT_OR(n, ...) \
    ({ \
        ssize_t count = (ssize_t)between_failure_and(n); \
        count < 0 ? FAIL(__VA_ARGS__) : DONE(count); \
    })
/* Reads: what came is written, and the rest left alone. There may be less than is asked for. */
#define FILL_OR(to, n, ...) \
    ({ \
        ssize_t count = (ssize_t)between((long long)(n), -!__unravel_calls_succeed(), (long long)(n)); \
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
    if (may_fail())
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

/* With no descriptors it only sleeps. */
struct pollfd { int descriptor; short events, found; };
void poll_for_ever(void);
int poll(struct pollfd *all, unsigned long n, int time) {
    enum { ERROR_BITS = 070 };
    int ready = 0;
    if (!n) {
        if (time < 0)
            poll_for_ever();
        return 0;
    }
    for (unsigned long i = 0; i < n; i++)
        (void)*(volatile int *)&all[i].descriptor;
    if (may_fail())
        return FAIL(EINTR, EINVAL, ENOMEM);
    for (unsigned long i = 0; i < n; i++) {
        int found = (int)between(all[i].events, 0, 0xffff) & ((unsigned short)all[i].events | ERROR_BITS);
        if (time < 0 && !ready && !found && i + 1 == n)
            found = ERROR_BITS & -ERROR_BITS;
        all[i].found = (short)found;
        ready += found != 0;
    }
    return DONE(ready);
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

void openlog(const char *name, int options, int facility) {
    (void)options;
    (void)facility;
    if (name)
        text(name);
}

/* <sys/stat.h>. What is told of a file is arbitrary; the bytes are those of the system's structure. */
#define STAT_BYTES (sizeof(long) == 8 ? 144 : 88)
#define TOLD_OR(...) \
    ({ \
        int failed = (int)may_fail(); \
        if (!failed) \
            writes(to, STAT_BYTES); \
        failed ? FAIL(__VA_ARGS__) : DONE(0); \
    })
int stat(const char *path, void *to) {
    text(path);
    return TOLD_OR(NO_PATH, EOVERFLOW);
}
int lstat(const char *path, void *to) { return stat(path, to); }
int fstat(int descriptor, void *to) {
    if (descriptor < 0)
        return FAIL(EBADF);
    return TOLD_OR(EBADF, EIO, EOVERFLOW);
}

/* Memory of one's own: a block of zeros. Followed are four mappings at a time, unmapped as a whole. */
static struct { char *base; size_t size; } __unravel_mapped[4];
void mapping_of_a_file_or_with_protection(void);
void mappings_beyond_four(void);
void unmapping_of_a_part(void);

static void __VERIFIER_atomic_unravel_map(char *base, size_t size) {
    for (int i = 0; i < 4; i++)
        if (!__unravel_mapped[i].base) {
            __unravel_mapped[i].base = base;
            __unravel_mapped[i].size = size;
            return;
        }
    mappings_beyond_four();
}
static int __VERIFIER_atomic_unravel_unmap(char *base, size_t size) {
    for (int i = 0; i < 4; i++)
        if (__unravel_mapped[i].base == base && __unravel_mapped[i].size == size) {
            __unravel_mapped[i].base = 0;
            return 1;
        }
    return 0;
}
void *mmap(void *hint, size_t size, int protection, int flags, int descriptor, long offset) {
    enum { READ_AND_WRITE = 3, FIXED = 0x10, ANONYMOUS = 0x20 };
    (void)hint;
    (void)descriptor;
    (void)offset;
    if (!(flags & ANONYMOUS) || (flags & FIXED) || (protection & READ_AND_WRITE) != READ_AND_WRITE)
        mapping_of_a_file_or_with_protection();
    void *failed = (void *)-1;
    if (!size)
        return (void)FAIL(EINVAL), failed;
    if (may_fail())
        return (void)FAIL(ENOMEM, EAGAIN), failed;
    char *base = calloc(1, size);
    if (!base)
        return (void)FAIL(ENOMEM), failed;
    __VERIFIER_atomic_unravel_map(base, size);
    return base;
}
int munmap(void *base, size_t size) {
    if (!__VERIFIER_atomic_unravel_unmap(base, size))
        unmapping_of_a_part();
    free(base);
    return DONE(0);
}
int madvise(void *base, size_t size, int advice) {
    (void)base;
    (void)size;
    (void)advice;
    return DONE_OR(EAGAIN, EBADF, EINVAL, EIO, ENOMEM, EPERM);
}

int posix_memalign(void **to, size_t alignment, size_t size) {
    if (!alignment || alignment % sizeof(void *) || (alignment & (alignment - 1)))
        return EINVAL;
    void *block = aligned_alloc(alignment, size);
    if (!block)
        return ENOMEM;
    *to = block;
    return 0;
}

int gettid(void) {
    static _Thread_local long long kept;
    return (int)__VERIFIER_atomic_unravel_once(&kept, 1000, 1, MOST_PROCESSES);
}
int gethostname(char *to, size_t n) {
    size_t length = (size_t)between(4, 1, 64);
    if (length >= n)
        return FAIL(ENAMETOOLONG);
    outside_text(to, length, n);
    return DONE(0);
}
char *getcwd(char *to, size_t n) {
    if (!n) {
        if (!to)
            current_folder_in_a_new_block();
        return (void)FAIL(EINVAL), (char *)0;
    }
    if (n < 2 || may_fail())
        return (void)FAIL(ERANGE, ENOENT, EACCES, ENOMEM), (char *)0;
    /* The GNU C library makes the block then. */
    if (!to && !(to = malloc(n)))
        return (void)FAIL(ENOMEM), (char *)0;
    size_t length = (size_t)between(1, 1, (long long)n - 1);
    outside_text(to, length, n);
    *to = '/';
    return DONE(to);
}
ssize_t getrandom(void *to, size_t n, unsigned flags) {
    (void)flags;
    return FILL_OR(to, n, EAGAIN, EINTR, EINVAL);
}
int getentropy(void *to, size_t n) {
    if (n > 256 || may_fail())
        return FAIL(EIO);
    writes(to, n);
    return DONE(0);
}
