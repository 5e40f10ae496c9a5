//! Which values would have to be different for a failing run to pass.
//!
//! # In and out
//!
//! [`mark()`] takes a program and gives a [`Marked`] program that means the same. [`search()`]
//! takes the [`Encoding`](unravel_encode::Encoding) of the marked program and a [`Failing`] run,
//! and collects [`Correction`]s: each is a few [`Change`]s of values and a run that passes with
//! them.
//!
//! The cause of a failing run is an order of its threads, or a value: a wrong constant, a condition
//! that forgets a case, a check that is itself wrong. Alves, Cordeiro and Filho (*A Method to
//! Localize Faults in Concurrent C Programs*) look for the second kind. They write the failing run
//! as a sequential program, let one line after the other have an arbitrary value, and ask a model
//! checker for a value with which the run passes. This crate asks the same of the engine's own
//! formula, so joins, deadlocks and loops need no rules of their own.
//!
//! # How
//!
//! 1. [`mark()`] puts a copy instruction before everything that may be changed: the value of an
//!    assignment or a return, the initial value of a variable, an argument, a condition.
//! 2. In the graph of the marked program (`unravel_events::relax`) each of these values is
//!    `selector ? fresh : original`. A selector stands for all executions of a line, or for one
//!    single execution of it.
//! 3. [`search()`] fixes the inputs of the failing run and the order of the steps that both runs
//!    execute. It asks for passing runs with few selectors: all minimal *correction sets*, the
//!    smallest first. The initial count of a semaphore or a barrier decides who waits, so with
//!    another count the order may be impossible. Such a change counts if it is right in every
//!    order.
//! 4. [`apply`] makes a program of the [`Change`]s, and the interpreter carries out the passing run
//!    on it. A correction that the interpreter does not confirm is a bug of the engine. The caller
//!    judges whether the changed program passes under all schedules ([`Judge`]); if not, other
//!    values are tried.
//!
//! # What is not changed
//!
//! Pointers and floating point numbers. What the library and inputs give: the inputs of the run are
//! fixed. The result of a call, which is changed where the callee returns it. Conditions, arguments
//! and returned values are changed in all executions or in none: counting the executions of what a
//! waiting loop does would make each of its iterations a different one.
//!
//! Local variables must be in memory (the front end's `keep_locals`). In registers, `x = 1` is no
//! instruction any more.
//!
//! # Reading order
//!
//! | file | idea |
//! |---|---|
//! | `mark.rs` | copies before what may be changed |
//! | `facts.rs`, `naming.rs` | what the marking needs to know; what the source calls it |
//! | `initial.rs` | initial values of variables |
//! | `update.rs` | atomic updates |
//! | `change.rs` | changes as data, and as a program |
//! | `check.rs` | which marks belong to the assertion itself |
//! | `executed.rs`, `bounds.rs` | what the failing run reaches; whether the bounds are large enough for what follows |
//! | `correction.rs` | what a search takes and gives |
//! | `search.rs` | minimal correction sets |
//! | `values.rs` | which values to try |
//! | `rank.rs` | which correction is shown first |
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
mod rank;
mod search;
mod update;
mod values;

pub use bounds::bounds_are_reached;
pub use change::{Change, apply};
pub use check::own_checks;
pub use correction::{Correction, Judge, Judgement, Localized, Reference, Stop};
pub use mark::{Holder, Kind, Look, Mark, Marked, mark};
pub use rank::{Ranked, ranked};
pub use search::search;
