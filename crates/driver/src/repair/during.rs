//! Watches for work that serves another purpose: its time is time of that purpose, and its news is
//! none.

use unravel_explore::{Counts, Phase, Watch};

/// Hands on everything but the phases.
pub struct During<'a>(pub &'a mut dyn Watch);

impl Watch for During<'_> {
    fn check(&mut self, counts: &Counts) -> Option<String> {
        self.0.check(counts)
    }

    fn phase(&mut self, _phase: Phase) {}
}

/// Hands on everything but news: of a diagnosis on the way to a repair, only the end matters.
pub struct Quiet<'a>(pub &'a mut dyn Watch);

impl Watch for Quiet<'_> {
    fn check(&mut self, counts: &Counts) -> Option<String> {
        self.0.check(counts)
    }

    fn phase(&mut self, phase: Phase) {
        self.0.phase(phase);
    }
}
