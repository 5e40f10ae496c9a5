//! Which values, if they were others, would make a failing run pass.
//!
//! A failing run has a cause that is an order of its threads, or one that is a value: a wrong
//! constant, a condition that forgets a case, a check that is itself wrong. Alves, Cordeiro and
//! Filho (*A Method to Localize Faults in Concurrent C Programs*) look for the second kind: they
//! write the failing run as a sequential program, let one line after the other have an arbitrary
//! value, and ask a model checker for a value with which the run passes. This crate asks the same
//! of the engine's own formula (DESIGN §7), so joins, deadlocks and loops need no rules of their own.
//!
//! 1. [`mark()`] puts a copy before everything that may be another: the value of an assignment or a
//!    return, the initial value of a variable, an argument, a condition. The program means the same.
//! 2. In the graph of the marked program (`unravel_events::relax`) each of these values is
//!    `selector ? fresh : original`, all executions of a line alike, or one single execution of it.
//! 3. [`search()`] fixes the inputs of the failing run and the order of the steps that both runs
//!    execute, and asks for passing runs with few selectors: all minimal *correction sets*, the
//!    smallest first. What a semaphore or a barrier is set up with decides who waits, so with another
//!    count the order may not be followed any more; such a change counts if it is right in every
//!    order.
//! 4. What is found is a list of [`Change`]s. [`apply`] makes a program of it, on which the
//!    interpreter carries out the passing run: a correction that it does not confirm is a bug of
//!    the engine. The caller judges whether the changed program passes under all schedules
//!    ([`Judge`]); if not, other values are tried.
//!
//! # What is not changed
//!
//! Pointers and floating point numbers; what the library and inputs give (the inputs of the run are
//! fixed); the result of a call, which is changed where the callee returns it. Conditions, arguments
//! and returned values are changed in all executions or not at all: to count the executions of what
//! a waiting loop does would make each of its turns another.
//!
//! Locals must be in memory (the front end's `keep_locals`): promoted to registers, `x = 1` is no
//! instruction any more.
//!
//! | file | idea |
//! |---|---|
//! | `mark.rs` | copies before what may be another |
//! | `facts.rs`, `naming.rs` | what the marking needs to know; what the source calls it |
//! | `initial.rs` | initial values of variables |
//! | `update.rs` | atomic updates |
//! | `change.rs` | changes as data, and as a program |
//! | `check.rs` | which marks are the assertion's own |
//! | `executed.rs`, `bounds.rs` | what the failing run comes to; whether the bounds hold what follows |
//! | `correction.rs` | what a search takes and gives |
//! | `search.rs` | minimal correction sets |
//! | `values.rs` | which values to try |
#![forbid(unsafe_code)]

mod bounds;
mod change;
mod check;
mod correction;
mod executed;
mod facts;
mod initial;
mod mark;
mod naming;
mod search;
mod update;
mod values;

pub use bounds::bounds_are_reached;
pub use change::{Change, apply};
pub use check::own_checks;
pub use correction::{Correction, Judge, Judgement, Localized, Reference, Stop};
pub use mark::{Holder, Kind, Look, Mark, Marked, mark};
pub use search::search;
