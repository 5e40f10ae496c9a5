//! Which orders hold in the runs that pass, and in those that fail.
//!
//! The oracle of `diagnose`: it visits all runs of a small program and watches some pairs of steps
//! on the way. A core is right if no passing run has all its orders, some passing run has all but
//! any one of them, and every failing run has all orders of some core.

use std::collections::BTreeSet;

use unravel_interp::Config;
use unravel_interp::moment::Moment;
use unravel_program::Program;

use crate::Watch;

/// A step that means the same in every run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// The creations that lead to its thread, from `main` on; empty for `main`.
    pub thread: Vec<Moment>,
    /// The execution of an instruction.
    pub moment: Moment,
}

/// What to watch.
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    /// Pairs of steps.
    pub orders: Vec<(Point, Point)>,
    /// Inputs, with the value each should have.
    pub inputs: Vec<(Point, u128)>,
}

/// What was seen in a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Facts {
    /// Per tracked order, whether the first step was executed, and the second later or not at all.
    pub orders: Vec<bool>,
    /// Per tracked input, whether it had its value wherever it was asked for.
    pub inputs: Vec<bool>,
}

/// What was seen in all runs.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// In complete runs without violation.
    pub passing: BTreeSet<Facts>,
    /// In runs that end in a violation.
    pub failing: BTreeSet<Facts>,
    /// Every run was seen to its end.
    pub is_exhaustive: bool,
}

/// Visits all runs.
#[must_use]
pub fn outcomes(
    _program: &Program,
    _config: Config,
    _tracked: &Tracked,
    _states: usize,
    _watch: &mut dyn Watch,
) -> Outcomes {
    Outcomes::default()
}
