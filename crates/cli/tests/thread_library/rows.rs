//! One row per function of the thread library: what is tried of it.

/// A function, and what is tried.
pub struct Row {
    /// Its name.
    pub function: &'static str,
    /// A call with `@` where a pointer to an object of type `object` goes: it must be one to a live
    /// object that is large enough. There may be several such pointers.
    pub pointers: &'static [(&'static str, &'static str)],
    /// Right use and each error that it returns: bodies that hold.
    pub right: &'static [&'static str],
    /// Wrong use: bodies, each with the code of what is found.
    pub wrong: &'static [(&'static str, &'static str)],
}

const fn row(
    function: &'static str,
    pointers: &'static [(&'static str, &'static str)],
    right: &'static [&'static str],
    wrong: &'static [(&'static str, &'static str)],
) -> Row {
    Row { function, pointers, right, wrong }
}

/// What every file begins with.
pub const PRELUDE: &str = r"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t rww = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t bar;
static sem_t sem;
static mtx_t mt;
static cnd_t cn;
static pthread_key_t key;
static tss_t tss;
static int x, got;
static size_t bytes;
static struct sched_param none;
static const struct timespec bad = {1, 1000000000}, soon = {1, 0};
static pthread_t t;
static thrd_t th;
static void count(void) { x++; }
static void *idle(void *p) { return p; }
static int idle11(void *p) { (void)p; return 3; }
static void *ends(void *p) { pthread_exit(p); }
static void *hold(void *p) { pthread_mutex_lock(p); return 0; }
static void gone(void *p) { free(p); }
";

/// The rows, by topic as in the library's table.
pub const ROWS: &[Row] = &[
    // Threads.
    row(
        "pthread_create",
        &[
            ("pthread_t", "pthread_create(@, 0, idle, 0)"),
            ("pthread_attr_t", "pthread_create(&t, @, idle, 0)"),
        ],
        &["assert(pthread_create(&t, 0, idle, 0) == 0); pthread_join(t, 0);"],
        &[
            ("pthread_attr_t a; pthread_create(&t, &a, idle, 0);", "uninitialized-sync"),
            (
                "pthread_attr_t a; pthread_attr_init(&a); pthread_attr_destroy(&a); pthread_create(&t, &a, idle, 0);",
                "use-after-destroy",
            ),
        ],
    ),
    row(
        "pthread_join",
        &[("void *", "(pthread_create(&t, 0, idle, 0), pthread_join(t, @))")],
        &["void *p; pthread_create(&t, 0, idle, &x); assert(pthread_join(t, &p) == 0 && p == &x);"],
        &[
            ("pthread_join(pthread_self(), 0);", "join-self"),
            (
                "pthread_create(&t, 0, idle, 0); pthread_join(t, 0); pthread_join(t, 0);",
                "join-twice",
            ),
            (
                "pthread_create(&t, 0, idle, 0); pthread_detach(t); pthread_join(t, 0);",
                "join-twice",
            ),
        ],
    ),
    row(
        "pthread_detach",
        &[],
        &["pthread_create(&t, 0, idle, 0); assert(pthread_detach(t) == 0);"],
        &[(
            "pthread_create(&t, 0, idle, 0); pthread_detach(t); pthread_detach(t);",
            "detach-twice",
        )],
    ),
    row(
        "pthread_exit",
        &[],
        &["void *p; pthread_create(&t, 0, ends, &x); pthread_join(t, &p); assert(p == &x);"],
        &[],
    ),
    row("pthread_self", &[], &["assert(pthread_self() == pthread_self());"], &[]),
    row(
        "pthread_equal",
        &[],
        &["assert(pthread_equal(pthread_self(), pthread_self()));"],
        &[
            (
                "pthread_t u; pthread_create(&t, 0, idle, 0); pthread_join(t, 0); pthread_create(&u, 0, idle, 0); assert(!pthread_equal(t, u));",
                "assertion",
            ),
            (
                "pthread_t u; pthread_create(&t, 0, idle, 0); pthread_join(t, 0); pthread_create(&u, 0, idle, 0); assert(pthread_equal(t, u));",
                "assertion",
            ),
        ],
    ),
    row(
        "thrd_create",
        &[("thrd_t", "thrd_create(@, idle11, 0)")],
        &["assert(thrd_create(&th, idle11, 0) == thrd_success); thrd_join(th, 0);"],
        &[],
    ),
    row(
        "thrd_join",
        &[("int", "(thrd_create(&th, idle11, 0), thrd_join(th, @))")],
        &[
            "int v; thrd_create(&th, idle11, 0); assert(thrd_join(th, &v) == thrd_success && v == 3);",
        ],
        &[
            ("thrd_join(thrd_current(), 0);", "join-self"),
            ("thrd_create(&th, idle11, 0); thrd_join(th, 0); thrd_join(th, 0);", "join-twice"),
        ],
    ),
    row(
        "thrd_detach",
        &[],
        &["thrd_create(&th, idle11, 0); assert(thrd_detach(th) == thrd_success);"],
        &[("thrd_create(&th, idle11, 0); thrd_detach(th); thrd_detach(th);", "detach-twice")],
    ),
    row("thrd_exit", &[], &["thrd_exit(0);"], &[]),
    row("thrd_current", &[], &["assert(thrd_current() == thrd_current());"], &[]),
    row("thrd_equal", &[], &["assert(thrd_equal(thrd_current(), thrd_current()));"], &[]),
    // Thread-specific data.
    row(
        "pthread_key_create",
        &[("pthread_key_t", "pthread_key_create(@, 0)")],
        &["assert(pthread_key_create(&key, 0) == 0);"],
        &[],
    ),
    row(
        "pthread_key_delete",
        &[],
        &[
            "pthread_key_create(&key, 0); assert(pthread_key_delete(key) == 0);",
            "assert(pthread_key_delete(77) == EINVAL);",
        ],
        &[(
            "pthread_key_create(&key, 0); pthread_key_delete(key); pthread_key_delete(key);",
            "deleted-key",
        )],
    ),
    row(
        "pthread_getspecific",
        &[],
        &[
            "pthread_key_create(&key, 0); assert(!pthread_getspecific(key)); pthread_setspecific(key, &x); assert(pthread_getspecific(key) == &x);",
        ],
        &[(
            "pthread_key_create(&key, 0); pthread_key_delete(key); pthread_getspecific(key);",
            "deleted-key",
        )],
    ),
    row(
        "pthread_setspecific",
        &[],
        &[
            "pthread_key_create(&key, 0); assert(pthread_setspecific(key, &x) == 0);",
            "assert(pthread_setspecific(77, &x) == EINVAL);",
        ],
        &[(
            "pthread_key_create(&key, 0); pthread_key_delete(key); pthread_setspecific(key, &x);",
            "deleted-key",
        )],
    ),
    row(
        "tss_create",
        &[("tss_t", "tss_create(@, 0)")],
        &["assert(tss_create(&tss, 0) == thrd_success);"],
        &[],
    ),
    row(
        "tss_delete",
        &[],
        &["tss_create(&tss, 0); tss_delete(tss);"],
        &[("tss_create(&tss, 0); tss_delete(tss); tss_delete(tss);", "deleted-key")],
    ),
    row(
        "tss_get",
        &[],
        &["tss_create(&tss, 0); assert(!tss_get(tss));"],
        &[("tss_create(&tss, 0); tss_delete(tss); tss_get(tss);", "deleted-key")],
    ),
    row(
        "tss_set",
        &[],
        &[
            "tss_create(&tss, 0); assert(tss_set(tss, &x) == thrd_success && tss_get(tss) == &x);",
            "assert(tss_set(77, &x) == thrd_error);",
        ],
        &[("tss_create(&tss, 0); tss_delete(tss); tss_set(tss, &x);", "deleted-key")],
    ),
    // Mutexes.
    row(
        "pthread_mutex_init",
        &[
            ("pthread_mutex_t", "pthread_mutex_init(@, 0)"),
            ("pthread_mutexattr_t", "pthread_mutex_init(&m, @)"),
        ],
        &[
            "pthread_mutex_t l; assert(pthread_mutex_init(&l, 0) == 0); pthread_mutex_lock(&l); pthread_mutex_unlock(&l);",
        ],
        &[
            ("pthread_mutex_lock(&m); pthread_mutex_init(&m, 0);", "init-in-use"),
            ("pthread_mutexattr_t a; pthread_mutex_init(&m, &a);", "uninitialized-sync"),
            ("static pthread_mutexattr_t a; pthread_mutex_init(&m, &a);", "uninitialized-sync"),
        ],
    ),
    row(
        "pthread_mutex_destroy",
        &[("pthread_mutex_t", "pthread_mutex_destroy(@)")],
        &["assert(pthread_mutex_destroy(&m) == 0);"],
        &[
            ("pthread_mutex_t l; pthread_mutex_destroy(&l);", "uninitialized-sync"),
            ("pthread_mutex_destroy(&m); pthread_mutex_destroy(&m);", "use-after-destroy"),
            ("pthread_mutex_lock(&m); pthread_mutex_destroy(&m);", "destroy-in-use"),
        ],
    ),
    row(
        "pthread_mutex_lock",
        &[("pthread_mutex_t", "pthread_mutex_lock(@)")],
        &[
            "assert(pthread_mutex_lock(&m) == 0); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&e); assert(pthread_mutex_lock(&e) == EDEADLK); pthread_mutex_unlock(&e);",
            "pthread_mutex_lock(&r); assert(pthread_mutex_lock(&r) == 0); pthread_mutex_unlock(&r); pthread_mutex_unlock(&r);",
        ],
        &[
            ("pthread_mutex_t l; pthread_mutex_lock(&l);", "uninitialized-sync"),
            ("pthread_mutex_destroy(&m); pthread_mutex_lock(&m);", "use-after-destroy"),
            ("pthread_mutex_lock(&m); pthread_mutex_lock(&m);", "relock"),
        ],
    ),
    row(
        "pthread_mutex_trylock",
        &[("pthread_mutex_t", "pthread_mutex_trylock(@)")],
        &[
            "assert(pthread_mutex_trylock(&m) == 0 && pthread_mutex_trylock(&m) == EBUSY); pthread_mutex_unlock(&m);",
        ],
        &[
            ("pthread_mutex_t l; pthread_mutex_trylock(&l);", "uninitialized-sync"),
            ("pthread_mutex_destroy(&m); pthread_mutex_trylock(&m);", "use-after-destroy"),
        ],
    ),
    row(
        "pthread_mutex_timedlock",
        &[
            ("pthread_mutex_t", "pthread_mutex_timedlock(@, &soon)"),
            ("struct timespec", "pthread_mutex_timedlock(&m, @)"),
        ],
        &[
            "assert(pthread_mutex_timedlock(&m, &bad) == 0 && pthread_mutex_timedlock(&m, &bad) == EINVAL && pthread_mutex_timedlock(&m, &soon) == ETIMEDOUT);",
            "pthread_mutex_lock(&e); assert(pthread_mutex_timedlock(&e, &bad) == EDEADLK);",
        ],
        &[
            ("pthread_mutex_t l; pthread_mutex_timedlock(&l, &soon);", "uninitialized-sync"),
            ("pthread_mutex_destroy(&m); pthread_mutex_timedlock(&m, &soon);", "use-after-destroy"),
        ],
    ),
    row(
        "pthread_mutex_clocklock",
        &[
            ("pthread_mutex_t", "pthread_mutex_clocklock(@, CLOCK_MONOTONIC, &soon)"),
            ("struct timespec", "pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, @)"),
        ],
        &[
            "assert(pthread_mutex_clocklock(&m, 99, &soon) == EINVAL && pthread_mutex_clocklock(&m, CLOCK_REALTIME, &soon) == 0 && pthread_mutex_clocklock(&m, CLOCK_REALTIME, &soon) == ETIMEDOUT);",
            "pthread_mutex_lock(&e); assert(pthread_mutex_clocklock(&e, CLOCK_REALTIME, &soon) == EDEADLK);",
        ],
        &[(
            "pthread_mutex_t l; pthread_mutex_clocklock(&l, CLOCK_REALTIME, &soon);",
            "uninitialized-sync",
        )],
    ),
    row(
        "pthread_mutex_unlock",
        &[("pthread_mutex_t", "pthread_mutex_unlock(@)")],
        &[
            "pthread_mutex_lock(&m); assert(pthread_mutex_unlock(&m) == 0);",
            "assert(pthread_mutex_unlock(&e) == EPERM && pthread_mutex_unlock(&r) == EPERM);",
            "pthread_create(&t, 0, hold, &e); pthread_join(t, 0); assert(pthread_mutex_unlock(&e) == EPERM);",
        ],
        &[
            ("pthread_mutex_t l; pthread_mutex_unlock(&l);", "uninitialized-sync"),
            ("pthread_mutex_destroy(&m); pthread_mutex_unlock(&m);", "use-after-destroy"),
            ("pthread_mutex_unlock(&m);", "unlock-not-held"),
            (
                "pthread_create(&t, 0, hold, &m); pthread_join(t, 0); pthread_mutex_unlock(&m);",
                "unlock-of-another",
            ),
        ],
    ),
    row(
        "mtx_init",
        &[("mtx_t", "mtx_init(@, mtx_plain)")],
        &[
            "assert(mtx_init(&mt, mtx_plain | mtx_recursive) == thrd_success); mtx_lock(&mt); assert(mtx_lock(&mt) == thrd_success);",
        ],
        &[("mtx_init(&mt, mtx_plain); mtx_lock(&mt); mtx_init(&mt, mtx_plain);", "init-in-use")],
    ),
    row(
        "mtx_destroy",
        &[("mtx_t", "mtx_destroy(@)")],
        &["mtx_init(&mt, mtx_plain); mtx_destroy(&mt);"],
        &[
            ("mtx_init(&mt, mtx_plain); mtx_destroy(&mt); mtx_destroy(&mt);", "use-after-destroy"),
            ("mtx_init(&mt, mtx_plain); mtx_lock(&mt); mtx_destroy(&mt);", "destroy-in-use"),
            ("mtx_t l; mtx_destroy(&l);", "uninitialized-sync"),
        ],
    ),
    row(
        "mtx_lock",
        &[("mtx_t", "mtx_lock(@)")],
        &["mtx_init(&mt, mtx_plain); assert(mtx_lock(&mt) == thrd_success);"],
        &[
            ("mtx_t l; mtx_lock(&l);", "uninitialized-sync"),
            ("mtx_init(&mt, mtx_plain); mtx_lock(&mt); mtx_lock(&mt);", "relock"),
        ],
    ),
    row(
        "mtx_trylock",
        &[("mtx_t", "mtx_trylock(@)")],
        &[
            "mtx_init(&mt, mtx_plain); assert(mtx_trylock(&mt) == thrd_success && mtx_trylock(&mt) == thrd_busy);",
        ],
        &[("mtx_t l; mtx_trylock(&l);", "uninitialized-sync")],
    ),
    row(
        "mtx_timedlock",
        &[
            ("mtx_t", "mtx_timedlock(@, &soon)"),
            ("struct timespec", "(mtx_init(&mt, mtx_timed), mtx_timedlock(&mt, @))"),
        ],
        &[
            "mtx_init(&mt, mtx_timed); assert(mtx_timedlock(&mt, &soon) == thrd_success && mtx_timedlock(&mt, &soon) == thrd_timedout && mtx_timedlock(&mt, &bad) == thrd_error);",
        ],
        &[("mtx_t l; mtx_timedlock(&l, &soon);", "uninitialized-sync")],
    ),
    row(
        "mtx_unlock",
        &[("mtx_t", "mtx_unlock(@)")],
        &[
            "mtx_init(&mt, mtx_plain); mtx_lock(&mt); assert(mtx_unlock(&mt) == thrd_success);",
            "mtx_init(&mt, mtx_recursive); assert(mtx_unlock(&mt) == thrd_error);",
        ],
        &[
            ("mtx_t l; mtx_unlock(&l);", "uninitialized-sync"),
            ("mtx_init(&mt, mtx_plain); mtx_unlock(&mt);", "unlock-not-held"),
        ],
    ),
    // Spin locks.
    row(
        "pthread_spin_init",
        &[("pthread_spinlock_t", "pthread_spin_init(@, 0)")],
        &["assert(pthread_spin_init(&spin, 0) == 0);"],
        &[(
            "pthread_spin_init(&spin, 0); pthread_spin_lock(&spin); pthread_spin_init(&spin, 0);",
            "init-in-use",
        )],
    ),
    row(
        "pthread_spin_destroy",
        &[("pthread_spinlock_t", "pthread_spin_destroy(@)")],
        &["pthread_spin_init(&spin, 0); assert(pthread_spin_destroy(&spin) == 0);"],
        &[
            (
                "pthread_spin_init(&spin, 0); pthread_spin_lock(&spin); pthread_spin_destroy(&spin);",
                "destroy-in-use",
            ),
            ("pthread_spin_destroy(&spin);", "uninitialized-sync"),
        ],
    ),
    row(
        "pthread_spin_lock",
        &[("pthread_spinlock_t", "pthread_spin_lock(@)")],
        &["pthread_spin_init(&spin, 0); assert(pthread_spin_lock(&spin) == 0);"],
        &[
            ("pthread_spin_lock(&spin);", "uninitialized-sync"),
            (
                "pthread_spin_init(&spin, 0); pthread_spin_lock(&spin); pthread_spin_lock(&spin);",
                "relock",
            ),
            (
                "pthread_spin_init(&spin, 0); pthread_spin_destroy(&spin); pthread_spin_lock(&spin);",
                "use-after-destroy",
            ),
        ],
    ),
    row(
        "pthread_spin_trylock",
        &[("pthread_spinlock_t", "pthread_spin_trylock(@)")],
        &[
            "pthread_spin_init(&spin, 0); assert(pthread_spin_trylock(&spin) == 0 && pthread_spin_trylock(&spin) == EBUSY);",
        ],
        &[("pthread_spin_trylock(&spin);", "uninitialized-sync")],
    ),
    row(
        "pthread_spin_unlock",
        &[("pthread_spinlock_t", "pthread_spin_unlock(@)")],
        &[
            "pthread_spin_init(&spin, 0); pthread_spin_lock(&spin); assert(pthread_spin_unlock(&spin) == 0);",
        ],
        &[
            ("pthread_spin_unlock(&spin);", "uninitialized-sync"),
            ("pthread_spin_init(&spin, 0); pthread_spin_unlock(&spin);", "unlock-not-held"),
        ],
    ),
    // Reader-writer locks.
    row(
        "pthread_rwlock_init",
        &[
            ("pthread_rwlock_t", "pthread_rwlock_init(@, 0)"),
            ("pthread_rwlockattr_t", "pthread_rwlock_init(&rw, @)"),
        ],
        &["assert(pthread_rwlock_init(&rw, 0) == 0);"],
        &[
            ("pthread_rwlock_rdlock(&rw); pthread_rwlock_init(&rw, 0);", "init-in-use"),
            ("pthread_rwlockattr_t a; pthread_rwlock_init(&rw, &a);", "uninitialized-sync"),
        ],
    ),
    row(
        "pthread_rwlock_destroy",
        &[("pthread_rwlock_t", "pthread_rwlock_destroy(@)")],
        &["assert(pthread_rwlock_destroy(&rw) == 0);"],
        &[
            ("pthread_rwlock_rdlock(&rw); pthread_rwlock_destroy(&rw);", "destroy-in-use"),
            ("pthread_rwlock_t l; pthread_rwlock_destroy(&l);", "uninitialized-sync"),
            ("pthread_rwlock_destroy(&rw); pthread_rwlock_destroy(&rw);", "use-after-destroy"),
        ],
    ),
    row(
        "pthread_rwlock_rdlock",
        &[("pthread_rwlock_t", "pthread_rwlock_rdlock(@)")],
        &[
            "assert(pthread_rwlock_rdlock(&rw) == 0 && pthread_rwlock_rdlock(&rw) == 0);",
            "pthread_rwlock_wrlock(&rw); assert(pthread_rwlock_rdlock(&rw) == EDEADLK);",
            "assert(pthread_rwlock_rdlock(&rww) == 0);",
        ],
        &[
            ("pthread_rwlock_t l; pthread_rwlock_rdlock(&l);", "uninitialized-sync"),
            ("pthread_rwlock_destroy(&rw); pthread_rwlock_rdlock(&rw);", "use-after-destroy"),
        ],
    ),
    row(
        "pthread_rwlock_tryrdlock",
        &[("pthread_rwlock_t", "pthread_rwlock_tryrdlock(@)")],
        &[
            "assert(pthread_rwlock_tryrdlock(&rw) == 0);",
            "pthread_rwlock_wrlock(&rw); assert(pthread_rwlock_tryrdlock(&rw) == EBUSY);",
        ],
        &[("pthread_rwlock_t l; pthread_rwlock_tryrdlock(&l);", "uninitialized-sync")],
    ),
    row(
        "pthread_rwlock_timedrdlock",
        &[
            ("pthread_rwlock_t", "pthread_rwlock_timedrdlock(@, &soon)"),
            ("struct timespec", "pthread_rwlock_timedrdlock(&rw, @)"),
        ],
        &[
            "assert(pthread_rwlock_timedrdlock(&rw, &soon) == 0 && pthread_rwlock_timedrdlock(&rw, &bad) == EINVAL);",
            "pthread_rwlock_wrlock(&rw); assert(pthread_rwlock_timedrdlock(&rw, &soon) == EDEADLK);",
            "int v; pthread_create(&t, 0, hold, &m); v = pthread_rwlock_timedrdlock(&rw, &soon); assert(v == 0 || v == ETIMEDOUT);",
        ],
        &[("pthread_rwlock_t l; pthread_rwlock_timedrdlock(&l, &soon);", "uninitialized-sync")],
    ),
    row(
        "pthread_rwlock_clockrdlock",
        &[
            ("pthread_rwlock_t", "pthread_rwlock_clockrdlock(@, CLOCK_REALTIME, &soon)"),
            ("struct timespec", "pthread_rwlock_clockrdlock(&rw, CLOCK_REALTIME, @)"),
        ],
        &[
            "assert(pthread_rwlock_clockrdlock(&rw, 99, &soon) == EINVAL && pthread_rwlock_clockrdlock(&rw, CLOCK_REALTIME, &soon) == 0);",
            "int v; pthread_rwlock_wrlock(&rw); v = pthread_rwlock_clockrdlock(&rw, CLOCK_REALTIME, &soon); assert(v == EDEADLK && v != ETIMEDOUT);",
        ],
        &[(
            "pthread_rwlock_t l; pthread_rwlock_clockrdlock(&l, CLOCK_REALTIME, &soon);",
            "uninitialized-sync",
        )],
    ),
    row(
        "pthread_rwlock_wrlock",
        &[("pthread_rwlock_t", "pthread_rwlock_wrlock(@)")],
        &["assert(pthread_rwlock_wrlock(&rw) == 0 && pthread_rwlock_wrlock(&rw) == EDEADLK);"],
        &[
            ("pthread_rwlock_t l; pthread_rwlock_wrlock(&l);", "uninitialized-sync"),
            ("pthread_rwlock_rdlock(&rw); pthread_rwlock_wrlock(&rw);", "lock-cycle"),
            ("pthread_rwlock_rdlock(&rww); pthread_rwlock_wrlock(&rww);", "lock-cycle"),
        ],
    ),
    row(
        "pthread_rwlock_trywrlock",
        &[("pthread_rwlock_t", "pthread_rwlock_trywrlock(@)")],
        &["assert(pthread_rwlock_trywrlock(&rw) == 0 && pthread_rwlock_trywrlock(&rw) == EBUSY);"],
        &[("pthread_rwlock_t l; pthread_rwlock_trywrlock(&l);", "uninitialized-sync")],
    ),
    row(
        "pthread_rwlock_timedwrlock",
        &[
            ("pthread_rwlock_t", "pthread_rwlock_timedwrlock(@, &soon)"),
            ("struct timespec", "pthread_rwlock_timedwrlock(&rw, @)"),
        ],
        &[
            "assert(pthread_rwlock_timedwrlock(&rw, &bad) == EINVAL && pthread_rwlock_timedwrlock(&rw, &soon) == 0 && pthread_rwlock_timedwrlock(&rw, &soon) == EDEADLK);",
            "pthread_rwlock_rdlock(&rw); assert(pthread_rwlock_timedwrlock(&rw, &soon) == ETIMEDOUT);",
            "pthread_rwlock_rdlock(&rww); assert(pthread_rwlock_timedwrlock(&rww, &soon) == ETIMEDOUT); assert(pthread_rwlock_rdlock(&rww) == 0);",
        ],
        &[("pthread_rwlock_t l; pthread_rwlock_timedwrlock(&l, &soon);", "uninitialized-sync")],
    ),
    row(
        "pthread_rwlock_clockwrlock",
        &[
            ("pthread_rwlock_t", "pthread_rwlock_clockwrlock(@, CLOCK_REALTIME, &soon)"),
            ("struct timespec", "pthread_rwlock_clockwrlock(&rw, CLOCK_REALTIME, @)"),
        ],
        &[
            "assert(pthread_rwlock_clockwrlock(&rw, 99, &soon) == EINVAL && pthread_rwlock_clockwrlock(&rw, CLOCK_REALTIME, &soon) == 0 && pthread_rwlock_clockwrlock(&rw, CLOCK_REALTIME, &soon) == EDEADLK);",
            "pthread_rwlock_rdlock(&rw); assert(pthread_rwlock_clockwrlock(&rw, CLOCK_REALTIME, &soon) == ETIMEDOUT);",
        ],
        &[(
            "pthread_rwlock_t l; pthread_rwlock_clockwrlock(&l, CLOCK_REALTIME, &soon);",
            "uninitialized-sync",
        )],
    ),
    row(
        "pthread_rwlock_unlock",
        &[("pthread_rwlock_t", "pthread_rwlock_unlock(@)")],
        &[
            "pthread_rwlock_wrlock(&rw); assert(pthread_rwlock_unlock(&rw) == 0);",
            "pthread_rwlock_rdlock(&rw); assert(pthread_rwlock_unlock(&rw) == 0);",
        ],
        &[
            ("pthread_rwlock_t l; pthread_rwlock_unlock(&l);", "uninitialized-sync"),
            ("pthread_rwlock_unlock(&rw);", "unlock-not-held"),
        ],
    ),
    // Condition variables.
    row(
        "pthread_cond_init",
        &[
            ("pthread_cond_t", "pthread_cond_init(@, 0)"),
            ("pthread_condattr_t", "pthread_cond_init(&c, @)"),
        ],
        &[
            "assert(pthread_cond_init(&c, 0) == 0);",
            "pthread_condattr_t a; pthread_condattr_init(&a); assert(pthread_cond_init(&c, &a) == 0);",
        ],
        &[("pthread_condattr_t a; pthread_cond_init(&c, &a);", "uninitialized-sync")],
    ),
    row(
        "pthread_cond_destroy",
        &[("pthread_cond_t", "pthread_cond_destroy(@)")],
        &["assert(pthread_cond_destroy(&c) == 0);"],
        &[
            ("pthread_cond_t v; pthread_cond_destroy(&v);", "uninitialized-sync"),
            ("pthread_cond_destroy(&c); pthread_cond_destroy(&c);", "use-after-destroy"),
        ],
    ),
    row(
        "pthread_cond_wait",
        &[
            ("pthread_cond_t", "(pthread_mutex_lock(&m), pthread_cond_wait(@, &m))"),
            ("pthread_mutex_t", "pthread_cond_wait(&c, @)"),
        ],
        &["assert(pthread_cond_wait(&c, &e) == EPERM);"],
        &[
            ("pthread_cond_wait(&c, &m);", "wait-without-mutex"),
            ("pthread_cond_wait(&c, &r);", "wait-without-mutex"),
            (
                "pthread_cond_t v; pthread_mutex_lock(&m); pthread_cond_wait(&v, &m);",
                "uninitialized-sync",
            ),
            ("pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);", "no-progress"),
        ],
    ),
    row(
        "pthread_cond_timedwait",
        &[
            ("pthread_cond_t", "(pthread_mutex_lock(&m), pthread_cond_timedwait(@, &m, &soon))"),
            ("pthread_mutex_t", "pthread_cond_timedwait(&c, @, &soon)"),
            ("struct timespec", "(pthread_mutex_lock(&m), pthread_cond_timedwait(&c, &m, @))"),
        ],
        &[
            "pthread_mutex_lock(&m); assert(pthread_cond_timedwait(&c, &m, &bad) == EINVAL && pthread_mutex_trylock(&m) == EBUSY);",
            "int v; pthread_mutex_lock(&m); v = pthread_cond_timedwait(&c, &m, &soon); assert((v == 0 || v == ETIMEDOUT) && pthread_mutex_trylock(&m) == EBUSY);",
            "assert(pthread_cond_timedwait(&c, &e, &soon) == EPERM);",
        ],
        &[("pthread_cond_timedwait(&c, &m, &soon);", "wait-without-mutex")],
    ),
    row(
        "pthread_cond_clockwait",
        &[
            (
                "pthread_cond_t",
                "(pthread_mutex_lock(&m), pthread_cond_clockwait(@, &m, CLOCK_REALTIME, &soon))",
            ),
            (
                "struct timespec",
                "(pthread_mutex_lock(&m), pthread_cond_clockwait(&c, &m, CLOCK_REALTIME, @))",
            ),
        ],
        &[
            "pthread_mutex_lock(&m); assert(pthread_cond_clockwait(&c, &m, 99, &soon) == EINVAL && pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &bad) == EINVAL);",
            "assert(pthread_cond_clockwait(&c, &e, CLOCK_REALTIME, &soon) == EPERM);",
        ],
        &[("pthread_cond_clockwait(&c, &m, CLOCK_REALTIME, &soon);", "wait-without-mutex")],
    ),
    row(
        "pthread_cond_signal",
        &[("pthread_cond_t", "pthread_cond_signal(@)")],
        &["assert(pthread_cond_signal(&c) == 0);"],
        &[
            ("pthread_cond_t v; pthread_cond_signal(&v);", "uninitialized-sync"),
            ("pthread_cond_destroy(&c); pthread_cond_signal(&c);", "use-after-destroy"),
        ],
    ),
    row(
        "pthread_cond_broadcast",
        &[("pthread_cond_t", "pthread_cond_broadcast(@)")],
        &["assert(pthread_cond_broadcast(&c) == 0);"],
        &[
            ("pthread_cond_t v; pthread_cond_broadcast(&v);", "uninitialized-sync"),
            ("pthread_cond_destroy(&c); pthread_cond_broadcast(&c);", "use-after-destroy"),
        ],
    ),
    row("cnd_init", &[("cnd_t", "cnd_init(@)")], &["assert(cnd_init(&cn) == thrd_success);"], &[]),
    row(
        "cnd_destroy",
        &[("cnd_t", "cnd_destroy(@)")],
        &["cnd_init(&cn); cnd_destroy(&cn);"],
        &[("cnd_t v; cnd_destroy(&v);", "uninitialized-sync")],
    ),
    row(
        "cnd_wait",
        &[
            ("cnd_t", "(mtx_init(&mt, 0), mtx_lock(&mt), cnd_wait(@, &mt))"),
            ("mtx_t", "(cnd_init(&cn), cnd_wait(&cn, @))"),
        ],
        &[],
        &[("mtx_init(&mt, 0); cnd_init(&cn); cnd_wait(&cn, &mt);", "wait-without-mutex")],
    ),
    row(
        "cnd_timedwait",
        &[
            ("cnd_t", "(mtx_init(&mt, 0), mtx_lock(&mt), cnd_timedwait(@, &mt, &soon))"),
            (
                "struct timespec",
                "(mtx_init(&mt, 0), cnd_init(&cn), mtx_lock(&mt), cnd_timedwait(&cn, &mt, @))",
            ),
        ],
        &[
            "int v; mtx_init(&mt, 0); cnd_init(&cn); mtx_lock(&mt); assert(cnd_timedwait(&cn, &mt, &bad) == thrd_error); v = cnd_timedwait(&cn, &mt, &soon); assert(v == thrd_success || v == thrd_timedout);",
        ],
        &[(
            "mtx_init(&mt, 0); cnd_init(&cn); cnd_timedwait(&cn, &mt, &soon);",
            "wait-without-mutex",
        )],
    ),
    row(
        "cnd_signal",
        &[("cnd_t", "cnd_signal(@)")],
        &["cnd_init(&cn); assert(cnd_signal(&cn) == thrd_success);"],
        &[("cnd_t v; cnd_signal(&v);", "uninitialized-sync")],
    ),
    row(
        "cnd_broadcast",
        &[("cnd_t", "cnd_broadcast(@)")],
        &["cnd_init(&cn); assert(cnd_broadcast(&cn) == thrd_success);"],
        &[("cnd_t v; cnd_broadcast(&v);", "uninitialized-sync")],
    ),
    // Barriers.
    row(
        "pthread_barrier_init",
        &[
            ("pthread_barrier_t", "pthread_barrier_init(@, 0, 1)"),
            ("pthread_barrierattr_t", "pthread_barrier_init(&bar, @, 1)"),
        ],
        &[
            "assert(pthread_barrier_init(&bar, 0, 0) == EINVAL && pthread_barrier_init(&bar, 0, 0x80000000u) == EINVAL && pthread_barrier_init(&bar, 0, 1) == 0);",
        ],
        &[("pthread_barrierattr_t a; pthread_barrier_init(&bar, &a, 1);", "uninitialized-sync")],
    ),
    row(
        "pthread_barrier_destroy",
        &[("pthread_barrier_t", "pthread_barrier_destroy(@)")],
        &["pthread_barrier_init(&bar, 0, 1); assert(pthread_barrier_destroy(&bar) == 0);"],
        &[
            ("pthread_barrier_destroy(&bar);", "uninitialized-sync"),
            (
                "pthread_barrier_init(&bar, 0, 1); pthread_barrier_destroy(&bar); pthread_barrier_destroy(&bar);",
                "use-after-destroy",
            ),
        ],
    ),
    row(
        "pthread_barrier_wait",
        &[("pthread_barrier_t", "pthread_barrier_wait(@)")],
        &[
            "pthread_barrier_init(&bar, 0, 1); assert(pthread_barrier_wait(&bar) == PTHREAD_BARRIER_SERIAL_THREAD);",
        ],
        &[
            ("pthread_barrier_wait(&bar);", "uninitialized-sync"),
            ("pthread_barrier_init(&bar, 0, 2); pthread_barrier_wait(&bar);", "no-progress"),
        ],
    ),
    // One-time initialization.
    row(
        "pthread_once",
        &[("pthread_once_t", "pthread_once(@, count)")],
        &["assert(pthread_once(&once, count) == 0 && pthread_once(&once, count) == 0 && x == 1);"],
        &[],
    ),
    row(
        "call_once",
        &[("once_flag", "call_once(@, count)")],
        &["call_once(&flag, count); call_once(&flag, count); assert(x == 1);"],
        &[],
    ),
    // Semaphores.
    row(
        "sem_init",
        &[("sem_t", "sem_init(@, 0, 1)")],
        &[
            "assert(sem_init(&sem, 0, 1) == 0 && sem_init(&sem, 0, 0x80000000u) == -1 && errno == EINVAL);",
        ],
        &[],
    ),
    row(
        "sem_destroy",
        &[("sem_t", "sem_destroy(@)")],
        &["sem_init(&sem, 0, 1); assert(sem_destroy(&sem) == 0);"],
        &[
            ("sem_destroy(&sem);", "uninitialized-sync"),
            ("sem_init(&sem, 0, 1); sem_destroy(&sem); sem_destroy(&sem);", "use-after-destroy"),
        ],
    ),
    row(
        "sem_wait",
        &[("sem_t", "sem_wait(@)")],
        &["sem_init(&sem, 0, 1); assert(sem_wait(&sem) == 0);"],
        &[
            ("sem_wait(&sem);", "uninitialized-sync"),
            ("sem_init(&sem, 0, 0); sem_wait(&sem);", "no-progress"),
        ],
    ),
    row(
        "sem_trywait",
        &[("sem_t", "sem_trywait(@)")],
        &[
            "sem_init(&sem, 0, 1); assert(sem_trywait(&sem) == 0 && sem_trywait(&sem) == -1 && errno == EAGAIN);",
        ],
        &[("sem_trywait(&sem);", "uninitialized-sync")],
    ),
    row(
        "sem_timedwait",
        &[
            ("sem_t", "sem_timedwait(@, &soon)"),
            ("struct timespec", "(sem_init(&sem, 0, 1), sem_timedwait(&sem, @))"),
        ],
        &[
            "sem_init(&sem, 0, 1); assert(sem_timedwait(&sem, &bad) == -1 && errno == EINVAL); assert(sem_timedwait(&sem, &soon) == 0 && sem_timedwait(&sem, &soon) == -1 && errno == ETIMEDOUT);",
        ],
        &[("sem_timedwait(&sem, &soon);", "uninitialized-sync")],
    ),
    row(
        "sem_clockwait",
        &[
            ("sem_t", "sem_clockwait(@, CLOCK_REALTIME, &soon)"),
            ("struct timespec", "(sem_init(&sem, 0, 1), sem_clockwait(&sem, CLOCK_REALTIME, @))"),
        ],
        &[
            "sem_init(&sem, 0, 1); assert(sem_clockwait(&sem, 99, &soon) == -1 && errno == EINVAL); assert(sem_clockwait(&sem, CLOCK_REALTIME, &soon) == 0 && sem_clockwait(&sem, CLOCK_REALTIME, &soon) == -1 && errno == ETIMEDOUT);",
        ],
        &[("sem_clockwait(&sem, CLOCK_REALTIME, &soon);", "uninitialized-sync")],
    ),
    row(
        "sem_post",
        &[("sem_t", "sem_post(@)")],
        &[
            "sem_init(&sem, 0, 0x7fffffff); assert(sem_post(&sem) == -1 && errno == EOVERFLOW);",
            "sem_init(&sem, 0, 0); assert(sem_post(&sem) == 0);",
        ],
        &[("sem_post(&sem);", "uninitialized-sync")],
    ),
    row(
        "sem_getvalue",
        &[
            ("sem_t", "sem_getvalue(@, &got)"),
            ("int", "(sem_init(&sem, 0, 1), sem_getvalue(&sem, @))"),
        ],
        &["sem_init(&sem, 0, 5); assert(sem_getvalue(&sem, &got) == 0 && got == 5);"],
        &[("sem_getvalue(&sem, &got);", "uninitialized-sync")],
    ),
];
