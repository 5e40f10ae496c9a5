//! Corrections, and what a search for them takes and gives.

use std::collections::BTreeSet;

use unravel_events::{Position, StepId, ThreadId};
use unravel_schedule::PassingRun;
use unravel_solver::Model;

use crate::change::Change;

/// A failing run to correct.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The model that it is a run of.
    pub model: &'a Model,
    /// Its steps, in order.
    pub steps: &'a [StepId],
    /// The thread that fails; `None` for a deadlock.
    pub thread: Option<ThreadId>,
    /// The marks of the check that fails ([`crate::own_checks`]).
    pub checks: &'a BTreeSet<usize>,
}

/// What becomes of a changed program under all schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// All pass.
    Robust,
    /// That is not known.
    Unknown,
    /// Some fails.
    Fails,
}

/// Judges changed programs.
pub trait Judge {
    /// Whether the program with these changes passes under all schedules.
    ///
    /// # Errors
    /// Why the search is to end.
    fn judge(&mut self, changes: &[Change]) -> Result<Judgement, Stop>;

    /// Whether the search is to end.
    fn should_stop(&mut self) -> bool;
}

/// Why a search ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It was told to.
    Stopped,
    /// An internal check failed.
    Broken(String),
}

/// Changes with which the failing run passes, none of which can be left out.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The changes, by mark.
    pub changes: Vec<Change>,
    /// What the failing run has in their places, if that is always the same.
    pub originals: Vec<Option<u128>>,
    /// The run that passes, carried out on the changed program.
    pub passing: PassingRun,
    /// What becomes of the changed program under all schedules.
    pub judgement: Judgement,
    /// Steps of the failing run that the passing one does not execute.
    pub skipped: usize,
    /// In the passing run the check is made that fails in the failing one.
    pub makes_check: bool,
    /// When the failing run comes to the first of the changes: after so many steps, and where.
    pub moment: (usize, Position),
}

/// All corrections that were found.
#[derive(Clone, Debug, Default)]
pub struct Localized {
    /// They, the smaller sets first.
    pub corrections: Vec<Correction>,
    /// There are no others, up to the bounds.
    pub is_complete: bool,
    /// With these inputs the program fails in every order, so none was kept.
    pub fails_in_every_order: bool,
    /// The same order of the same steps passes, too, without a change: then no value is at fault.
    pub passes_unchanged: bool,
}
