//! `unravel diagnose`: which few orders make the program fail?
//!
//! The search goes as for `check`, up to the first violation and then a few turns of every loop
//! further; on the problem of the last round all failing runs are diagnosed
//! (`unravel-diagnose`).

use unravel_diagnose::{
    Core, Diagnosis, Interrupted, Listener, Order, Pattern, Shape, causes, shape,
};
use unravel_encode::Encoding;
use unravel_findings::cause::Causes;
use unravel_interp::Machine;
use unravel_program::Program;
use unravel_report::model::{self, Command, Obstacle};
use unravel_report::words;
use unravel_watch::{Counts, Phase, StopReason, Stopped, Watch, Work};

use crate::check::{CheckOptions, Checked, InternalFailure, check, report};
use crate::diagnosed::{Reporter, nothing};
use crate::failure_search::{FailureSearch, search_failing};
use crate::search::{Engine, Search};
use crate::symbolic::Depth;
use crate::tracked::{TrackedCores, Tracker};

/// Diagnoses a valid program.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn diagnose(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    diagnose_and_track(program, options, watch).map(|(checked, _)| checked)
}

/// Diagnoses a valid program, and hands out the cores.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn diagnose_and_track(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<(Checked, TrackedCores), InternalFailure> {
    diagnose_and_keep(program, options, watch).map(|it| (it.checked, it.tracked))
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
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Diagnosed, InternalFailure> {
    let options = CheckOptions { all: false, ..options.clone() };
    if options.engine == Engine::Explore {
        let checked = check(program, &options, watch)?;
        return Ok(undiagnosed(checked, &Obstacle::NeedsSymbolicEngine));
    }
    match search_failing(program, &options, Depth::Deep, watch)? {
        FailureSearch::Found(search, encoding) => {
            explained(program, &options, search, *encoding, watch)
        }
        FailureSearch::Elsewhere(checked, what) => {
            Ok(undiagnosed(*checked, &Obstacle::HandedOver(what)))
        }
        FailureSearch::None(search) => {
            let report = report(program, &options, (Command::Diagnose, &search), Vec::new());
            Ok(Diagnosed::without_cores(Checked { report, schedules: Vec::new() }))
        }
    }
}

/// What `check` says, where the symbolic engine does not know the program well enough to ask it
/// about passing runs.
fn undiagnosed(mut checked: Checked, why: &Obstacle) -> Diagnosed {
    checked.report.command = Command::Diagnose;
    for finding in &mut checked.report.findings {
        finding.diagnosis = Some(nothing(why.clone()));
    }
    Diagnosed::without_cores(checked)
}

/// Diagnoses all failing runs and reports them.
fn explained(
    program: &Program,
    options: &CheckOptions,
    mut search: Search,
    mut encoding: Encoding,
    watch: &mut dyn Watch,
) -> Result<Diagnosed, InternalFailure> {
    let machine = Machine::new(program, options.config());
    watch.phase(Phase::Solve);
    let mut diagnosis = Diagnosis::default();
    let mut listener = Ear { program, watch, reason: None, told: false };
    let ended = unravel_diagnose::diagnose(&machine, &mut encoding, &mut diagnosis, &mut listener);
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
    let mut reporter = Reporter { program, options, machine, encoding, diagnosis };
    let mut stop = || watch.check(&Counts::default()).is_some();
    let checked = reporter.report(search, &mut stop)?;
    let rest = Some((reporter.encoding, reporter.diagnosis));
    Ok(Diagnosed { checked, tracked, rest })
}

/// Listens to a diagnosis on behalf of a watch.
struct Ear<'a> {
    program: &'a Program,
    watch: &'a mut dyn Watch,
    reason: Option<StopReason>,
    /// A first cause was told.
    told: bool,
}

impl Listener for Ear<'_> {
    fn should_stop(&mut self) -> bool {
        self.reason = self.reason.take().or_else(|| self.watch.check(&Counts::default()));
        self.reason.is_some()
    }

    /// Says what the first cause is, as far as it is known: the rest may take long.
    fn found_so_far(&mut self, encoding: &Encoding, orders: &[Order]) {
        if !std::mem::replace(&mut self.told, true) {
            let graph = encoding.graph();
            let shape = shape(graph, &Core::of_orders(orders));
            let cause = self.cause(encoding, Pattern::OrderViolation, &shape);
            self.watch.news(words::cause::message(&cause));
        }
    }

    fn explained(&mut self, encoding: &Encoding, diagnosis: &Diagnosis) {
        let graph = encoding.graph();
        if let [_] = diagnosis.runs[..]
            && let Some(cause) = causes(self.program, graph, diagnosis, &[0]).first()
        {
            let cause = self.cause(encoding, cause.pattern, &cause.shape);
            self.watch.news(words::cause::named(&cause));
        }
    }
}

impl Ear<'_> {
    fn cause(&self, encoding: &Encoding, pattern: Pattern, shape: &Shape) -> model::Cause {
        let causes = Causes { program: self.program, graph: encoding.graph() };
        let shape = causes.shape(pattern, shape, None);
        model::Cause { pattern, shape, cores: Vec::new() }
    }
}
