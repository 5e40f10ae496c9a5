//! Which line of the program is at fault.
//!
//! # In and out
//!
//! [`mistake`] takes [`Evidence`]: a failing run, runs that pass, and the orders that make the
//! difference. It names a [`Mistake`]: which step should have been different, and why.
//!
//! A cause says which steps come in the wrong order. The line to change is often another: the write
//! that does not take the lock, the wait that does not test again. It shows in what the runs have in
//! common: which locks are held at which accesses, what a thread reads before it waits, what it does
//! after it wakes. Nothing here reads the text of the program, and nothing is asked of a solver.
//!
//! A mistake is an explanation, and no proof: the cores of a diagnosis and the check of a patch are
//! proofs. Where the runs do not show a mistake of a known kind, there is none.
//!
//! # Reading order
//!
//! 1. [`spot`]: a step with the locks that its thread holds there.
//! 2. `guards`: which lock guards which variable (the lockset method of Eraser, on few runs).
//! 3. `waits`: what waits for what, for ever; tests before waits, signals that are lost.
//! 4. `torn`: steps that belong together; `early`: steps that come too early; `ended`: memory that is
//!    given up in use.
#![forbid(unsafe_code)]

mod early;
mod ended;
mod guards;
pub mod spot;
mod torn;
mod waits;

#[cfg(test)]
mod tests;

use unravel_interp::{Property, Schedule, Violation};
use unravel_kinds::Mistake;
use unravel_program::Program;

pub use spot::{Held, Spot, spots};

/// What is known about a failure.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The program, for the lines of its steps.
    pub program: &'a Program,
    /// A run that fails.
    pub failing: &'a Schedule,
    /// What it ends in.
    pub violation: &'a Violation,
    /// Runs that pass.
    pub passing: &'a [Schedule],
    /// The orders of the failing run that make it fail; none where they are not known.
    pub orders: &'a [Order],
    /// What the orders look like.
    pub shape: Option<&'a Shape>,
}

/// One step before another.
#[derive(Clone, Debug)]
pub struct Order {
    /// What comes first.
    pub before: Spot,
    /// What comes later, or not at all.
    pub after: Spot,
    /// A run that passes without this order, as an index into [`Evidence::passing`].
    pub passing: Option<usize>,
}

/// What the orders of a failing run look like.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one exists per cause; a box would be in every match"
)]
pub enum Shape {
    /// Steps of one thread, the first and the last, with those of another between.
    Torn {
        /// The steps that should be one.
        region: (Spot, Spot),
        /// What comes between.
        by: (Spot, Spot),
    },
    /// Steps that come too early, each with the one that should have come before it.
    Early(Vec<(Spot, Spot)>),
}

/// The mistake that these runs show, if they show one.
#[must_use]
pub fn mistake(evidence: &Evidence<'_>) -> Option<Mistake<Spot>> {
    let runs = Runs::of(evidence);
    if evidence.violation.property() == Property::Deadlock
        && let Some(found) = waits::mistake(evidence, &runs)
    {
        return Some(found);
    }
    waits::not_retested(evidence, &runs)
        .or_else(|| early::published(evidence, &runs))
        .or_else(|| guards::mistake(evidence, &runs))
        .or_else(|| torn::mistake(evidence, &runs))
        .or_else(|| early::mistake(evidence, &runs))
}

/// The steps of the runs, with the locks that are held there.
struct Runs {
    failing: Vec<Spot>,
    passing: Vec<Vec<Spot>>,
}

impl Runs {
    fn of(evidence: &Evidence<'_>) -> Runs {
        Runs {
            failing: spots(evidence.failing),
            passing: evidence.passing.iter().map(spots).collect(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Vec<Spot>> {
        std::iter::once(&self.failing).chain(&self.passing)
    }
}
