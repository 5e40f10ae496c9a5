//! The runtime that is linked into programs that `unravel cc` builds.
//!
//! # What it does
//!
//! Started by hand, such a program runs as it would without us. Started by the recorder, which says so
//! in the environment, it runs *under control*: one thread at a time, the one that has the token. Every
//! access to memory that others may reach and every operation on threads is a scheduling point, where
//! the scheduler decides who goes on, and an event, which is written to memory that the recorder shares.
//!
//! # The way of an event
//!
//! 1. The program calls a hook (`hooks`), or a function of the C library that we have taken over:
//!    `posix` and `c11` for locks and their kind, `create` for threads, `memory` for the heap, `ends`
//!    for the end of the process, `guard` for C++, `verifier` for `__VERIFIER_*`.
//! 2. [`token::point`]: the [`scheduler`] says who takes the next step. If it is another thread, that
//!    one is woken, and we sleep. [`follow`] is the strategy that follows a given schedule.
//! 3. Operations on locks go through the table of `unravel_sync` ([`perform`]), evaluated on the state
//!    of [`objects`]. Who has to wait gives the token away.
//! 4. The event is written to the [`ring`].
//! 5. The program goes on and does what was announced, still with the token.
//!
//! # Rules
//!
//! No allocation, no lock, no panic, no call of the C library but those through [`real`]. The state is
//! one [`token::Runtime`], which only the thread with the token touches.
//!
//! What begins with `unravel`, and the functions taken over, exist only with the feature `exports`, in
//! the archive that the recorder crate builds.
#![cfg_attr(not(test), no_std)]
#![cfg(target_arch = "x86_64")]

pub mod follow;
pub mod heap;
pub mod hooks;
pub mod local;
pub mod objects;
pub mod perform;
pub mod random;
pub mod real;
pub mod ring;
pub mod scheduler;
pub mod spin;
pub mod sys;
pub mod thread;
pub mod token;

#[cfg(feature = "exports")]
mod c11;
#[cfg(feature = "exports")]
mod create;
#[cfg(feature = "exports")]
mod ends;
#[cfg(feature = "exports")]
mod guard;
#[cfg(feature = "exports")]
mod memory;
#[cfg(feature = "exports")]
mod posix;
#[cfg(feature = "exports")]
mod sanitizer;
#[cfg(feature = "exports")]
mod start;
#[cfg(feature = "exports")]
mod verifier;

/// A panic cannot happen; if it does, the program ends with a message.
#[cfg(all(feature = "exports", not(test)))]
#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    sys::complain(b"unravel: the runtime has failed; please report this\n");
    sys::raise(6);
    sys::exit_now(134)
}
