//! `unravel localize`: which values, if they were others, would let the failing run pass?
//!
//! The failing run is searched as for `check`. The program is marked and its relaxed formula built
//! (`formula`), the failing run is found again in it, and minimal correction sets are searched
//! (`unravel-localize`); each changed program is checked under all schedules (`judge`). The sets are
//! ranked (`unravel-localize`, `rank`). If none is right in all schedules, or the program
//! passes as it is with its threads one after the other, the cause is an order, and the diagnosis
//! says which.

mod formula;
mod judge;
mod replace;

use std::collections::BTreeSet;

use unravel_encode::Encoding;
use unravel_events::ThreadId as Instance;
use unravel_findings::faults;
use unravel_findings::violation::finding;
use unravel_interp::schedule::Decision;
use unravel_interp::{Machine, Property, Run, Violation};
use unravel_localize::{
    Localized, Marked, Reference, Stop, apply, mark, own_checks, ranked, search,
};
use unravel_program::Program;
use unravel_report::model::{
    Command, Finding, Localization, LocalizationRemark, Obstacle, Schedules,
};
use unravel_schedule::FailingRun;
use unravel_sequentialize::Replacement;
use unravel_watch::{StopReason, Stopped, Watch};

use crate::check::{CheckOptions, Checked, InternalFailure, check, confirm, report, schedule_file};
use crate::diagnose::diagnose_and_keep;
use crate::failing::{RunSearch, any_run_without, given_run_with};
use crate::failure_search::{FailureSearch, search_failing};
use crate::probe::passes_in_turn;
use crate::search::{Engine, Search};
use crate::subject::Subject;
use crate::symbolic::{self, Depth};
use formula::{Built, relaxed};
use judge::AllSchedules;

/// A fault as data, in the order of the report; tests check it on the changed program.
#[derive(Clone, Debug)]
pub struct TrackedFault {
    /// The program with the other values.
    pub program: Program,
    /// The run of it that passes.
    pub passing: Vec<Decision>,
    /// Under which schedules it passes.
    pub schedules: Schedules,
    /// The other values, for the file of the failing run.
    pub replacements: Vec<Replacement>,
}

/// Finds the values that would let the first failing run of a valid program pass. Locals of the
/// program should be in memory: only then are assignments to them seen.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn localize<'a>(
    subject: impl Into<Subject<'a>>,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    localize_and_track(subject, options, watch).map(|(checked, _)| checked)
}

/// Localizes, and hands out the changed programs.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn localize_and_track<'a>(
    subject: impl Into<Subject<'a>>,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<(Checked, Vec<TrackedFault>), InternalFailure> {
    let subject = subject.into();
    let program = subject.program;
    let options = &CheckOptions { all: false, ..subject.options(options) };
    let request = Request { subject, program, options, marked: mark(program) };
    if options.engine == Engine::Explore {
        return request.without(Obstacle::NeedsSymbolicEngine, watch);
    }
    if let Some(given) = subject.given {
        if given.violation.property() == Property::Race {
            return request.without(Obstacle::Race, watch);
        }
        return request.report(symbolic::no_search(options), given.run(), watch);
    }
    // No value is at fault for a race, so what else fails comes first.
    if options.properties.has(Property::Race) {
        let others = options.properties.without(Property::Race);
        let others = CheckOptions { properties: others, ..options.clone() };
        let (mut checked, tracked) = localize_and_track(subject, &others, watch)?;
        if !checked.report.findings.is_empty() {
            checked.report.properties = options.properties;
            return Ok((checked, tracked));
        }
    }
    let search = match search_failing(&request.marked.program, options, Depth::Shallow, watch)? {
        FailureSearch::Found(search, _) | FailureSearch::None(search) => search,
        FailureSearch::Elsewhere(checked, what) => {
            return Ok((without_values(*checked, &Obstacle::HandedOver(what)), Vec::new()));
        }
    };
    match search.found.first().cloned() {
        Some(found) if found.violation().property() == Property::Race => {
            request.without(Obstacle::Race, watch)
        }
        Some(found) => request.report(search, found, watch),
        // The exploration may know what the symbolic engine does not.
        None if search.stopped.is_none() && !search.is_exhaustive() => {
            request.without(Obstacle::NotAllModelled, watch)
        }
        None => {
            let report = report(program, options, (Command::Localize, &search), Vec::new());
            Ok((Checked { report, schedules: Vec::new(), passing: Vec::new() }, Vec::new()))
        }
    }
}

struct Request<'a> {
    subject: Subject<'a>,
    program: &'a Program,
    options: &'a CheckOptions,
    marked: Marked,
}

/// What was found out about a failing run, which need not be the one that was request about.
struct Answer {
    found: Run<Violation>,
    localization: Localization,
    tracked: Vec<TrackedFault>,
}

impl Answer {
    /// No values, for this reason.
    fn none(found: Run<Violation>, why: Obstacle) -> Answer {
        let localization = not_known(why);
        Answer { found, localization, tracked: Vec::new() }
    }
}

impl Request<'_> {
    /// What `check` says, and why no values are named.
    fn without(
        &self,
        why: Obstacle,
        watch: &mut dyn Watch,
    ) -> Result<(Checked, Vec<TrackedFault>), InternalFailure> {
        Ok((without_values(check(self.subject, self.options, watch)?, &why), Vec::new()))
    }

    fn report(
        &self,
        mut search: Search,
        found: Run<Violation>,
        watch: &mut dyn Watch,
    ) -> Result<(Checked, Vec<TrackedFault>), InternalFailure> {
        let Request { program, options, .. } = self;
        let mut reason = None;
        let Answer { found, localization, tracked } =
            self.localization(found, watch, &mut reason)?;
        let machine = Machine::new(program, options.config());
        let schedule = confirm(&machine, &found)?;
        let mut finding = finding(program, 1, found.violation(), &schedule);
        let is_deadlock = found.violation().property() == Property::Deadlock;
        let check = (!is_deadlock).then_some(found.violation().site);
        let is_order =
            reason.is_none() && (!is_value(&localization) || passes_in_turn(&machine, check));
        finding.localization = Some(localization);
        if is_order {
            self.explain_by_orders(&mut finding, watch)?;
        }
        search.stopped = reason.map(Stopped::Asked);
        let file = schedule_file(program, options, found.violation(), &schedule);
        let report = report(program, options, (Command::Localize, &search), vec![finding]);
        Ok((Checked { report, schedules: vec![file], passing: Vec::new() }, tracked))
    }

    fn localization(
        &self,
        first: Run<Violation>,
        watch: &mut dyn Watch,
        reason: &mut Option<StopReason>,
    ) -> Result<Answer, InternalFailure> {
        let checks = self.checks(&first);
        let run = (&first, &checks);
        let mut encoding = match relaxed(&self.marked, self.options, run, watch, reason)? {
            Built::Ready(encoding) => *encoding,
            Built::No(why) => return Ok(Answer::none(first, why)),
        };
        let searched = self.failing(&mut encoding, &first, &mut formula::stop(watch, reason))?;
        let failing = match searched {
            RunSearch::Found(failing) => failing,
            RunSearch::None { .. } => {
                return Ok(Answer::none(first, Obstacle::NoFailingRunInBounds));
            }
            RunSearch::Stopped => return Ok(Answer::none(first, Obstacle::Stopped)),
        };
        let found = failing.run.clone();
        let checks = self.checks(&found);
        let localized = self.search(&mut encoding, (&failing, &checks), watch, reason)?;
        let best = ranked(&self.marked, found.violation().site, &checks, &localized);
        let localization = faults::localization(&self.marked, &best, &localized);
        let tracked = best.iter().map(|it| TrackedFault {
            program: apply(&self.marked, &it.correction.changes),
            passing: it.correction.passing.decisions.clone(),
            schedules: faults::schedules(it.correction.judgement),
            replacements: replace::replacements(&self.marked, &it.correction.changes),
        });
        Ok(Answer { found, localization, tracked: tracked.collect() })
    }

    /// The marks of the check that fails.
    fn checks(&self, found: &Run<Violation>) -> BTreeSet<usize> {
        match found.violation().property() {
            Property::Reach => own_checks(&self.marked, found.violation().site),
            _ => BTreeSet::new(),
        }
    }

    /// The failing run in the formula of changes, with no change; if it cannot be found again, any
    /// other is as good.
    fn failing(
        &self,
        encoding: &mut Encoding,
        first: &Run<Violation>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<RunSearch, InternalFailure> {
        let program = &self.marked.program;
        let unchanged = formula::unchanged(encoding);
        let given = given_run_with(program, self.options, encoding, first, &unchanged, stop)?;
        if !matches!(given, RunSearch::None { .. }) {
            return Ok(given);
        }
        let changes: Vec<_> = unchanged.iter().map(|&lit| !lit).collect();
        let machine = Machine::new(program, self.options.config());
        any_run_without(&machine, encoding, &changes, stop)
    }

    fn search(
        &self,
        encoding: &mut Encoding,
        (failing, checks): (&FailingRun, &BTreeSet<usize>),
        watch: &mut dyn Watch,
        reason: &mut Option<StopReason>,
    ) -> Result<Localized, InternalFailure> {
        let of = Reference {
            model: &failing.model,
            steps: &failing.steps,
            thread: failing_thread(failing),
            checks,
        };
        let mut localized = Localized::default();
        let mut judge = AllSchedules::new(&self.marked, self.options, watch, reason);
        let config = self.options.config();
        match search(&self.marked, &config, encoding, of, &mut judge, &mut localized) {
            Ok(()) | Err(Stop::Stopped) => Ok(localized),
            Err(Stop::Broken(why)) => Err(InternalFailure::Broken(why)),
        }
    }

    /// Which orders make it fail, where no value does.
    fn explain_by_orders(
        &self,
        finding: &mut Finding,
        watch: &mut dyn Watch,
    ) -> Result<(), InternalFailure> {
        let diagnosed = diagnose_and_keep(self.subject, self.options, watch)?;
        let findings = diagnosed.checked.report.findings;
        let same = |it: &&Finding| it.property() == finding.property() && it.place == finding.place;
        let chosen = findings.iter().find(same).or(findings.first());
        let diagnosis = chosen.and_then(|it| it.diagnosis.clone());
        let has_core = diagnosis.as_ref().is_some_and(|it| !it.cores.is_empty() && !it.sequential);
        if let (Some(localization), Some(mut diagnosis), true) =
            (&mut finding.localization, diagnosis, has_core)
        {
            localization.is_order = true;
            // The diagnosis has a failing run of its own, with other numbers.
            let orders = diagnosis.cores.iter_mut().flat_map(|core| &mut core.orders);
            for order in orders {
                (order.before.step, order.after.step) = (None, None);
            }
            finding.diagnosis = Some(diagnosis);
        }
        Ok(())
    }
}

/// What `check` says, and why no values are named.
fn without_values(mut checked: Checked, why: &Obstacle) -> Checked {
    checked.report.command = Command::Localize;
    for finding in &mut checked.report.findings {
        finding.localization = Some(not_known(why.clone()));
    }
    checked
}

/// No values, for this reason.
fn not_known(why: Obstacle) -> Localization {
    let remarks = vec![LocalizationRemark::NotKnown(why)];
    Localization { remarks, ..Localization::default() }
}

/// Whether some value is at fault in all schedules.
fn is_value(localization: &Localization) -> bool {
    localization.faults.iter().any(|fault| {
        fault.schedules == Schedules::All && !fault.restates_assertion && !fault.avoids_check
    })
}

/// The thread of the graph that fails; none for a deadlock, which has no check.
fn failing_thread(failing: &FailingRun) -> Option<Instance> {
    let violation = failing.violation();
    let thread = failing.threads.get(violation.thread.0 as usize).copied();
    thread.filter(|_| violation.property() != Property::Deadlock)
}
