//! What each thread knows of itself: two words of thread-local storage.
//!
//! Rust has no thread-local variables without its standard library. The linker has: the variable is
//! declared in assembly, and read in one instruction (local-exec model, x86-64 ABI for TLS §11.4;
//! the runtime is linked into executables only).

use core::arch::asm;
#[cfg(feature = "exports")]
use core::arch::global_asm;

use crate::thread::Id;

#[cfg(feature = "exports")]
global_asm!(
    ".pushsection .tbss.unravel_me,\"awT\",@nobits",
    ".balign 8",
    ".type unravel_me,@object",
    ".size unravel_me,8",
    "unravel_me:",
    ".zero 8",
    ".type unravel_watch,@object",
    ".size unravel_watch,8",
    "unravel_watch:",
    ".zero 8",
    ".popsection",
);

/// A thread that does not run under control.
const NOBODY: u64 = 0;

/// The calling thread's number plus one; 0 if it does not run under control.
#[cfg(feature = "exports")]
fn word() -> u64 {
    let word: u64;
    // SAFETY: reads a word of this thread's own storage.
    unsafe {
        asm!("mov {}, qword ptr fs:[unravel_me@TPOFF]", out(reg) word, options(nostack, readonly, preserves_flags));
    }
    word
}

#[cfg(feature = "exports")]
fn set_word(word: u64) {
    // SAFETY: writes a word of this thread's own storage.
    unsafe {
        asm!("mov qword ptr fs:[unravel_me@TPOFF], {}", in(reg) word, options(nostack, preserves_flags));
    }
}

#[cfg(not(feature = "exports"))]
fn word() -> u64 {
    NOBODY
}

#[cfg(not(feature = "exports"))]
fn set_word(_word: u64) {}

/// The calling thread's number.
#[must_use]
pub fn current() -> Id {
    (word().wrapping_sub(1)) as Id
}

/// Whether the calling thread runs under control.
#[must_use]
pub fn is_somebody() -> bool {
    word() != NOBODY
}

/// The calling thread runs under control from here on.
pub fn become_thread(id: Id) {
    set_word(u64::from(id) + 1);
}

/// The calling thread does not run under control any more.
pub fn become_nobody() {
    set_word(NOBODY);
}

/// Whether hooks look at the calling thread's state, since it seems to poll.
pub fn watch(on: bool) {
    #[cfg(feature = "exports")]
    // SAFETY: writes a word of this thread's own storage.
    unsafe {
        asm!("mov qword ptr fs:[unravel_watch@TPOFF], {}", in(reg) u64::from(on), options(nostack, preserves_flags));
    }
    let _ = on;
}

/// The thread pointer: where the thread's own storage ends.
#[must_use]
pub fn pointer() -> u64 {
    let pointer: u64;
    // SAFETY: the first word there is its own address (x86-64 ABI for TLS).
    unsafe {
        asm!("mov {}, qword ptr fs:[0]", out(reg) pointer, options(nostack, readonly, preserves_flags));
    }
    pointer
}
