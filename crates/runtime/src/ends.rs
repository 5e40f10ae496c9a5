//! How a process ends.

use core::ffi::{c_char, c_void};

use unravel_wire::Kind;
use unravel_wire::record::{EXIT, Ending};

use crate::posix::counts;
use crate::{local, real, sys, token};

/// Writes the last record, if this thread has the token.
fn note(ending: Ending, a: u64, b: u64) {
    if counts() {
        let site = token::call_site();
        token::end_with(token::event(Kind::Ending, site).numbered(ending as u32).with(a, b));
    }
}

/// `exit` has run everything else.
pub extern "C" fn at_exit(code: i32, _argument: *mut c_void) {
    if counts() {
        // The others go on until the process is gone.
        token::point(EXIT, 0, true);
    }
    note(Ending::Exit, code as u64, 0);
}

/// Asks to be told of `exit`, before the program asks: so we are told last.
pub fn watch_exit() {
    // SAFETY: the real function, with a function of ours.
    unsafe { real!("on_exit" (at_exit as *const () => *const (), 0 => usize) -> i32) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn _exit(code: i32) -> ! {
    note(Ending::QuickExit, code as u64, 0);
    sys::exit_now(code)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn _Exit(code: i32) -> ! {
    note(Ending::QuickExit, code as u64, 0);
    sys::exit_now(code)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn quick_exit(code: i32) -> ! {
    // SAFETY: the caller's own call, passed on; `_exit` is told.
    unsafe { real!("quick_exit" (code => i32)) };
    sys::exit_now(code)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn abort() -> ! {
    note(Ending::Abort, 0, 0);
    // SAFETY: as above.
    unsafe { real!("abort"()) };
    sys::exit_now(134)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __assert_fail(
    expression: *const c_char,
    file: *const c_char,
    line: u32,
    function: *const c_char,
) -> ! {
    note(Ending::Assert, u64::from(line), 0);
    // SAFETY: as above.
    unsafe {
        real!("__assert_fail" (expression => *const c_char, file => *const c_char, line => u32,
            function => *const c_char));
    }
    sys::exit_now(134)
}

/// The handler's stack, for overflows of the program's own: one for each thread would cost memory
/// that hardly anybody needs, and only one thread runs at a time.
const STACK: usize = 1 << 16;

#[repr(C)]
struct SignalStack {
    at: usize,
    flags: i32,
    size: usize,
}

/// The calling thread handles signals on a stack of our own.
pub fn use_own_stack_for_signals() {
    let at = sys::map(STACK) as usize;
    if at != 0 {
        let stack = SignalStack { at, flags: 0, size: STACK };
        // SAFETY: the real function, with memory of ours.
        unsafe { real!("sigaltstack" (&raw const stack => *const SignalStack, 0 => usize) -> i32) };
    }
}

#[repr(C)]
struct SignalAction {
    handler: usize,
    mask: [u64; 16],
    flags: i32,
    restorer: usize,
}

const SIGNALS: [i32; 4] = [11, 7, 8, 4];

/// Has the signals told that end a process because of what it did.
pub fn watch_signals() {
    // SA_SIGINFO | SA_ONSTACK
    const FLAGS: i32 = 4 | 0x0800_0000;
    use_own_stack_for_signals();
    for signal in SIGNALS {
        let handler = at_signal as *const () as usize;
        let action = SignalAction { handler, mask: [0; 16], flags: FLAGS, restorer: 0 };
        // SAFETY: the real function, with a handler of ours.
        unsafe {
            real!("sigaction" (signal => i32, &raw const action => *const SignalAction, 0 => usize) -> i32)
        };
    }
}

/// A signal that ends the process: it is told, and comes again with its usual effect.
extern "C" fn at_signal(signal: i32, information: *const u64, _context: *const c_void) {
    // SAFETY: `si_addr` is the third word of what the kernel passes.
    let address = unsafe { information.add(2).read() };
    note(Ending::Signal, signal as u64, address);
    let action = SignalAction { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
    // SAFETY: as above.
    unsafe {
        real!("sigaction" (signal => i32, &raw const action => *const SignalAction, 0 => usize) -> i32)
    };
    sys::unblock(signal);
    // The instruction is executed again and fails again; a signal that somebody sent is sent again.
    if local::is_somebody() {
        sys::raise(signal);
    }
}
