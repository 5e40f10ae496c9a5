//! The passing run that is closest to a failing one.
//!
//! # In and out
//!
//! [`closest()`] takes an [`Encoding`] and a [`Failing`] run with its model. It gives a
//! [`Comparison`]: a passing run, carried out on the interpreter, and its [`Distance`] from the
//! failing one.
//!
//! Some people understand a bug best from a passing run that almost fails. Terra-Neves, Machado,
//! Lynce and Manquinho (*Concurrency Debugging with MaxSMT*, here "the text") look for the passing
//! run that has most in common with the failing one, and report what differs: the *differential
//! schedule projection*. What two runs have in common is counted in four ways:
//!
//! - **branches** that go the same way: if a passing run has the same path as the failing one, only
//!   the order differs (a *DSP* of the text). Otherwise as few branches as possible are flipped
//!   (*DPSP*), those nearest the failure first;
//! - **data flows** (DF): a read takes its value from the same write. A read whose bytes come from
//!   several writes counts as one;
//! - **segments** (BS): a maximal piece of the failing run that one thread executes is not
//!   interrupted;
//! - **context switches** (CTX): two steps of different threads that follow each other still do.
//!
//! Steps that the failing run did not reach are not counted. Neither is anything that concerns a
//! step of only one of the runs: the flipped branch counts for it.
//!
//! # The search
//!
//! The search is MaxSAT over the engine's own formula, with the measures one after the other or
//! with equal weights. It is exact or *progressive* (the text's Algorithm 1): all steps keep their
//! order except those of the last segments, and more segments are freed until a run passes.
//!
//! # Reading order
//!
//! | file | idea |
//! |---|---|
//! | `trace.rs` | a run as data, and how far two runs are apart |
//! | `closest.rs` | the search |
//! | `swap.rs` | the baseline of the text, the heuristic of Symbiosis: one pair of steps swapped |
#![forbid(unsafe_code)]

mod closest;
mod swap;
pub mod trace;

pub use closest::closest;
pub use swap::swap;
pub use trace::{Distance, Trace};
pub use unravel_solver::maxsat::Algorithm;

use unravel_encode::{Condition, Encoding};
use unravel_events::InputKind;
use unravel_interp::Machine;
use unravel_schedule::PassingRun;
use unravel_solver::{Lit, Model};

/// What counts how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Data flows first, then segments, then switches.
    Lexicographic,
    /// All three alike.
    Equal,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The closest of all.
    Exact,
    /// The closest of those that differ near the failure only.
    Progressive,
}

/// How to compare.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What counts how much.
    pub weights: Weights,
    /// Which algorithm.
    pub algorithm: Algorithm,
    /// How to search.
    pub method: Method,
    /// Most conflicts of the solver; the text uses 200,000.
    pub conflicts: Option<u64>,
}

/// A failing run to compare with.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The model that it was found in.
    pub model: &'a Model,
    /// What happens in it, up to the failure and with the step in which it fails.
    pub trace: &'a Trace,
    /// What else the passing run has to satisfy.
    pub also: &'a [Lit],
}

/// A passing run beside a failing one.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The passing run.
    pub passing: PassingRun,
    /// What happens in it.
    pub trace: Trace,
    /// How far it is from the failing one.
    pub distance: Distance,
    /// No passing run is closer, by the weights that were asked for.
    pub is_optimal: bool,
}

/// What a comparison came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A passing run.
    Found(Box<Comparison>),
    /// With these inputs no run passes.
    NonePasses,
    /// None is known to pass: whatever does not fail comes to a bound, or meets something that is not
    /// modelled.
    NoneKnown,
    /// The search was stopped before a run was found.
    Stopped,
    /// An internal check failed.
    Broken(String),
}

/// The hard part: a run that passes, with the inputs of the failing one, with what it found in memory
/// that nobody had written, and with whatever else is asked of it. How a timed wait ends is part of
/// the schedule (DESIGN §2), so it may end otherwise.
fn hard(encoding: &mut Encoding, failing: Reference<'_>) -> Vec<Lit> {
    let passing = encoding.passing();
    beside(encoding, failing, passing)
}

/// What a run must have in common with the failing one, if it is one of these runs.
fn beside(encoding: &mut Encoding, failing: Reference<'_>, runs: Lit) -> Vec<Lit> {
    let mut inputs: Vec<Condition> = encoding.inputs_in(failing.model, &failing.trace.steps);
    let graph = encoding.graph();
    inputs.retain(|it| match it {
        Condition::Input(index, _) => graph.inputs[*index].kind != InputKind::Wakeup,
        Condition::Order(..) => true,
    });
    let mut hard = vec![runs, encoding.same_memory(failing.model)];
    hard.extend(inputs.into_iter().map(|input| encoding.condition(input)));
    hard.extend(failing.also);
    hard
}

/// Whether any run passes beside a failing one; `None` if the search was stopped.
pub fn has_passing(
    encoding: &mut Encoding,
    failing: Reference<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Option<bool> {
    let hard = hard(encoding, failing);
    match encoding.assume(&hard, stop) {
        unravel_solver::Outcome::Sat(_) => Some(true),
        unravel_solver::Outcome::Unsat(_) => Some(false),
        unravel_solver::Outcome::Stopped | unravel_solver::Outcome::Broken(_) => None,
    }
}

/// What it means that no passing run was found.
fn none_passes(
    encoding: &mut Encoding,
    failing: Reference<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Outcome {
    let unrefuted = encoding.unrefuted();
    let hard = beside(encoding, failing, unrefuted);
    match encoding.assume(&hard, stop) {
        unravel_solver::Outcome::Sat(_) => Outcome::NoneKnown,
        unravel_solver::Outcome::Unsat(_) => Outcome::NonePasses,
        unravel_solver::Outcome::Stopped => Outcome::Stopped,
        unravel_solver::Outcome::Broken(why) => Outcome::Broken(why),
    }
}

/// Carries out a passing run and compares it.
fn compared(
    machine: &Machine<'_>,
    encoding: &Encoding,
    failing: Reference<'_>,
    model: Model,
    is_optimal: bool,
) -> Outcome {
    match unravel_schedule::passing_run(machine, encoding, model) {
        Ok(passing) => {
            let trace = Trace::of(encoding, &passing.model, passing.steps.clone());
            let distance = failing.trace.distance(encoding.graph(), &trace);
            Outcome::Found(Box::new(Comparison { passing, trace, distance, is_optimal }))
        }
        Err(divergence) => Outcome::Broken(format!(
            "a passing run that the solver found cannot be followed: step {}, {}",
            divergence.at, divergence.why
        )),
    }
}
