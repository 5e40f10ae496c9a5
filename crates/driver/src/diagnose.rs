//! `unravel diagnose`: which few orders make the program fail?
//!
//! The search goes as for `check`, up to the first violation and then a few turns of every loop
//! further; on the problem of the last round all failing runs are diagnosed
//! (`unravel-diagnose`).

use unravel_diagnose::{
    Core, Diagnosis, First, Interrupted, Listener, Order, Pattern, Shape, causes, shape,
};
use unravel_encode::Encoding;
use unravel_findings::cause::Causes;
use unravel_interp::{Machine, Run, Violation};
use unravel_program::Program;
use unravel_report::model::{self, Command, DiagnosisRemark, Obstacle};
use unravel_report::words;
use unravel_watch::{Counts, Phase, Progress, StopReason, Stopped, Watch, Work};

use crate::check::{CheckOptions, Checked, InternalFailure, check, report, shortened};
use crate::diagnosed::{Reporter, not_known, nothing};
use crate::failing::{RunSearch, given_run_with};
use crate::failure_search::{FailureSearch, search_failing};
use crate::search::{Engine, Search};
use crate::subject::Subject;
use crate::symbolic::Depth;
use crate::tracked::{TrackedCores, Tracker};

/// Diagnoses a valid program.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn diagnose<'a>(
    subject: impl Into<Subject<'a>>,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    diagnose_and_track(subject, options, watch).map(|(checked, _)| checked)
}

/// Diagnoses a valid program, and hands out the cores.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn diagnose_and_track<'a>(
    subject: impl Into<Subject<'a>>,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<(Checked, TrackedCores), InternalFailure> {
    diagnose_and_keep(subject.into(), options, watch).map(|it| (it.checked, it.tracked))
}

/// A diagnosis, with what others can go on from.
pub(crate) struct Diagnosed {
    pub checked: Checked,
    pub tracked: TrackedCores,
    /// The formula and what was learnt from it, if there are failing runs that were diagnosed.
    pub rest: Option<(Encoding, Diagnosis)>,
}

impl Diagnosed {
    fn without_cores(checked: Checked) -> Diagnosed {
        Diagnosed { checked, tracked: TrackedCores::default(), rest: None }
    }
}

/// Diagnoses a valid program, and keeps the formula.
pub(crate) fn diagnose_and_keep(
    subject: Subject<'_>,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Diagnosed, InternalFailure> {
    let program = subject.program;
    let options = CheckOptions { all: false, ..subject.options(options) };
    if options.engine == Engine::Explore {
        let checked = check(subject, &options, watch)?;
        return Ok(undiagnosed(checked, &not_known(Obstacle::NeedsSymbolicEngine)));
    }
    match search_failing(program, &options, Depth::Deep, watch)? {
        FailureSearch::Found(search, encoding) => {
            explained(subject, &options, search, *encoding, watch)
        }
        FailureSearch::Elsewhere(checked, what) => {
            let checked = match subject.given {
                Some(_) => check(subject, &options, watch)?,
                None => *checked,
            };
            Ok(undiagnosed(checked, &not_known(Obstacle::HandedOver(what))))
        }
        // The engine found no failing run, but the user has one.
        FailureSearch::None(search) if subject.given.is_some() => {
            let why = match search.stopped {
                Some(_) => not_known(Obstacle::Stopped),
                None => DiagnosisRemark::SameOrderCut,
            };
            Ok(undiagnosed(check(subject, &options, watch)?, &why))
        }
        FailureSearch::None(search) => {
            let report = report(program, &options, (Command::Diagnose, &search), Vec::new());
            Ok(Diagnosed::without_cores(Checked {
                report,
                schedules: Vec::new(),
                passing: Vec::new(),
            }))
        }
    }
}

/// What `check` says, where the symbolic engine does not know the program well enough to ask it
/// about passing runs.
fn undiagnosed(mut checked: Checked, why: &DiagnosisRemark) -> Diagnosed {
    checked.report.command = Command::Diagnose;
    for finding in &mut checked.report.findings {
        finding.diagnosis = Some(nothing(why.clone()));
    }
    Diagnosed::without_cores(checked)
}

/// Diagnoses all failing runs and reports them.
fn explained(
    subject: Subject<'_>,
    options: &CheckOptions,
    mut search: Search,
    mut encoding: Encoding,
    watch: &mut dyn Watch,
) -> Result<Diagnosed, InternalFailure> {
    let program = subject.program;
    let machine = Machine::new(program, options.config());
    watch.phase(Phase::Solve);
    let first = match given_model(subject, options, &mut encoding, watch)? {
        Ok(first) => first,
        Err(why) => return Ok(undiagnosed(check(subject, options, watch)?, &not_known(why))),
    };
    let is_given = first.is_some();
    let (first, fewest) = match (first, search.found.first()) {
        (None, Some(found)) => short_run(program, options, found, &mut encoding, watch)?,
        (first, _) => (first, false),
    };
    let mut diagnosis = Diagnosis::default();
    let mut listener = NewsListener { program, watch, reason: None, has_news: false };
    let ended =
        unravel_diagnose::diagnose(&machine, &mut encoding, first, &mut diagnosis, &mut listener);
    match ended {
        Ok(()) => {}
        Err(Interrupted::Broken(why)) => return Err(InternalFailure::Broken(why)),
        Err(Interrupted::Stopped) => {
            let reason = listener.reason.unwrap_or(StopReason::Work(Work::Other));
            search.stopped = Some(Stopped::Asked(reason));
        }
    }
    watch.phase(Phase::Replay);
    let tracker = Tracker { graph: encoding.graph() };
    let tracked = tracker.cores(&diagnosis, search.notes.is_empty());
    let mut reporter =
        Reporter { program, options, machine, encoding, diagnosis, is_given, fewest };
    let mut stop = || watch.check(&Counts::default()).is_some();
    let checked = reporter.report(search, &mut stop)?;
    let rest = Some((reporter.encoding, reporter.diagnosis));
    Ok(Diagnosed { checked, tracked, rest })
}

/// The model of the run that is given, if one is; or why the formula does not have that run.
fn given_model(
    subject: Subject<'_>,
    options: &CheckOptions,
    encoding: &mut Encoding,
    watch: &mut dyn Watch,
) -> Result<Result<Option<First>, Obstacle>, InternalFailure> {
    let Some(given) = subject.given else { return Ok(Ok(None)) };
    let mut stop = || watch.check(&Counts::default()).is_some();
    // A diagnosis asks about runs that end in the failure and meet nothing unknown.
    let also = [encoding.failing(), encoding.clean()];
    let (program, run) = (subject.program, given.run());
    let searched = given_run_with(program, options, encoding, &run, &also, &mut stop)?;
    Ok(match searched {
        RunSearch::Found(run) => Ok(Some(First::Model(run.model))),
        RunSearch::None { turns } => Err(Obstacle::GivenRunNotInBounds { iterations: turns }),
        RunSearch::Stopped => Err(Obstacle::Stopped),
    })
}

/// A short run that fails, and whether it has the fewest context switches possible: the diagnosis
/// begins with it, since it is the one that is shown. None if the formula does not have it as a run
/// that a diagnosis asks for; then the diagnosis begins with any.
fn short_run(
    program: &Program,
    options: &CheckOptions,
    found: &Run<Violation>,
    encoding: &mut Encoding,
    watch: &mut dyn Watch,
) -> Result<(Option<First>, bool), InternalFailure> {
    watch.phase(Phase::Replay);
    let short = shortened(program, options, found, false, watch);
    let mut also = vec![encoding.failing(), encoding.clean(), encoding.certain()];
    also.extend(encoding.only_owed_wakeups());
    let mut stop = || watch.check(&Counts::default()).is_some();
    let searched = given_run_with(program, options, encoding, &short.run, &also, &mut stop)?;
    let RunSearch::Found(mut run) = searched else { return Ok((None, false)) };
    if let Some(&last) = run.steps.last() {
        // The step in which it fails is not executed.
        let passed = encoding.graph().step(last).passed;
        let is_executed = encoding.valuation(&run.model).with(|value| value(passed) == 1);
        run.steps.truncate(run.steps.len() - usize::from(!is_executed));
    }
    Ok((Some(First::Run(run)), short.fewest_switches))
}

/// Listens to a diagnosis on behalf of a watch, and passes on what is news.
struct NewsListener<'a> {
    program: &'a Program,
    watch: &'a mut dyn Watch,
    reason: Option<StopReason>,
    /// A first cause was passed on.
    has_news: bool,
}

impl Listener for NewsListener<'_> {
    fn should_stop(&mut self) -> bool {
        self.reason = self.reason.take().or_else(|| self.watch.check(&Counts::default()));
        self.reason.is_some()
    }

    /// Says what the first cause is, as far as it is known: the rest may take long.
    fn found_so_far(&mut self, encoding: &Encoding, orders: &[Order]) {
        if !std::mem::replace(&mut self.has_news, true) {
            let graph = encoding.graph();
            let shape = shape(graph, &Core::of_orders(orders));
            let cause = self.cause(encoding, Pattern::OrderViolation, &shape);
            self.watch.news(words::cause::message(&cause));
        }
    }

    fn explained(&mut self, encoding: &Encoding, diagnosis: &Diagnosis) {
        let graph = encoding.graph();
        let all: Vec<usize> = (0..diagnosis.runs.len()).collect();
        let causes = causes(self.program, graph, diagnosis, &all);
        self.watch.progress(Progress::Diagnosing { causes: causes.len(), runs: all.len() });
        if let ([_], Some(cause)) = (&all[..], causes.first()) {
            let cause = self.cause(encoding, cause.pattern, &cause.shape);
            self.watch.news(words::cause::named(&cause));
        }
    }
}

impl NewsListener<'_> {
    fn cause(&self, encoding: &Encoding, pattern: Pattern, shape: &Shape) -> model::Cause {
        let causes = Causes { program: self.program, graph: encoding.graph() };
        let shape = causes.shape(pattern, shape, None);
        model::Cause { pattern, shape, mistake: None, cores: Vec::new() }
    }
}
