//! `unravel compare`: the passing run closest to the failing one.

use unravel_compare::{Algorithm, Comparison, Failing, Method, Options, Outcome, Trace, Weights};
use unravel_compare::{closest, swap};
use unravel_diagnose::Point;
use unravel_encode::{Answer, Encoding, Part, Query, Runs};
use unravel_events::InputKind;
use unravel_explore::{Counts, Found, Phase, Stopped, Watch};
use unravel_interp::run::replay;
use unravel_interp::{Machine, Property, Schedule};
use unravel_program::Program;
use unravel_report::model::{self, Difference, PassingRun};
use unravel_schedule::{Run, violating_run};
use unravel_solver::Model;

use crate::check::{
    CheckOptions, Checked, InternalFailure, check, confirm, finding, report, schedule_file,
};
use crate::diagnosed::letter;
use crate::points::Points;
use crate::rows;
use crate::search::{Engine, Search};
use crate::symbolic::{Depth, Kept, Patience, search_and_keep};
use crate::tracked::{TrackedComparison, Tracker};

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
pub fn compare(
    program: &Program,
    options: &CheckOptions,
    how: &CompareOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    compare_and_track(program, options, how, watch).map(|(checked, _)| checked)
}

/// Compares, and hands out the runs, for whoever wants to look at others.
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
    let kept = match options.engine {
        Engine::Sat => search_and_keep(program, &options, Patience::Long, Depth::Complete, watch)?,
        Engine::Explore => {
            let checked = without(program, &options, "that takes `--engine sat`", watch)?;
            return Ok((checked, None));
        }
    };
    match kept {
        Kept { search, encoding: Some(encoding) } if !search.found.is_empty() => {
            Comparer { program, options: &options, how, encoding }.report(search, watch)
        }
        Kept { search: Search { handed_over: Some((_, what)), .. }, .. } => {
            let why = format!("{what} is not in the symbolic engine yet");
            Ok((without(program, &options, &why, watch)?, None))
        }
        Kept { search, .. } => {
            let report = report(program, &options, &search, Vec::new());
            let report = model::Report { command: "compare", ..report };
            Ok((Checked { report, schedules: Vec::new() }, None))
        }
    }
}

/// What `check` says, and why there is no passing run beside it.
fn without(
    program: &Program,
    options: &CheckOptions,
    why: &str,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    let mut checked = check(program, options, watch)?;
    checked.report.command = "compare";
    for finding in &mut checked.report.findings {
        let place = finding.place.clone();
        let what = format!("no passing run beside it: {why}");
        finding.related.push(model::Remark { place, what });
    }
    Ok(checked)
}

struct Comparer<'a> {
    program: &'a Program,
    options: &'a CheckOptions,
    how: &'a CompareOptions,
    encoding: Encoding,
}

impl Comparer<'_> {
    fn report(
        mut self,
        mut search: Search,
        watch: &mut dyn Watch,
    ) -> Result<(Checked, Option<TrackedComparison>), InternalFailure> {
        let machine = Machine::new(self.program, self.options.config());
        let Some((model, run)) = self.failing(&machine, watch)? else {
            let why = "it fails by a race, in whatever order, or the search was stopped";
            return Ok((without(self.program, self.options, why, watch)?, None));
        };
        let found = found(&run);
        let schedule = confirm(&machine, &found)?;
        let mut finding = finding(self.program, 1, &found, &schedule);
        finding.fewest_switches = false;
        let trace = self.trace(&model, &run);
        let mut reason = None;
        let outcome =
            self.search(&machine, Failing { model: &model, trace: &trace }, watch, &mut reason);
        let mut tracked = None;
        let why = match outcome {
            Outcome::Found(comparison) => {
                tracked = Some(self.tracked(&trace, &comparison));
                let passing = replay(&machine, &comparison.passing.decisions)
                    .map_err(InternalFailure::Diverged)?;
                let words = self.words(&run, &trace, &schedule, &comparison, &passing);
                finding.comparison = Some(words);
                None
            }
            Outcome::NonePasses => Some("no run with the same inputs passes".to_owned()),
            Outcome::Stopped => Some("the search was stopped".to_owned()),
            Outcome::Broken(why) => return Err(InternalFailure::Broken(why)),
        };
        if let Some(why) = why {
            let (place, what) = (finding.place.clone(), format!("no passing run beside it: {why}"));
            finding.related.push(model::Remark { place, what });
        }
        search.stopped = reason.map(Stopped::Asked);
        let file = schedule_file(self.program, self.options, &found.violation, &schedule);
        let report = report(self.program, self.options, &search, vec![finding]);
        let report = model::Report { command: "compare", ..report };
        Ok((Checked { report, schedules: vec![file] }, tracked))
    }

    fn tracked(&self, trace: &Trace, comparison: &Comparison) -> TrackedComparison {
        let graph = self.encoding.graph();
        let (steps, operations): (Vec<_>, Vec<_>) =
            Tracker { graph }.operations().into_iter().unzip();
        let place = |step| steps.iter().position(|it| it == step);
        TrackedComparison {
            operations,
            failing: trace.steps.iter().filter_map(place).collect(),
            distance: comparison.distance,
            is_optimal: comparison.is_optimal,
            has_other_choices: !trace.branches.is_empty()
                || graph.inputs.iter().any(|it| it.kind != InputKind::Memory),
        }
    }

    /// What happens in the failing run. The branch of the assertion itself does not count: it goes
    /// the other way in every run that passes.
    fn trace(&self, model: &Model, run: &Run) -> Trace {
        let mut trace = Trace::of(&self.encoding, model, run.steps.clone());
        let line = |site| rows::place(self.program, site).map(|it| (it.span.file, it.span.line));
        let failure = line(run.violation.site);
        let branches = &self.encoding.graph().branches;
        trace.branches.retain(|&index, _| line(branches[index].site) != failure);
        trace
    }

    /// A failing run with its model. Races are no failures of a schedule, so they do not count.
    fn failing(
        &mut self,
        machine: &Machine<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Option<(Model, Run)>, InternalFailure> {
        watch.phase(Phase::Solve);
        let mut stop = || watch.check(&Counts::default()).is_some();
        match self.encoding.ask(Query::Violation, Runs::Clean, &[], &mut stop) {
            Answer::Reached(model) => {
                let reached = self.encoding.reached_in(&model, Query::Violation);
                let Some(reached) = reached.first().map(|it| (*it).clone()) else {
                    return Ok(None);
                };
                let run = violating_run(machine, &self.encoding, &model, &reached);
                let run = run.map_err(|it| InternalFailure::Broken(it.why))?;
                Ok((run.violation.property != Property::Race).then_some((*model, run)))
            }
            Answer::Unreachable | Answer::Stopped => Ok(None),
            Answer::Broken(why) => Err(InternalFailure::Broken(why)),
        }
    }

    fn search(
        &mut self,
        machine: &Machine<'_>,
        failing: Failing<'_>,
        watch: &mut dyn Watch,
        reason: &mut Option<String>,
    ) -> Outcome {
        let mut stop = || {
            *reason = reason.take().or_else(|| watch.check(&Counts::default()));
            reason.is_some()
        };
        let method = match self.method(failing.trace) {
            HowClose::Swap => return swap(machine, &mut self.encoding, failing, &mut stop),
            HowClose::Exact => Method::Exact,
            HowClose::Progressive => Method::Progressive,
        };
        let options = Options {
            weights: if self.how.equal_weights { Weights::Equal } else { Weights::Lexicographic },
            algorithm: if self.how.linear { Algorithm::Linear } else { Algorithm::CoreGuided },
            method,
            conflicts: Some(self.how.conflicts),
        };
        closest(machine, &mut self.encoding, failing, &options, &mut stop)
    }

    fn method(&self, trace: &Trace) -> HowClose {
        let small = trace.steps.len() <= EXACT_STEPS;
        let by_size = if small { HowClose::Exact } else { HowClose::Progressive };
        self.how.search.unwrap_or(by_size)
    }

    fn words(
        &self,
        run: &Run,
        trace: &Trace,
        schedule: &Schedule,
        comparison: &Comparison,
        passing: &Schedule,
    ) -> model::Comparison {
        let distance = comparison.distance;
        let order = if self.how.equal_weights { "all alike" } else { "data flows first" };
        let method = match self.method(trace) {
            HowClose::Exact => format!("closest of all, {order}"),
            HowClose::Progressive => format!("closest near the failure, {order}"),
            HowClose::Swap => "one pair of steps swapped".to_owned(),
        };
        model::Comparison {
            passing: PassingRun {
                threads: rows::threads(self.program, &passing.threads),
                schedule: rows::steps(self.program, passing),
                context_switches: u32::try_from(passing.context_switches()).unwrap_or(u32::MAX),
            },
            operations: distance.operations,
            branches: distance.flips,
            flows: distance.flows,
            segments: distance.segments,
            switches: distance.switches,
            is_optimal: comparison.is_optimal,
            method,
            differences: self.differences(run, trace, schedule, comparison, passing),
        }
    }

    /// The reads that see another write, one for each step.
    fn differences(
        &self,
        run: &Run,
        trace: &Trace,
        schedule: &Schedule,
        comparison: &Comparison,
        passing: &Schedule,
    ) -> Vec<Difference> {
        let graph = self.encoding.graph();
        let (program, there) = (self.program, &comparison.passing);
        let here = Points { program, graph, steps: &run.steps, threads: &run.threads };
        let there = Points { program, graph, steps: &there.steps, threads: &there.threads };
        let point =
            |(access, _): Part| Point { step: graph.accesses[access].step, access: Some(access) };
        let mut seen = Vec::new();
        let mut differences = Vec::new();
        for read in trace.changed_flows(graph, &comparison.trace) {
            let step = graph.accesses[read.0].step;
            if seen.contains(&step) {
                continue;
            }
            seen.push(step);
            let source = |trace: &Trace| trace.flows.get(&read).copied().flatten();
            let failing = source(trace).map(|it| here.end(point(it), schedule, Some(passing)));
            let other = source(&comparison.trace);
            let other = other.map(|it| there.end(point(it), passing, Some(schedule)));
            differences.push(Difference {
                id: letter(differences.len()),
                read: here.end(point(read), schedule, Some(passing)),
                failing,
                passing: other,
                passing_value: there.end(point(read), passing, Some(schedule)).value,
            });
        }
        differences
    }
}

fn found(run: &Run) -> Found {
    let decisions = run.decisions.clone();
    let switches = decisions.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    let context_switches = u32::try_from(switches).unwrap_or(u32::MAX);
    Found { violation: run.violation.clone(), decisions, context_switches }
}
