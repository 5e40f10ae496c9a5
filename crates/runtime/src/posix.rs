//! The functions of pthreads and POSIX semaphores, taken over.
//!
//! Where the run is not controlled, each goes on to the real one. Objects are initialized by the real
//! functions as well, so that their memory looks as the program expects.

use unravel_sync::{MutexKind, SyncOp, codes};

use crate::perform::{Call, perform};
use crate::real::set_errno;
use crate::{create, local, real, token};

const CLOCK_REALTIME: i32 = 0;

/// Whether the calling thread's operations are modelled.
pub(crate) fn counts() -> bool {
    token::is_active() && local::is_somebody()
}

type Time = *const [i64; 2];

/// `int f(object)`, returning an error code.
macro_rules! plain {
    ($($name:ident = $text:literal $(@ $version:literal)?, $op:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(object: usize) -> i32 {
                if counts() {
                    return perform(&Call::new(SyncOp::$op, object));
                }
                // SAFETY: the caller's own call, passed on.
                unsafe { real!($text $(@ $version)? (object => usize) -> i32) }
            }
        )*
    };
}

plain! {
    pthread_mutex_lock = "pthread_mutex_lock", MutexLock;
    pthread_mutex_trylock = "pthread_mutex_trylock", MutexTryLock;
    pthread_mutex_unlock = "pthread_mutex_unlock", MutexUnlock;
    pthread_mutex_destroy = "pthread_mutex_destroy", MutexDestroy;
    pthread_spin_lock = "pthread_spin_lock", SpinLock;
    pthread_spin_trylock = "pthread_spin_trylock", SpinTryLock;
    pthread_spin_unlock = "pthread_spin_unlock", SpinUnlock;
    pthread_spin_destroy = "pthread_spin_destroy", SpinDestroy;
    pthread_rwlock_rdlock = "pthread_rwlock_rdlock", RwReadLock;
    pthread_rwlock_tryrdlock = "pthread_rwlock_tryrdlock", RwTryReadLock;
    pthread_rwlock_wrlock = "pthread_rwlock_wrlock", RwWriteLock;
    pthread_rwlock_trywrlock = "pthread_rwlock_trywrlock", RwTryWriteLock;
    pthread_rwlock_unlock = "pthread_rwlock_unlock", RwUnlock;
    pthread_rwlock_destroy = "pthread_rwlock_destroy", RwDestroy;
    pthread_cond_signal = "pthread_cond_signal" @ "GLIBC_2.3.2", CondSignal;
    pthread_cond_broadcast = "pthread_cond_broadcast" @ "GLIBC_2.3.2", CondBroadcast;
    pthread_cond_destroy = "pthread_cond_destroy" @ "GLIBC_2.3.2", CondDestroy;
    pthread_barrier_wait = "pthread_barrier_wait", BarrierWait;
    pthread_barrier_destroy = "pthread_barrier_destroy", BarrierDestroy;
}

/// `int f(object, time)`.
macro_rules! timed {
    ($($name:ident = $text:literal, $op:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(object: usize, time: Time) -> i32 {
                if counts() {
                    let time = Some((time, CLOCK_REALTIME));
                    return perform(&Call { time, ..Call::new(SyncOp::$op, object) });
                }
                // SAFETY: the caller's own call, passed on.
                unsafe { real!($text (object => usize, time => Time) -> i32) }
            }
        )*
    };
}

timed! {
    pthread_mutex_timedlock = "pthread_mutex_timedlock", MutexTimedLock;
    pthread_rwlock_timedrdlock = "pthread_rwlock_timedrdlock", RwTimedReadLock;
    pthread_rwlock_timedwrlock = "pthread_rwlock_timedwrlock", RwTimedWriteLock;
}

/// `int f(object, clock, time)`.
macro_rules! clocked {
    ($($name:ident = $text:literal, $op:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(object: usize, clock: i32, time: Time) -> i32 {
                if counts() {
                    let time = Some((time, clock));
                    return perform(&Call { time, ..Call::new(SyncOp::$op, object) });
                }
                // SAFETY: the caller's own call, passed on.
                unsafe { real!($text (object => usize, clock => i32, time => Time) -> i32) }
            }
        )*
    };
}

clocked! {
    pthread_mutex_clocklock = "pthread_mutex_clocklock", MutexTimedLock;
    pthread_rwlock_clockrdlock = "pthread_rwlock_clockrdlock", RwTimedReadLock;
    pthread_rwlock_clockwrlock = "pthread_rwlock_clockwrlock", RwTimedWriteLock;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_cond_wait(object: usize, mutex: usize) -> i32 {
    if counts() {
        return perform(&Call { second: mutex, ..Call::new(SyncOp::CondWait, object) });
    }
    // SAFETY: the caller's own call, passed on; so in all functions below.
    unsafe { real!("pthread_cond_wait" @ "GLIBC_2.3.2" (object => usize, mutex => usize) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_cond_timedwait(object: usize, mutex: usize, time: Time) -> i32 {
    if counts() {
        return timed_wait(object, mutex, time, CLOCK_REALTIME);
    }
    // SAFETY: see `pthread_cond_wait`.
    unsafe {
        real!("pthread_cond_timedwait" @ "GLIBC_2.3.2" (object => usize, mutex => usize, time => Time) -> i32)
    }
}

fn timed_wait(object: usize, mutex: usize, time: Time, clock: i32) -> i32 {
    let time = Some((time, clock));
    perform(&Call { second: mutex, time, ..Call::new(SyncOp::CondTimedWait, object) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_cond_clockwait(
    object: usize,
    mutex: usize,
    clock: i32,
    time: Time,
) -> i32 {
    if counts() {
        return timed_wait(object, mutex, time, clock);
    }
    // SAFETY: see `pthread_cond_wait`.
    unsafe {
        real!("pthread_cond_clockwait" (object => usize, mutex => usize, clock => i32, time => Time) -> i32)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_mutex_init(object: usize, attributes: usize) -> i32 {
    // SAFETY: see `pthread_cond_wait`.
    let code = unsafe { real!("pthread_mutex_init" (object => usize, attributes => usize) -> i32) };
    if code == 0 && counts() {
        let kind = kind_in(object, codes::mutex_kind_offset(8));
        let kind = MutexKind::of_number(kind & 3);
        return perform(&Call { kind, ..Call::new(SyncOp::MutexInit, object) });
    }
    refused(SyncOp::MutexInit, object, code)
}

/// An initialization that the real function refuses is an event as well.
fn refused(op: SyncOp, object: usize, code: i32) -> i32 {
    if code != 0 && counts() {
        crate::perform::fails(&Call::new(op, object), code);
    }
    code
}

/// The kind that the real function has put into the object.
fn kind_in(object: usize, offset: u64) -> u32 {
    // SAFETY: the object has just been initialized.
    unsafe { ((object + offset as usize) as *const u32).read_unaligned() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_rwlock_init(object: usize, attributes: usize) -> i32 {
    // SAFETY: see `pthread_cond_wait`.
    let code =
        unsafe { real!("pthread_rwlock_init" (object => usize, attributes => usize) -> i32) };
    if code == 0 && counts() {
        let kind = MutexKind::of_rwlock_number(kind_in(object, codes::rwlock_kind_offset(8)));
        return perform(&Call { kind, ..Call::new(SyncOp::RwInit, object) });
    }
    refused(SyncOp::RwInit, object, code)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_cond_init(object: usize, attributes: usize) -> i32 {
    // SAFETY: see `pthread_cond_wait`.
    let code = unsafe {
        real!("pthread_cond_init" @ "GLIBC_2.3.2" (object => usize, attributes => usize) -> i32)
    };
    if code == 0 && counts() { perform(&Call::new(SyncOp::CondInit, object)) } else { code }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_spin_init(object: usize, shared: i32) -> i32 {
    // SAFETY: see `pthread_cond_wait`.
    let code = unsafe { real!("pthread_spin_init" (object => usize, shared => i32) -> i32) };
    if code == 0 && counts() { perform(&Call::new(SyncOp::SpinInit, object)) } else { code }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_barrier_init(object: usize, attributes: usize, count: u32) -> i32 {
    // SAFETY: see `pthread_cond_wait`.
    let code = unsafe {
        real!("pthread_barrier_init" (object => usize, attributes => usize, count => u32) -> i32)
    };
    if code == 0 && counts() {
        let argument = count.into();
        return perform(&Call { argument, ..Call::new(SyncOp::BarrierInit, object) });
    }
    refused(SyncOp::BarrierInit, object, code)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_once(object: usize, function: usize) -> i32 {
    // What a library initializes for itself is no business of the program.
    if counts() && (create::is_of_program(object) || create::is_of_program(function)) {
        return perform(&Call { second: function, ..Call::new(SyncOp::Once, object) });
    }
    // SAFETY: see `pthread_cond_wait`.
    unsafe { real!("pthread_once" (object => usize, function => usize) -> i32) }
}

/// The convention of semaphores: −1, and the code in `errno`.
fn with_errno(code: i32) -> i32 {
    if code == 0 {
        return 0;
    }
    set_errno(code);
    -1
}

macro_rules! semaphores {
    ($($name:ident = $text:literal, $op:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(object: usize) -> i32 {
                if counts() {
                    return with_errno(perform(&Call::new(SyncOp::$op, object)));
                }
                // SAFETY: see `pthread_cond_wait`.
                unsafe { real!($text (object => usize) -> i32) }
            }
        )*
    };
}

semaphores! {
    sem_wait = "sem_wait", SemWait;
    sem_trywait = "sem_trywait", SemTryWait;
    sem_post = "sem_post", SemPost;
    sem_destroy = "sem_destroy", SemDestroy;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sem_init(object: usize, shared: i32, value: u32) -> i32 {
    // SAFETY: see `pthread_cond_wait`.
    let code = unsafe { real!("sem_init" (object => usize, shared => i32, value => u32) -> i32) };
    if code == 0 && counts() {
        let argument = value.into();
        return with_errno(perform(&Call { argument, ..Call::new(SyncOp::SemInit, object) }));
    }
    code
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sem_timedwait(object: usize, time: Time) -> i32 {
    if counts() {
        let time = Some((time, CLOCK_REALTIME));
        return with_errno(perform(&Call { time, ..Call::new(SyncOp::SemTimedWait, object) }));
    }
    // SAFETY: see `pthread_cond_wait`.
    unsafe { real!("sem_timedwait" (object => usize, time => Time) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sem_clockwait(object: usize, clock: i32, time: Time) -> i32 {
    if counts() {
        let time = Some((time, clock));
        return with_errno(perform(&Call { time, ..Call::new(SyncOp::SemTimedWait, object) }));
    }
    // SAFETY: see `pthread_cond_wait`.
    unsafe { real!("sem_clockwait" (object => usize, clock => i32, time => Time) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sem_getvalue(object: usize, value: usize) -> i32 {
    if counts() {
        return with_errno(perform(&Call {
            second: value,
            ..Call::new(SyncOp::SemGetValue, object)
        }));
    }
    // SAFETY: see `pthread_cond_wait`.
    unsafe { real!("sem_getvalue" (object => usize, value => usize) -> i32) }
}
