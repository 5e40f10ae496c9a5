//! The interpreter: runs a program under a given schedule and inputs.
//!
//! It is the reference for what a program means (DESIGN §2). The exploration runs on it, and every
//! failing schedule that any engine finds is replayed on it before it is shown.
//!
//! Read in this order:
//!
//! - [`state`]: a [`State`] is the whole program between two steps, cheap to clone.
//! - [`machine`]: a [`Machine`] makes the first state, says which threads can step
//!   ([`Machine::readiness`]) and performs a step ([`Machine::step`]). A *step* is one access to
//!   shared memory or one synchronization operation, with the local work that follows it.
//! - `exec` runs a step; `compute`, `control`, `access` and `library` are what instructions,
//!   jumps and calls, memory accesses and library functions do.
//! - [`choice`]: everything else that a run decides: inputs, spurious wakeups, who gets a signal.
//!   A step asks a [`choice::Chooser`].
//! - [`property`], [`deadlock`], [`hang`], [`race`]: what can go wrong. [`note`]: what was cut or is not
//!   modelled, so that nobody concludes too much.
//! - [`run`] and [`schedule`]: a run as data, by decisions or under a fair scheduler.
//!
//! Two rules make steps few and keep them right. Local work never waits for others, so it is done
//! at once; and nothing that a thread does locally can end the run of another: a failed assume, a
//! bound or the end of the process stops only its own thread, since the others might have stepped
//! before it.
#![forbid(unsafe_code)]

mod access;
pub mod arith;
pub mod choice;
mod compute;
mod control;
pub mod deadlock;
pub mod describe;
pub mod event;
mod exec;
pub mod fingerprint;
pub mod float;
pub mod format;
pub mod hang;
pub mod layout;
mod library;
mod local_loop;
pub mod machine;
pub mod math;
pub mod memory;
pub mod moment;
pub mod note;
pub mod partial;
pub mod property;
pub mod race;
pub mod run;
pub mod schedule;
pub mod schedule_file;
pub mod state;
pub mod sync;
pub mod value;

pub use hang::{Hang, Hangs};
pub use machine::{Config, Machine, Readiness, StepEnd, too_large};
pub use note::{Note, Notes};
pub use property::{Properties, Property, Violation};
pub use schedule::{Decision, End, Passed, Run, Schedule, Step, StepKind};
pub use state::{State, ThreadId};
