//! Whether a changed program passes under all schedules: `check` says so, within a budget.

use unravel_interp::run::replay;
use unravel_interp::schedule::Decision;
use unravel_interp::{End, Machine};
use unravel_localize::{Change, Judge, Judgement, Marked, Stop, apply};
use unravel_program::Program;
use unravel_watch::{Counts, Phase, StopReason, Watch, Work};

use crate::check::{CheckOptions, by_both_engines, confirm};

/// How often a check of one changed program may look at its watch, so that the answer does not
/// depend on how fast the machine is. There are many changed programs, and most fail at once.
const LOOKS: u64 = 4_000;

/// Failing runs of changed programs that are tried on others.
const MOST_KNOWN: usize = 16;

/// Judges by `check`.
pub struct AllSchedules<'a> {
    marked: &'a Marked,
    options: CheckOptions,
    watch: &'a mut dyn Watch,
    reason: &'a mut Option<StopReason>,
    /// Failing runs of changed programs. A run that fails with one change often fails with the
    /// next, and to replay it costs nothing beside a search.
    known: Vec<Vec<Decision>>,
}

impl<'a> AllSchedules<'a> {
    pub fn new(
        marked: &'a Marked,
        options: &CheckOptions,
        watch: &'a mut dyn Watch,
        reason: &'a mut Option<StopReason>,
    ) -> AllSchedules<'a> {
        AllSchedules { marked, options: options.clone(), watch, reason, known: Vec::new() }
    }

    fn fails_as_known(&self, program: &Program) -> bool {
        let machine = Machine::new(program, self.options.config());
        let ends = self.known.iter().filter_map(|decisions| replay(&machine, decisions).ok());
        ends.into_iter().any(|schedule| matches!(schedule.end, End::Violation(_)))
    }
}

impl Judge for AllSchedules<'_> {
    fn judge(&mut self, changes: &[Change]) -> Result<Judgement, Stop> {
        let program = apply(self.marked, changes);
        if self.fails_as_known(&program) {
            return Ok(Judgement::Fails);
        }
        let mut limited = Limited { watch: self.watch, left: LOOKS, reason: None };
        let broken = |failure: crate::InternalFailure| Stop::Broken(failure.to_string());
        let (search, _) = by_both_engines(&program, &self.options, &mut limited).map_err(broken)?;
        if let Some(reason) = limited.reason {
            *self.reason = Some(reason);
            return Err(Stop::Stopped);
        }
        let Some(found) = search.found.first() else {
            let all = search.is_exhaustive();
            return Ok(if all { Judgement::Robust } else { Judgement::Unknown });
        };
        let used = CheckOptions { unwind: search.unwind, ..self.options.clone() };
        confirm(&Machine::new(&program, used.config()), found).map_err(broken)?;
        if self.known.len() < MOST_KNOWN {
            self.known.push(found.decisions.clone());
        }
        Ok(Judgement::Fails)
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
    reason: Option<StopReason>,
}

impl Watch for Limited<'_> {
    fn check(&mut self, counts: &Counts) -> Option<StopReason> {
        self.reason = self.reason.take().or_else(|| self.watch.check(counts));
        if self.reason.is_some() {
            return self.reason;
        }
        self.left = self.left.saturating_sub(1);
        (self.left == 0).then_some(StopReason::Work(Work::Search))
    }

    fn phase(&mut self, _phase: Phase) {}

    fn news(&mut self, _what: String) {}
}
