//! A program up to a bound, as guarded events.
//!
//! This is the first stage of the symbolic engine: [`build`] executes a [`Program`] symbolically
//! and gives an [`EventGraph`], in which nothing is a loop, a call or a pointer any more. What is
//! left of the program:
//!
//! - *steps* of each thread in program order, with the *accesses* to shared memory in them. Each
//!   has a guard, the condition under which it is executed. What a read reads is a fresh variable:
//!   which write it comes from is not decided here.
//! - *critical sections*, *joins* and *atomic sections*: what orders the steps of threads.
//! - *findings*: places where something goes wrong, or where the thread goes no further though the
//!   program would (a bound, something not modelled), each with the condition for getting there.
//!
//! Values, addresses and conditions are terms (`unravel-term`).
//!
//! Read in this order: [`graph`], the result; [`points_to`], which memory two threads may share;
//! [`wto`], the order in which blocks are executed; then `exec`, the execution itself, with
//! [`state`] and [`memory`] for what is known on a path, and [`object`] for what is allocated.
//!
//! # What is exact
//!
//! Every run of the program in which no loop turns more often than its bound is a run of the
//! graph and the other way round, with two exceptions, each listed as a finding where it matters:
//! addresses as numbers, and the constructs marked unsupported.
//!
//! # Stopping
//!
//! A thread may stop for ever before a lock, a join or an atomic section: a free variable says so.
//! Elsewhere it runs on, which restricts nobody: later steps can be ordered after whatever is
//! looked for.
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
