//! Static local variables of C++: who initializes one, and who waits for it (Itanium C++ ABI §3.3.3).

use core::sync::atomic::{AtomicU8, Ordering};

use crate::posix::counts;
use crate::thread::On;
use crate::{real, token};

const BEGUN: u8 = 1;

/// The two bytes of a guard that matter: initialized; somebody is about to.
fn bytes(guard: usize) -> (&'static AtomicU8, &'static AtomicU8) {
    // SAFETY: the compiler passes the address of a guard, which has eight bytes.
    unsafe { (&*(guard as *const AtomicU8), &*((guard + 1) as *const AtomicU8)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __cxa_guard_acquire(guard: usize) -> i32 {
    if !counts() {
        // SAFETY: the caller's own call, passed on; so in all functions below.
        return unsafe { real!("__cxa_guard_acquire" (guard => usize) -> i32) };
    }
    let site = token::call_site();
    token::point(site, guard, true);
    token::record(token::event(unravel_wire::Kind::Outside, site));
    let (done, begun) = bytes(guard);
    while begun.load(Ordering::Acquire) == BEGUN && done.load(Ordering::Acquire) == 0 {
        token::wait(On::Guard(guard), None, site);
    }
    if done.load(Ordering::Acquire) != 0 {
        return 0;
    }
    begun.store(BEGUN, Ordering::Release);
    1
}

fn settle(guard: usize, is_done: bool) {
    let (done, begun) = bytes(guard);
    done.store(u8::from(is_done), Ordering::Release);
    begun.store(0, Ordering::Release);
    let scheduler = &mut token::runtime().scheduler;
    scheduler.changed();
    scheduler.wake_at(guard);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __cxa_guard_release(guard: usize) {
    if counts() {
        return settle(guard, true);
    }
    // SAFETY: see above.
    unsafe { real!("__cxa_guard_release" (guard => usize)) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __cxa_guard_abort(guard: usize) {
    if counts() {
        return settle(guard, false);
    }
    // SAFETY: see above.
    unsafe { real!("__cxa_guard_abort" (guard => usize)) };
}
