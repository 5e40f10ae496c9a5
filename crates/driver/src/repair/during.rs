//! Watches for work that serves another purpose: its time is time of that purpose, and its news is
//! none.

use unravel_watch::{Counts, Phase, StopReason, Watch, Work};

/// Hands on everything but the phases.
pub struct During<'a>(pub &'a mut dyn Watch);

impl Watch for During<'_> {
    fn check(&mut self, counts: &Counts) -> Option<StopReason> {
        self.0.check(counts)
    }

    fn phase(&mut self, _phase: Phase) {}
}

/// Looks of a diagnosis at its watch after its first cause is known; counted, not timed, so that the
/// answer does not depend on the machine. A patch is verified for all runs anyway, and one that misses
/// a cause shows it when it fails.
const MOST_LOOKS: u64 = 20_000;

/// Of a diagnosis on the way to a repair: hands on everything but news, and ends it when enough is
/// known to try something.
pub struct OnTheWay<'a> {
    watch: &'a mut dyn Watch,
    /// Looks since something was known.
    looks: Option<u64>,
}

impl<'a> OnTheWay<'a> {
    /// Before anything is known.
    pub fn new(watch: &'a mut dyn Watch) -> OnTheWay<'a> {
        OnTheWay { watch, looks: None }
    }
}

impl Watch for OnTheWay<'_> {
    fn check(&mut self, counts: &Counts) -> Option<StopReason> {
        self.looks = self.looks.map(|looks| looks + 1);
        let is_enough = self.looks.is_some_and(|looks| looks > MOST_LOOKS);
        let enough = is_enough.then_some(StopReason::Work(Work::Causes));
        self.watch.check(counts).or(enough)
    }

    fn news(&mut self, _what: String) {
        self.looks = self.looks.or(Some(0));
    }

    fn phase(&mut self, phase: Phase) {
        self.watch.phase(phase);
    }
}
