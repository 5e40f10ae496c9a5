//! Numbers of the platform (Linux, glibc, x86).

#[allow(missing_docs, reason = "the names are POSIX's")]
mod errno {
    pub const EPERM: i32 = 1;
    pub const ESRCH: i32 = 3;
    pub const EAGAIN: i32 = 11;
    pub const ENOMEM: i32 = 12;
    pub const EBUSY: i32 = 16;
    pub const EINVAL: i32 = 22;
    pub const EDOM: i32 = 33;
    pub const ERANGE: i32 = 34;
    pub const EDEADLK: i32 = 35;
    pub const EOVERFLOW: i32 = 75;
    pub const ETIMEDOUT: i32 = 110;
}
pub use errno::*;

/// `PTHREAD_BARRIER_SERIAL_THREAD`.
pub const SERIAL_THREAD: i32 = -1;

/// Kinds of a pthread mutex, as `pthread_mutexattr_settype` takes them.
pub const MUTEX_RECURSIVE: u32 = 1;
/// `PTHREAD_MUTEX_ERRORCHECK`.
pub const MUTEX_ERRORCHECK: u32 = 2;

/// The bit of `mtx_init`'s type that asks for a recursive mutex.
pub const C11_RECURSIVE: u32 = 1;

/// `PTHREAD_CREATE_DETACHED`.
pub const CREATE_DETACHED: u32 = 1;

/// `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP`.
pub const RWLOCK_PREFERS_WRITERS: u32 = 2;

/// `PTHREAD_KEYS_MAX`.
pub const KEYS_MAX: usize = 1024;

/// `PTHREAD_DESTRUCTOR_ITERATIONS`: how often the destructors of a thread's data are gone through,
/// if they set data anew.
pub const DESTRUCTOR_ITERATIONS: u8 = 4;

/// The highest number of a clock that a timed wait takes: `CLOCK_REALTIME` or `CLOCK_MONOTONIC`.
pub const CLOCK_MONOTONIC: u32 = 1;

/// Nanoseconds in a second: `tv_nsec` is below.
pub const NANOSECONDS: u64 = 1_000_000_000;

/// The most threads that glibc lets a barrier wait for.
pub const BARRIER_MAX: u32 = 0x7fff_ffff;

/// `SEM_VALUE_MAX`.
pub const SEM_VALUE_MAX: u32 = 0x7fff_ffff;

/// Byte offset of the kind in glibc's `pthread_mutex_t`, where the static initializers of
/// recursive and error-checking mutexes put it.
#[must_use]
pub fn mutex_kind_offset(pointer_bytes: u8) -> u64 {
    if pointer_bytes == 8 { 16 } else { 12 }
}

/// The same for the kind in its `pthread_rwlock_t`.
#[must_use]
pub fn rwlock_kind_offset(pointer_bytes: u8) -> u64 {
    if pointer_bytes == 8 { 48 } else { 24 }
}

/// The name of an error code, if an operation of the model returns it.
#[must_use]
pub fn name(code: i32) -> Option<&'static str> {
    Some(match code {
        EPERM => "EPERM",
        ESRCH => "ESRCH",
        EAGAIN => "EAGAIN",
        EBUSY => "EBUSY",
        EINVAL => "EINVAL",
        EDEADLK => "EDEADLK",
        EOVERFLOW => "EOVERFLOW",
        ETIMEDOUT => "ETIMEDOUT",
        _ => return None,
    })
}

/// The result of a C11 `threads.h` function for a POSIX error code:
/// `thrd_success`, `thrd_busy`, `thrd_error`, `thrd_nomem`, `thrd_timedout`.
#[must_use]
pub fn c11_result(errno: i32) -> i32 {
    match errno {
        0 => 0,
        EBUSY => 1,
        ENOMEM => 3,
        ETIMEDOUT => 4,
        _ => 2,
    }
}
