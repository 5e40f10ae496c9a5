//! `unravel compare`: the passing run closest to the failing one.

use unravel_compare::{Algorithm, Method, Options, Outcome, Trace, Weights};
use unravel_compare::{closest, swap};
use unravel_encode::Encoding;
use unravel_findings::comparison::Compared;
use unravel_findings::violation::finding;
use unravel_interp::run::replay_passing;
use unravel_interp::{Machine, Note, Schedule, Violation};
use unravel_program::Program;
use unravel_report::model::{self, Command, Finding, Obstacle, RelatedKind, Remark};
use unravel_schedule::FailingRun;
use unravel_watch::{Counts, Phase, StopReason, Stopped, Watch};

use crate::check::{
    CheckOptions, Checked, InternalFailure, check, checked, confirm, passing_file, report,
    schedule_file, shortened,
};
use crate::failing::{self, RunSearch, any_run, given_run};
use crate::failure_search::{FailureSearch, search_failing};
use crate::search::{Engine, Search};
use crate::subject::{GivenRun, Subject};
use crate::symbolic::{Depth, Patience, WithFormula, search_with_formula};
use crate::tracked::TrackedComparison;

/// Steps of a failing run up to which the closest of all is searched for by default; for longer ones
/// the search is progressive. On runs of 1,000 to 1,600 steps the exact search takes about as long
/// as finding the failing run.
const EXACT_STEPS: usize = 2_000;

/// How to compare.
#[derive(Clone, Copy, Debug)]
pub struct CompareOptions {
    /// Data flows, segments and switches count alike; else in that order.
    pub equal_weights: bool,
    /// From models to better ones; else from below, by cores.
    pub linear: bool,
    /// How to search; by default that depends on the size of the run.
    pub search: Option<HowClose>,
    /// Most conflicts of the solver.
    pub conflicts: u64,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowClose {
    /// The closest, proved.
    Exact,
    /// The closest that differs near the failure only.
    Progressive,
    /// One pair of steps swapped: the baseline of the tables.
    Swap,
}

/// Compares the first failing run of a valid program with the passing run closest to it.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn compare<'a>(
    subject: impl Into<Subject<'a>>,
    options: &CheckOptions,
    how: &CompareOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    let subject = subject.into();
    if let Some(given) = subject.given {
        return compare_given(subject.program, how, given, watch);
    }
    compare_and_track(subject.program, options, how, watch).map(|(checked, _)| checked)
}

/// Compares, and hands out the runs.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn compare_and_track(
    program: &Program,
    options: &CheckOptions,
    how: &CompareOptions,
    watch: &mut dyn Watch,
) -> Result<(Checked, Option<TrackedComparison>), InternalFailure> {
    let options = CheckOptions { all: false, ..options.clone() };
    let request = Request { program, options: &options, how, given: None };
    if options.engine == Engine::Explore {
        return Ok((request.without(Obstacle::NeedsSymbolicEngine, watch)?, None));
    }
    match search_failing(program, &options, Depth::Complete, watch)? {
        FailureSearch::Found(search, encoding) => {
            Comparer { request, encoding: *encoding }.report(search, watch)
        }
        FailureSearch::Elsewhere(checked, what) => {
            Ok((without_passing(*checked, &Obstacle::HandedOver(what)), None))
        }
        FailureSearch::None(search) => {
            let report = report(program, &options, (Command::Compare, &search), Vec::new());
            Ok((Checked { report, schedules: Vec::new(), passing: Vec::new() }, None))
        }
    }
}

/// Compares a failing run that is given with the passing run closest to it.
///
/// # Errors
/// A run that does not replay; then there is no answer.
fn compare_given(
    program: &Program,
    how: &CompareOptions,
    given: &GivenRun,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    let options = &CheckOptions { all: false, engine: Engine::Sat, ..given.options.clone() };
    let request = Request { program, options, how, given: Some(given) };
    let patience = Patience::Long;
    match search_with_formula(program, options, patience, Depth::Complete, watch)? {
        WithFormula { search, encoding: Some(encoding) } if search.stopped.is_none() => {
            Comparer { request, encoding }.report(search, watch).map(|(checked, _)| checked)
        }
        WithFormula { search, .. } => Ok(request.given_only(given, &search, Obstacle::Stopped)),
    }
}

/// What is request for.
#[derive(Clone, Copy)]
struct Request<'a> {
    program: &'a Program,
    options: &'a CheckOptions,
    how: &'a CompareOptions,
    given: Option<&'a GivenRun>,
}

impl Request<'_> {
    /// What `check` says, and why there is no passing run beside it.
    fn without(&self, why: Obstacle, watch: &mut dyn Watch) -> Result<Checked, InternalFailure> {
        Ok(without_passing(check(self.program, self.options, watch)?, &why))
    }

    /// The run that was given, and why there is no passing run beside it.
    fn given_only(&self, given: &GivenRun, search: &Search, why: Obstacle) -> Checked {
        let mut finding = finding(self.program, 1, &given.violation, &given.schedule);
        remark(&mut finding, why);
        self.checked(search, finding, &given.schedule, &given.violation)
    }

    fn checked(
        &self,
        search: &Search,
        finding: Finding,
        schedule: &Schedule,
        violation: &Violation,
    ) -> Checked {
        let file = schedule_file(self.program, self.options, violation, schedule);
        let command = (Command::Compare, search);
        let report = report(self.program, self.options, command, vec![finding]);
        Checked { report, schedules: vec![file], passing: Vec::new() }
    }
}

/// What `check` says, and why there is no passing run beside it.
fn without_passing(mut checked: Checked, why: &Obstacle) -> Checked {
    checked.report.command = Command::Compare;
    checked.report.findings.iter_mut().for_each(|finding| remark(finding, why.clone()));
    checked
}

fn remark(finding: &mut Finding, why: Obstacle) {
    let (place, what) = (finding.place.clone(), RelatedKind::NoPassingRun(why));
    finding.related.push(Remark { place, what });
}

struct Comparer<'a> {
    request: Request<'a>,
    encoding: Encoding,
}

impl Comparer<'_> {
    fn report(
        mut self,
        mut search: Search,
        watch: &mut dyn Watch,
    ) -> Result<(Checked, Option<TrackedComparison>), InternalFailure> {
        let Request { program, options, .. } = self.request;
        let machine = Machine::new(program, options.config());
        let mut reason = None;
        let failing =
            match (self.failing(&machine, &search, watch, &mut reason)?, self.request.given) {
                (RunSearch::Found(failing), _) => failing,
                (searched, Some(given)) => {
                    return Ok((
                        self.request.given_only(given, &search, not_found(&searched)),
                        None,
                    ));
                }
                // There is no time to look for it again.
                (RunSearch::Stopped, None) => {
                    search.stopped = reason.map(Stopped::Asked);
                    let known = checked(program, options, &search, watch)?;
                    return Ok((without_passing(known, &Obstacle::Stopped), None));
                }
                (_, None) => {
                    return Ok((self.request.without(Obstacle::RaceOrStopped, watch)?, None));
                }
            };
        let schedule = confirm(&machine, &failing)?;
        let mut finding = finding(program, 1, failing.violation(), &schedule);
        let trace = failing::trace(program, &self.encoding, &failing);
        let (mut tracked, mut passing) = (None, None);
        match self.search(&machine, &failing, &trace, watch, &mut reason) {
            Outcome::Found(mut comparison) => {
                // Within larger bounds a passing run may be closer.
                let is_cut = search.notes.iter().any(|it| matches!(it, Note::Bound { .. }));
                comparison.is_optimal &= !is_cut;
                let closest = replay_passing(&machine, &comparison.passing.decisions)
                    .map_err(InternalFailure::Diverged)?;
                passing = Some(passing_file(program, self.request.options, &closest));
                let graph = self.encoding.graph();
                let (run, method) = (&*failing, self.reported_method(&trace, is_cut));
                let compared =
                    Compared { program, graph, run, trace: &trace, comparison: &comparison };
                tracked = Some(TrackedComparison::of(&compared));
                finding.comparison = Some(compared.report(&schedule, &closest, method));
            }
            Outcome::NonePasses => remark(&mut finding, Obstacle::NonePasses),
            Outcome::NoneKnown => remark(&mut finding, Obstacle::NoPassingRunKnown),
            Outcome::Stopped => remark(&mut finding, Obstacle::Stopped),
            Outcome::Broken(why) => return Err(InternalFailure::Broken(why)),
        }
        search.stopped = reason.map(Stopped::Asked);
        let mut checked = self.request.checked(&search, finding, &schedule, failing.violation());
        checked.passing.extend(passing);
        Ok((checked, tracked))
    }

    /// The failing run that is asked for, or the short one that `check` shows; found again by its
    /// decisions, so that the same run is compared alike whether it was found or given. Therefore one is searched for even if one is
    /// given: the solver has seen the same then, and gives the same answers.
    fn failing(
        &mut self,
        machine: &Machine<'_>,
        search: &Search,
        watch: &mut dyn Watch,
        reason: &mut Option<StopReason>,
    ) -> Result<RunSearch, InternalFailure> {
        watch.phase(Phase::Solve);
        let Request { program, options, given, .. } = self.request;
        let short = search
            .found
            .first()
            .filter(|_| given.is_none())
            .map(|found| shortened(program, options, found, search.fewest_switches, watch).run);
        let mut stop = stop(watch, reason);
        let first = any_run(machine, &mut self.encoding, &mut stop)?;
        let run = match (given, &first) {
            (Some(given), _) => given.run(),
            (None, RunSearch::Found(first)) => short.unwrap_or_else(|| first.run.clone()),
            (None, RunSearch::None { .. } | RunSearch::Stopped) => return Ok(first),
        };
        match given_run(program, options, &mut self.encoding, &run, &mut stop)? {
            // The formula does not have the short one. The first is as good, only longer.
            RunSearch::None { .. } if given.is_none() => Ok(first),
            again => Ok(again),
        }
    }

    fn search(
        &mut self,
        machine: &Machine<'_>,
        failing: &FailingRun,
        trace: &Trace,
        watch: &mut dyn Watch,
        reason: &mut Option<StopReason>,
    ) -> Outcome {
        let mut stop = stop(watch, reason);
        let failing = unravel_compare::Reference { model: &failing.model, trace, also: &[] };
        let method = match self.method(trace) {
            HowClose::Swap => return swap(machine, &mut self.encoding, failing, &mut stop),
            HowClose::Exact => Method::Exact,
            HowClose::Progressive => Method::Progressive,
        };
        let how = self.request.how;
        let options = Options {
            weights: if how.equal_weights { Weights::Equal } else { Weights::Lexicographic },
            algorithm: if how.linear { Algorithm::Linear } else { Algorithm::CoreGuided },
            method,
            conflicts: Some(how.conflicts),
        };
        closest(machine, &mut self.encoding, failing, &options, &mut stop)
    }

    fn method(&self, trace: &Trace) -> HowClose {
        let small = trace.steps.len() <= EXACT_STEPS;
        let by_size = if small { HowClose::Exact } else { HowClose::Progressive };
        self.request.how.search.unwrap_or(by_size)
    }

    fn reported_method(&self, trace: &Trace, is_cut: bool) -> model::Method {
        let equal_weights = self.request.how.equal_weights;
        match self.method(trace) {
            HowClose::Exact => model::Method::Exact { equal_weights, is_cut },
            HowClose::Progressive => model::Method::Progressive { equal_weights },
            HowClose::Swap => model::Method::Swap,
        }
    }
}

/// Asks a watch whether to stop, and keeps its reason.
fn stop<'a>(
    watch: &'a mut dyn Watch,
    reason: &'a mut Option<StopReason>,
) -> impl FnMut() -> bool + 'a {
    move || {
        *reason = reason.take().or_else(|| watch.check(&Counts::default()));
        reason.is_some()
    }
}

/// Why a run that was given could not be found again.
fn not_found(searched: &RunSearch) -> Obstacle {
    match searched {
        RunSearch::None { turns } => Obstacle::GivenRunNotInBounds { iterations: *turns },
        RunSearch::Found(_) | RunSearch::Stopped => Obstacle::Stopped,
    }
}
