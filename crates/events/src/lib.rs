//! A program up to a bound, as guarded events.
//!
//! # In and out
//!
//! [`build`] executes a valid [`Program`] symbolically, every loop up to its bound, and gives an
//! [`EventGraph`]. The graph has no loops, calls or pointers any more. What is left of the program:
//!
//! - *steps* of each thread in program order, with the *accesses* to shared memory in them. Each
//!   has a guard, the condition under which it is executed. The value of a read is a fresh
//!   variable; which write it comes from is not decided here.
//! - *critical sections*, *joins* and *atomic sections*: what orders the steps of threads.
//! - *findings*: places where something goes wrong, or where a thread cannot be followed further (a
//!   bound, something not modelled), each with the condition for getting there.
//!
//! # Ideas
//!
//! - Values, addresses and conditions are terms (`unravel-term`).
//! - All paths of a thread are executed at once. Where paths meet they are merged: guards become
//!   disjunctions, and values become conditional terms.
//! - Memory that only one thread reaches is plain value flow and makes no events.
//! - An iteration of a loop that changes nothing can be left out of a run, so loops that wait need
//!   no bound (`exec::idle`).
//!
//! # Reading order
//!
//! 1. [`graph`]: the result.
//! 2. [`bounds`]: how many iterations each loop may run.
//! 3. [`points_to`]: which memory two threads may share, with `contents` for the fields of objects;
//!    `writers` and `own`: shared memory whose value is known all the same.
//! 4. [`wto`]: the order in which blocks are executed.
//! 5. `exec`: the execution itself, with [`state`] and [`memory`] for what is known on a path and
//!    [`object`] for what is allocated. `exec::sync` is about locks, condition variables,
//!    semaphores and barriers.
//! 6. `symmetry`: threads that nothing distinguishes. [`relax`]: values that `localize` may change.
//!
//! # What is exact
//!
//! Every run of the program in which no loop runs more iterations than its bound is a run of the
//! graph, and the other way round. There are two exceptions, each listed as a finding where it
//! matters: addresses as numbers, and the constructs marked unsupported.
//!
//! # Stopping
//!
//! A thread may stop for ever before a lock, a join or an atomic section; a free variable says
//! whether it does. Elsewhere it always runs on. This restricts no run, because later steps can be
//! ordered after whatever is looked for.
#![forbid(unsafe_code)]

pub mod bounds;
mod contents;
mod exec;
pub mod graph;
mod known_cells;
pub mod memory;
mod mutant;
pub mod object;
pub mod offsets;
pub mod points_to;
pub mod relax;
pub mod state;
mod symmetry;
pub mod value;
mod writers;
pub mod wto;

pub use bounds::Bounds;
pub use exec::{Demand, fits, handle};
pub use graph::*;
pub use mutant::Mutant;
pub use object::{Initial, Object, ObjectId, Objects};
pub use points_to::PointsTo;
pub use symmetry::SymmetryClass;
pub use value::{PROVENANCE, UNDEFINED, Value};

use unravel_interp::Config;
use unravel_program::Program;

/// Executes a valid program symbolically, every loop up to its bound.
///
/// `stop` is asked now and then; `None` if it said so.
pub fn build(
    program: &Program,
    config: &Config,
    bounds: &Bounds,
    points: &PointsTo,
    stop: &mut dyn FnMut() -> bool,
) -> Option<EventGraph> {
    exec::Executor::new(program, config, bounds, points, stop).run()
}

/// Executes a valid program symbolically, with marked copies whose value may be another ([`relax`]).
///
/// `stop` is asked now and then; `None` if it said so.
pub fn build_relaxed(
    program: &Program,
    config: &Config,
    bounds: &Bounds,
    (points, marks): (&PointsTo, &relax::Marks),
    stop: &mut dyn FnMut() -> bool,
) -> Option<EventGraph> {
    let mut executor = exec::Executor::new(program, config, bounds, points, stop);
    executor.marks = Some(marks);
    executor.run()
}
