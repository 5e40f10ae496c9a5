//! From a model to a run.
//!
//! # In and out
//!
//! In goes a [`Model`] of an [`Encoding`]. The model says which steps are executed and which must
//! come before which. Out comes a [`Run`] that ends in a violation, or a [`Passing`] run. Both are
//! lists of decisions (`unravel_interp::schedule`), like those of the exploration, so everything
//! after this stage is the same for both engines.
//!
//! # How
//!
//! 1. `past` cuts the run to what leads to the violation.
//! 2. `switches` orders it with few context switches.
//! 3. `follow` carries it out on the interpreter, which says what happens step by step.
//!
//! The interpreter is the judge. A model that it cannot follow, or that ends otherwise, is a bug of
//! the engine ([`Divergence`]), and nothing is shown.
//!
//! `given` works the other way round: it finds a run of which only the decisions are known in the
//! graph.
//!
//! # How steps are matched
//!
//! The interpreter takes several events as one step where no other thread can notice the
//! difference. A step of the model is therefore matched by the number of instructions that its
//! thread has executed before it. Both sides can count that.
#![forbid(unsafe_code)]

mod follow;
mod given;
mod past;
mod switches;

pub use follow::Divergence;
pub use given::{Given, given};

use unravel_encode::{Encoding, Reached};
use unravel_events::{StepId, ThreadId};
use unravel_interp::schedule::Decision;
use unravel_interp::{Machine, Violation};
use unravel_solver::Model;

/// A violating run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Who steps when, with what is decided on the way.
    pub decisions: Vec<Decision>,
    /// What it ends in.
    pub violation: Violation,
    /// The steps of the graph that it executes, in order.
    pub steps: Vec<StepId>,
    /// For each thread of the run, which of the graph it is.
    pub threads: Vec<ThreadId>,
}

/// A complete run.
#[derive(Clone, Debug)]
pub struct Passing {
    /// The steps of the graph that it executes, in order.
    pub steps: Vec<StepId>,
    /// Who steps when, with what is decided on the way.
    pub decisions: Vec<Decision>,
    /// For each thread of the run, which of the graph it is.
    pub threads: Vec<ThreadId>,
}

/// The run of a model that ends in a violation.
///
/// # Errors
/// If the interpreter cannot follow the model, or ends otherwise.
pub fn violating_run(
    machine: &Machine<'_>,
    encoding: &Encoding,
    model: &Model,
    reached: &Reached,
) -> Result<Run, Divergence> {
    let past = past::Past::of(encoding, model, reached);
    let order = switches::few_switches(&past);
    follow::follow(machine, &past, &order)
}

/// The run of a model in which every thread goes on as far as it can and nothing is violated.
///
/// # Errors
/// If the interpreter cannot follow the model, or violates something.
pub fn passing_run(
    machine: &Machine<'_>,
    encoding: &Encoding,
    model: &Model,
) -> Result<Passing, Divergence> {
    let past = past::Past::up_to(encoding, model, None);
    let order = switches::few_switches(&past);
    follow::follow_to_the_end(machine, &past, &order)
}
