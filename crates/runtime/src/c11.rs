//! The functions of C11's `<threads.h>`, taken over.

use unravel_sync::{MutexKind, SyncOp, codes};

use crate::perform::{Call, perform};
use crate::posix::counts;
use crate::{create, real};

type Time = *const [i64; 2];

/// `TIME_UTC` is the clock of real time.
const CLOCK_REALTIME: i32 = 0;

macro_rules! plain {
    ($($name:ident = $text:literal, $op:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(object: usize) -> i32 {
                if counts() {
                    return codes::c11_result(perform(&Call::new(SyncOp::$op, object)));
                }
                // SAFETY: the caller's own call, passed on; so in all functions below.
                unsafe { real!($text (object => usize) -> i32) }
            }
        )*
    };
}

plain! {
    mtx_lock = "mtx_lock", MutexLock;
    mtx_trylock = "mtx_trylock", MutexTryLock;
    mtx_unlock = "mtx_unlock", MutexUnlock;
    cnd_signal = "cnd_signal", CondSignal;
    cnd_broadcast = "cnd_broadcast", CondBroadcast;
}

macro_rules! silent {
    ($($name:ident = $text:literal, $op:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(object: usize) {
                if counts() {
                    perform(&Call::new(SyncOp::$op, object));
                    return;
                }
                // SAFETY: see `plain`.
                unsafe { real!($text (object => usize)) }
            }
        )*
    };
}

silent! {
    mtx_destroy = "mtx_destroy", MutexDestroy;
    cnd_destroy = "cnd_destroy", CondDestroy;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mtx_init(object: usize, flags: i32) -> i32 {
    // SAFETY: see `plain`.
    let code = unsafe { real!("mtx_init" (object => usize, flags => i32) -> i32) };
    if code == 0 && counts() {
        let kind = MutexKind::of_flags(flags as u32);
        let call = Call { kind, ..Call::new(SyncOp::MutexInitC11, object) };
        return codes::c11_result(perform(&call));
    }
    code
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cnd_init(object: usize) -> i32 {
    // SAFETY: see `plain`.
    let code = unsafe { real!("cnd_init" (object => usize) -> i32) };
    if code == 0 && counts() {
        return codes::c11_result(perform(&Call::new(SyncOp::CondInit, object)));
    }
    code
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mtx_timedlock(object: usize, time: Time) -> i32 {
    if counts() {
        let time = Some((time, CLOCK_REALTIME));
        let call = Call { time, ..Call::new(SyncOp::MutexTimedLock, object) };
        return codes::c11_result(perform(&call));
    }
    // SAFETY: see `plain`.
    unsafe { real!("mtx_timedlock" (object => usize, time => Time) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cnd_wait(object: usize, mutex: usize) -> i32 {
    if counts() {
        let call = Call { second: mutex, ..Call::new(SyncOp::CondWait, object) };
        return codes::c11_result(perform(&call));
    }
    // SAFETY: see `plain`.
    unsafe { real!("cnd_wait" (object => usize, mutex => usize) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cnd_timedwait(object: usize, mutex: usize, time: Time) -> i32 {
    if counts() {
        let time = Some((time, CLOCK_REALTIME));
        let call = Call { second: mutex, time, ..Call::new(SyncOp::CondTimedWait, object) };
        return codes::c11_result(perform(&call));
    }
    // SAFETY: see `plain`.
    unsafe { real!("cnd_timedwait" (object => usize, mutex => usize, time => Time) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn call_once(object: usize, function: usize) {
    if counts() {
        perform(&Call { second: function, ..Call::new(SyncOp::Once, object) });
        return;
    }
    // SAFETY: see `plain`.
    unsafe { real!("call_once" (object => usize, function => usize)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn thrd_create(handle: *mut usize, start: usize, argument: usize) -> i32 {
    if counts() {
        return codes::c11_result(create::create(handle, 0, start, argument, true));
    }
    // SAFETY: see `plain`.
    unsafe { real!("thrd_create" (handle => *mut usize, start => usize, argument => usize) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn thrd_join(handle: usize, result: *mut i32) -> i32 {
    if counts() {
        let mut whole = 0_usize;
        let code = create::join(handle, &raw mut whole, None);
        if code == 0 && !result.is_null() {
            // SAFETY: the program passes the address of an `int`.
            unsafe { result.write_unaligned(whole as i32) };
        }
        return codes::c11_result(code);
    }
    // SAFETY: see `plain`.
    unsafe { real!("thrd_join" (handle => usize, result => *mut i32) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn thrd_detach(handle: usize) -> i32 {
    if counts() {
        create::step_of_call();
        create::detached(handle);
    }
    // SAFETY: see `plain`.
    unsafe { real!("thrd_detach" (handle => usize) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn thrd_yield() {
    create::give_way();
}

#[unsafe(no_mangle)]
unsafe extern "C" fn thrd_sleep(time: *const [i64; 2], left: usize) -> i32 {
    // SAFETY: the program passes the address of a time.
    if counts() && create::is_time(unsafe { time.read_unaligned() }) {
        // SAFETY: likewise.
        create::sleep_for(unsafe { time.read_unaligned() });
        return 0;
    }
    // SAFETY: see `plain`.
    unsafe { real!("thrd_sleep" (time => *const [i64; 2], left => usize) -> i32) }
}
