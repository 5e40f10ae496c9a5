//! How far bounds are raised once a violation is known.
//!
//! Whoever explains a failure wants other failing runs, and runs that pass: both may need more turns
//! of a loop than the first failure does.

use unravel_compare::{Reference, has_passing};
use unravel_encode::{Encoding, Query, Reached};
use unravel_events::FindingKind;
use unravel_interp::Machine;
use unravel_watch::{Counts, Watch};

use super::{Symbolic, is_size};
use crate::check::InternalFailure;
use crate::failing::{self, RunSearch, any_run};

/// Whether to raise bounds after a violation was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// One violation is enough.
    Shallow,
    /// All violations within a few turns of every loop are wanted.
    Deep,
    /// Runs are wanted that come to their end.
    Complete,
    /// The same, with what threads do only while they poll.
    Lingering,
}

impl Depth {
    /// Turns up to which bounds are raised after a violation was found.
    fn turns(self) -> u32 {
        match self {
            Depth::Shallow => 0,
            Depth::Deep => DEEPEST_TURNS,
            Depth::Complete | Depth::Lingering => COMPLETE_TURNS,
        }
    }
}

/// Turns up to which bounds are raised for all violations: runs that differ only in how often
/// they turn a loop seldom show another cause.
const DEEP_TURNS: u32 = 4;

/// The same if no run passes within fewer: then nothing could be said of how to avoid the failure.
const DEEPEST_TURNS: u32 = 16;

/// Turns that a loop of a complete run may take, if none with fewer passes.
const COMPLETE_TURNS: u32 = 256;

/// Steps of a formula beyond which it is not made deeper for a diagnosis: orders are asked about one
/// pair of steps after the other, so the work grows with the square of the steps and more.
const DEEP_STEPS: u64 = 250;

impl Symbolic<'_, '_> {
    /// Whether there is more to find within larger bounds, which are raised then.
    pub(super) fn goes_deeper(
        &mut self,
        encoding: &mut Encoding,
        watch: &mut dyn Watch,
    ) -> Result<bool, InternalFailure> {
        if self.depth == Depth::Shallow || self.search.found.is_empty() {
            return Ok(false);
        }
        // A question that takes long is no reason to stop: what was found before stands.
        let bounds = match self.search.stopped {
            None => self.collect(encoding, Query::Bound, watch)?,
            Some(_) => None,
        };
        let Some(bounds) = bounds else {
            self.cut_anywhere(encoding);
            return Ok(false);
        };
        let is_large = self.depth == Depth::Deep && encoding.counts().steps > DEEP_STEPS;
        let fixed = self.options.unwind.is_some() || bounds.iter().any(is_size) || is_large;
        if bounds.is_empty() || fixed || self.bounds.largest() >= self.depth.turns() {
            self.add_notes(&bounds);
            return Ok(false);
        }
        if self.bounds.largest() >= DEEP_TURNS && self.can_pass(encoding, watch)? {
            self.add_notes(&bounds);
            return Ok(false);
        }
        self.raise(&bounds);
        Ok(true)
    }

    /// Whether bounds are reached is not known: any loop may have been cut.
    fn cut_anywhere(&mut self, encoding: &Encoding) {
        if self.search.handed_over.take().is_some() {
            self.search.stopped = None;
        }
        let is_bound = |it: &&Reached| matches!(it.kind, FindingKind::Bound(..));
        let open: Vec<Reached> = encoding.reached().iter().filter(is_bound).cloned().collect();
        self.add_notes(&open);
    }

    /// Whether a run passes beside a failing one already. A loop that polls can always turn once
    /// more, so that no bound is ever out of reach.
    fn can_pass(
        &self,
        encoding: &mut Encoding,
        watch: &mut dyn Watch,
    ) -> Result<bool, InternalFailure> {
        let machine = Machine::new(self.program, self.config.clone());
        let mut stop = || watch.check(&Counts::default()).is_some();
        let RunSearch::Found(run) = any_run(&machine, encoding, &mut stop)? else {
            return Ok(true);
        };
        let trace = failing::trace(self.program, encoding, &run);
        let failing = Reference { model: &run.model, trace: &trace, also: &[] };
        Ok(has_passing(encoding, failing, &mut stop).unwrap_or(true))
    }
}
