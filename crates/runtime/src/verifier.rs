//! The functions of software verification: `__VERIFIER_*` and `reach_error`.
//!
//! They are weak: a program that defines them itself keeps its own.

use core::arch::global_asm;

use unravel_wire::record::Ending;
use unravel_wire::{Kind, control};

use crate::perform::chosen;
use crate::posix::counts;
use crate::{local, sys, token};

/// An arbitrary value. The schedule may say which; else it is drawn.
fn arbitrary(bits: u32) -> u64 {
    if !counts() {
        return 0;
    }
    let site = token::call_site();
    let small = 1_u64 << bits.min(3);
    let value = chosen(control::Decision::Nondet)
        .unwrap_or_else(|| token::runtime().scheduler.draw_input(small));
    token::record(
        token::event(Kind::Nondet, site).sized(u64::from(bits.div_ceil(8))).with(value, 0),
    );
    value
}

macro_rules! weak {
    ($($name:literal => $ours:ident;)*) => {
        $(global_asm!(concat!(".weak ", $name), concat!(".set ", $name, ", {ours}"), ours = sym $ours);)*
    };
}

macro_rules! arbitrary {
    ($($name:ident: $ty:ty, $bits:literal;)*) => {
        $(extern "C" fn $name() -> $ty { arbitrary($bits) as $ty })*
    };
}

arbitrary! {
    arbitrary_bool: u8, 1;
    arbitrary_char: u8, 8;
    arbitrary_short: u16, 16;
    arbitrary_int: u32, 32;
    arbitrary_long: u64, 64;
}

extern "C" fn assume(condition: i32) {
    if condition != 0 {
        return;
    }
    if counts() {
        token::finish(token::event(Kind::AssumeFailed, token::call_site()));
    }
    sys::exit_now(0);
}

extern "C" fn begin_atomic() {
    if counts() {
        let site = token::call_site();
        token::point(site, 0, true);
        token::record(token::event(Kind::Atomic, site));
        token::my_thread().atomic += 1;
    }
}

extern "C" fn end_atomic() {
    if counts() {
        let thread = token::my_thread();
        thread.atomic = thread.atomic.saturating_sub(1);
    }
}

extern "C" fn error() -> ! {
    if counts() {
        let site = token::call_site();
        token::end_with(token::event(Kind::Ending, site).numbered(Ending::Error as u32));
        local::become_nobody();
    }
    sys::complain(b"reach_error was called\n");
    sys::raise(6);
    sys::exit_now(134)
}

weak! {
    "__VERIFIER_nondet_bool" => arbitrary_bool;
    "__VERIFIER_nondet__Bool" => arbitrary_bool;
    "__VERIFIER_nondet_char" => arbitrary_char;
    "__VERIFIER_nondet_uchar" => arbitrary_char;
    "__VERIFIER_nondet_short" => arbitrary_short;
    "__VERIFIER_nondet_ushort" => arbitrary_short;
    "__VERIFIER_nondet_int" => arbitrary_int;
    "__VERIFIER_nondet_uint" => arbitrary_int;
    "__VERIFIER_nondet_unsigned" => arbitrary_int;
    "__VERIFIER_nondet_long" => arbitrary_long;
    "__VERIFIER_nondet_ulong" => arbitrary_long;
    "__VERIFIER_nondet_longlong" => arbitrary_long;
    "__VERIFIER_nondet_ulonglong" => arbitrary_long;
    "__VERIFIER_nondet_size_t" => arbitrary_long;
    "__VERIFIER_assume" => assume;
    "__VERIFIER_atomic_begin" => begin_atomic;
    "__VERIFIER_atomic_end" => end_atomic;
    "__VERIFIER_error" => error;
    "reach_error" => error;
}
