//! Whether a changed program passes under all schedules: `check` says so, within a budget.

use unravel_explore::{Counts, Phase, Watch};
use unravel_localize::{Change, Judge, Judgement, Marked, Stop, apply};
use unravel_report::model::Verdict;

use crate::check::{CheckOptions, check};

/// How often a check of one changed program may look at its watch, so that the answer does not
/// depend on how fast the machine is. There are many changed programs, and most fail at once.
const LOOKS: u64 = 4_000;

/// Judges by `check`.
pub struct AllSchedules<'a> {
    marked: &'a Marked,
    options: CheckOptions,
    watch: &'a mut dyn Watch,
    reason: &'a mut Option<String>,
}

impl<'a> AllSchedules<'a> {
    pub fn new(
        marked: &'a Marked,
        options: &CheckOptions,
        watch: &'a mut dyn Watch,
        reason: &'a mut Option<String>,
    ) -> AllSchedules<'a> {
        AllSchedules { marked, options: options.clone(), watch, reason }
    }
}

impl Judge for AllSchedules<'_> {
    fn judge(&mut self, changes: &[Change]) -> Result<Judgement, Stop> {
        let program = apply(self.marked, changes);
        let mut limited = Limited { watch: self.watch, left: LOOKS, reason: None };
        let checked = check(&program, &self.options, &mut limited)
            .map_err(|failure| Stop::Broken(failure.to_string()))?;
        if let Some(reason) = limited.reason {
            *self.reason = Some(reason);
            return Err(Stop::Stopped);
        }
        Ok(match checked.report.verdict {
            Verdict::Safe => Judgement::Robust,
            Verdict::Unsafe => Judgement::Fails,
            Verdict::Inconclusive => Judgement::Unknown,
        })
    }

    fn should_stop(&mut self) -> bool {
        *self.reason = self.reason.take().or_else(|| self.watch.check(&Counts::default()));
        self.reason.is_some()
    }
}

/// A watch that says stop after some looks, too.
struct Limited<'a> {
    watch: &'a mut dyn Watch,
    left: u64,
    /// Why the watch itself said so.
    reason: Option<String>,
}

impl Watch for Limited<'_> {
    fn check(&mut self, counts: &Counts) -> Option<String> {
        self.reason = self.reason.take().or_else(|| self.watch.check(counts));
        if self.reason.is_some() {
            return self.reason.clone();
        }
        self.left = self.left.saturating_sub(1);
        (self.left == 0).then(|| "it took long".to_owned())
    }

    fn phase(&mut self, _phase: Phase) {}

    fn news(&mut self, _news: String) {}
}
