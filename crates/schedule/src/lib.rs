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

pub use follow::{Divergence, Until};
pub use given::{Given, given};

use std::ops::Deref;

use unravel_encode::{Encoding, Reached};
use unravel_events::{StepId, ThreadId};
use unravel_interp::{Machine, Passed, Run, Violation};
use unravel_solver::Model;

/// A run with what the symbolic engine knows of it: the model that it was found in, and what it is
/// in the event graph. As a [`Run`] it can be replayed and reported like one of the exploration.
#[derive(Clone, Debug)]
pub struct GraphRun<E> {
    /// The decisions, and what it ends in.
    pub run: Run<E>,
    /// The steps of the graph that it executes, in order. In a failing run the last may be the step
    /// in which it fails.
    pub steps: Vec<StepId>,
    /// For each thread of the run, which of the graph it is.
    pub threads: Vec<ThreadId>,
    /// The model that it is a run of. What the model has beyond the end of a failing run means
    /// nothing.
    pub model: Model,
}

/// A run that ends in a violation.
pub type FailingRun = GraphRun<Violation>;

/// A run in which every thread goes as far as it can, and nothing is violated.
pub type PassingRun = GraphRun<Passed>;

impl<E> Deref for GraphRun<E> {
    type Target = Run<E>;

    fn deref(&self) -> &Run<E> {
        &self.run
    }
}

/// The run of a model that ends in a violation: in `reached`, or with [`Until::First`] in another
/// that comes before.
///
/// # Errors
/// If the interpreter cannot follow the model, or ends otherwise.
pub fn violating_run(
    machine: &Machine<'_>,
    encoding: &Encoding,
    model: Model,
    reached: &Reached,
    until: Until,
) -> Result<FailingRun, Divergence> {
    let followed = {
        let past = past::Past::of(encoding, &model, reached);
        let order = switches::few_switches(&past);
        follow::follow(machine, &past, &order, until)?
    };
    Ok(followed.in_model(model))
}

/// The run of a model in which every thread goes on as far as it can and nothing is violated.
///
/// # Errors
/// If the interpreter cannot follow the model, or violates something.
pub fn passing_run(
    machine: &Machine<'_>,
    encoding: &Encoding,
    model: Model,
) -> Result<PassingRun, Divergence> {
    let followed = {
        let past = past::Past::up_to(encoding, &model, None);
        let order = switches::few_switches(&past);
        follow::follow_to_the_end(machine, &past, &order)?
    };
    Ok(followed.in_model(model))
}
