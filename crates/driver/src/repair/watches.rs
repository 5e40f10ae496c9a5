//! Watches for checks and diagnoses that are a part of a repair.

use unravel_watch::{Counts, Phase, Progress, StopReason, Watch, Work};

/// A watch that counts all work for the phase that is under way: phases that the work names itself
/// are ignored.
pub struct SamePhase<'a>(pub &'a mut dyn Watch);

impl Watch for SamePhase<'_> {
    fn check(&mut self, counts: &Counts) -> Option<StopReason> {
        self.0.check(counts)
    }

    fn phase(&mut self, _phase: Phase) {}
}

/// How often a diagnosis may still ask its watch after its first cause is known. The calls are counted,
/// not timed, so that the answer does not depend on the machine. A diagnosis that stops early is
/// enough: a patch is verified for all runs, and one that misses a cause fails then.
const MOST_LOOKS: u64 = 20_000;

/// A watch that ends the diagnosis before a repair when enough causes are known to try something. News
/// of the diagnosis is not shown.
pub struct UntilEnoughKnown<'a> {
    watch: &'a mut dyn Watch,
    /// How often the watch was asked since a first cause was known; `None` before that.
    looks: Option<u64>,
}

impl<'a> UntilEnoughKnown<'a> {
    /// A watch of a diagnosis that knows nothing yet.
    pub fn new(watch: &'a mut dyn Watch) -> UntilEnoughKnown<'a> {
        UntilEnoughKnown { watch, looks: None }
    }
}

impl Watch for UntilEnoughKnown<'_> {
    fn check(&mut self, counts: &Counts) -> Option<StopReason> {
        self.looks = self.looks.map(|looks| looks + 1);
        let is_enough = self.looks.is_some_and(|looks| looks > MOST_LOOKS);
        let enough = is_enough.then_some(StopReason::Work(Work::Causes));
        self.watch.check(counts).or(enough)
    }

    fn news(&mut self, _what: String) {
        self.looks = self.looks.or(Some(0));
    }

    fn progress(&mut self, progress: Progress) {
        self.watch.progress(progress);
    }

    fn phase(&mut self, phase: Phase) {
        self.watch.phase(phase);
    }
}
