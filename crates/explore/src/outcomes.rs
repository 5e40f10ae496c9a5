//! Which orders hold in the runs that pass, and in those that fail.
//!
//! The oracle of `diagnose`: it visits all runs of a small program and watches some pairs of steps
//! on the way. A core is right if no passing run has all its orders, some passing run has all but
//! any one of them, and every failing run has all orders of some core.
//!
//! It is brute force, and shares nothing with the symbolic engine but the interpreter: a walk over
//! states together with what is known about the watched steps on the way there (`product`). Which
//! of them a run executes is told by the interpreter (`tracker`).
//!
//! # Which runs pass, and which fail
//!
//! A run fails if it violates something; it ends there, and what comes later counts as not
//! executed. A run passes if nobody can go on, nothing was violated, and whoever has not ended
//! waits or has ended the process: the end of the process stops nobody else. A run that a failed
//! assume, a bound or something that is not modelled stops does neither. In some runs that pass a
//! thread wakes without a signal, which nobody owes it; these are marked. So are runs with a turn of a
//! loop that changes nothing: without that turn they are runs that end alike, and there the later
//! turns have the numbers that a core means.

mod conflicts;
mod product;
mod tracker;

pub use conflicts::{Conflicts, conflicts};

use std::collections::BTreeSet;

use unravel_interp::Config;
use unravel_interp::moment::Moment;
use unravel_program::Program;

use crate::Watch;
use product::Product;
use tracker::Tracker;

/// Turns of a loop that are told apart if the caller sets no bound, at least: a program whose loops
/// turn for ever has finitely many states then.
const FEWEST_TURNS: u32 = 4;

/// The same where it is not known which turns matter.
const MOST_TURNS: u32 = 1000;

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

impl Tracked {
    /// The latest turn of a loop that one of its steps is in.
    fn latest_turn(&self) -> u32 {
        let steps = self.orders.iter().flat_map(|(before, after)| [before, after]);
        let points = steps.chain(self.inputs.iter().map(|(input, _)| input));
        let moments = points.flat_map(|it| it.thread.iter().chain([&it.moment]));
        let calls = moments.flat_map(|it| &it.calls);
        calls.flat_map(|it| it.turns.iter().map(|&(_, turn)| turn)).max().unwrap_or(0)
    }
}

/// What was seen in a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Facts {
    /// Per tracked order, whether the first step was executed, and the second later or not at all.
    pub orders: Vec<bool>,
    /// Per tracked input, whether it had its value wherever it was asked for.
    pub inputs: Vec<bool>,
    /// Somebody woke without a signal.
    pub spurious: bool,
    /// Some turn of a loop changed nothing, so that later turns have other numbers than in the run
    /// without it.
    pub idles: bool,
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
    /// Some run reads what was never written: an input that nobody tracks.
    pub reads_undefined: bool,
}

/// Visits all runs, as long as there are no more than so many states (of the program together with
/// what is known about the watched steps).
#[must_use]
pub fn outcomes(
    program: &Program,
    config: Config,
    tracked: &Tracked,
    states: usize,
    watch: &mut dyn Watch,
) -> Outcomes {
    let turns = FEWEST_TURNS.max(tracked.latest_turn().saturating_add(2));
    let config = Config { counted_turns: turns, ..config };
    let mut product = Product::new(program, config, states);
    let (ends, _) = product.run(Tracker::new(tracked), watch);
    Outcomes {
        passing: ends.passing.iter().map(tracker::facts).collect(),
        failing: ends.failing.iter().map(tracker::facts).collect(),
        is_exhaustive: ends.is_exhaustive,
        reads_undefined: ends.reads_undefined,
    }
}

fn counting_turns(config: Config) -> Config {
    Config { unwind: config.unwind.or(Some(MOST_TURNS)), ..config }
}
