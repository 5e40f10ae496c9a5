//! `unravel diagnose`: which few orders make the program fail?
//!
//! The search goes as for `check`, up to the first violation and then a few turns of every loop
//! further; on the problem of the last round all failing runs are diagnosed
//! (`unravel-diagnose`). Runs that end in the same violation are one finding.

use unravel_diagnose::{
    Cause, Core, Diagnosis, Failing, Interrupted, Listener, Member, Order, Pattern, Reason, causes,
    shape,
};
use unravel_encode::{Answer, Encoding, Query, Runs};
use unravel_events::{FindingKind, StepId, ThreadId};
use unravel_explore::outcomes::{self, Tracked};
use unravel_explore::{Counts, Found, Phase, Stopped, Watch};
use unravel_interp::moment::Moment;
use unravel_interp::run::replay;
use unravel_interp::{Machine, Schedule};
use unravel_program::Program;
use unravel_report::model::{self, Finding, InputRow, PassingRun};

use crate::causes::Causes;
use crate::check::{
    CheckOptions, Checked, InternalFailure, check, confirm, finding, report, schedule_file,
};
use crate::points::Points;
use crate::rows;
use crate::search::{Engine, Search};
use crate::symbolic::{Depth, Kept, Patience, search_and_keep};

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

/// Cores in words that mean the same in every run, for whoever wants to look at other runs.
#[derive(Clone, Debug, Default)]
pub struct TrackedCores {
    /// All cores.
    pub cores: Vec<Tracked>,
    /// For each, whether it is one with other inputs, too.
    pub other_inputs: Vec<bool>,
    /// Every failing run has all orders of one of them.
    pub is_complete: bool,
    /// Some run fails whatever the orders, and has no core.
    pub has_other_reasons: bool,
    /// Nothing was cut by a bound.
    pub is_unbounded: bool,
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
    let options = CheckOptions { all: false, ..options.clone() };
    if options.engine == Engine::Explore {
        return undiagnosed(program, &options, None, watch);
    }
    let kept = search_and_keep(program, &options, Patience::Short, Depth::Deep, watch)?;
    match kept {
        Kept { search, encoding: Some(encoding) } if !search.found.is_empty() => {
            explained(program, &options, search, encoding, watch)
        }
        Kept { search: Search { handed_over: Some((_, what)), .. }, .. } if options.hand_over => {
            undiagnosed(program, &options, Some(&what), watch)
        }
        Kept { search, .. } => {
            let report = report(program, &options, &search, Vec::new());
            let report = model::Report { command: "diagnose", ..report };
            Ok((Checked { report, schedules: Vec::new() }, TrackedCores::default()))
        }
    }
}

/// What `check` says, where the symbolic engine does not know the program well enough to ask it
/// about passing runs.
fn undiagnosed(
    program: &Program,
    options: &CheckOptions,
    reason: Option<&str>,
    watch: &mut dyn Watch,
) -> Result<(Checked, TrackedCores), InternalFailure> {
    let mut checked = check(program, options, watch)?;
    if !checked.report.findings.is_empty() && options.engine == Engine::Sat {
        let kept = search_and_keep(program, options, Patience::Long, Depth::Deep, watch)?;
        if let Kept { search, encoding: Some(encoding) } = kept
            && !search.found.is_empty()
        {
            return explained(program, options, search, encoding, watch);
        }
    }
    checked.report.command = "diagnose";
    for finding in &mut checked.report.findings {
        let why = reason.map_or_else(
            || "that takes the symbolic engine".to_owned(),
            |what| format!("{what} is not in the symbolic engine yet"),
        );
        let remark = format!("which orders make it fail is not known: {why}");
        finding.diagnosis = Some(nothing(vec![remark]));
    }
    Ok((checked, TrackedCores::default()))
}

fn nothing(remarks: Vec<String>) -> model::Diagnosis {
    model::Diagnosis {
        pattern: None,
        sequential: false,
        remarks,
        causes: Vec::new(),
        cores: Vec::new(),
        is_complete: false,
    }
}

/// Diagnoses all failing runs and reports them.
fn explained(
    program: &Program,
    options: &CheckOptions,
    mut search: Search,
    mut encoding: Encoding,
    watch: &mut dyn Watch,
) -> Result<(Checked, TrackedCores), InternalFailure> {
    let machine = Machine::new(program, options.config());
    watch.phase(Phase::Solve);
    let mut diagnosis = Diagnosis::default();
    let mut listener = Ear { program, watch, reason: None, told: false };
    let ended = unravel_diagnose::diagnose(&machine, &mut encoding, &mut diagnosis, &mut listener);
    match ended {
        Ok(()) => {}
        Err(Interrupted::Broken(why)) => return Err(InternalFailure::Broken(why)),
        Err(Interrupted::Stopped) => {
            let reason = listener.reason.unwrap_or_else(|| "it was stopped".to_owned());
            search.stopped = Some(Stopped::Asked(reason));
        }
    }
    watch.phase(Phase::Replay);
    let mut reporter = Reporter { program, options, machine, encoding, diagnosis };
    let tracked = reporter.tracked(&search);
    Ok((reporter.report(search)?, tracked))
}

/// Listens to a diagnosis on behalf of a watch.
struct Ear<'a> {
    program: &'a Program,
    watch: &'a mut dyn Watch,
    reason: Option<String>,
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
            let words = Causes { program: self.program, graph };
            self.watch.news(words.shape(Pattern::OrderViolation, &shape, &[]));
        }
    }

    fn explained(&mut self, encoding: &Encoding, diagnosis: &Diagnosis) {
        let graph = encoding.graph();
        let words = Causes { program: self.program, graph };
        if let [_] = diagnosis.runs[..]
            && let Some(cause) = causes(self.program, graph, diagnosis, &[0]).first()
        {
            let message = words.cause(cause, None);
            self.watch.news(format!("{}: {message}", cause.pattern.name()));
        }
    }
}

/// Turns a diagnosis into a report.
struct Reporter<'a> {
    program: &'a Program,
    options: &'a CheckOptions,
    machine: Machine<'a>,
    encoding: Encoding,
    diagnosis: Diagnosis,
}

impl Reporter<'_> {
    fn tracked(&self, search: &Search) -> TrackedCores {
        let runs = &self.diagnosis.runs;
        TrackedCores {
            cores: runs.iter().filter_map(core_of).map(|core| self.tracked_core(core)).collect(),
            other_inputs: runs.iter().filter_map(core_of).map(|it| it.other_inputs > 0).collect(),
            is_complete: self.diagnosis.is_complete,
            has_other_reasons: runs.iter().any(|run| core_of(run).is_none()),
            is_unbounded: search.notes.is_empty(),
        }
    }

    fn tracked_core(&self, core: &Core) -> Tracked {
        let graph = self.encoding.graph();
        let order = |it: &Member| (self.point(it.order.before), self.point(it.order.after));
        let inputs = core.inputs.iter().map(|&(index, value)| {
            let input = &graph.inputs[index];
            let thread = self.thread_path(input.thread);
            (outcomes::Point { thread, moment: input.moment.clone() }, value)
        });
        Tracked { orders: core.members.iter().map(order).collect(), inputs: inputs.collect() }
    }

    fn point(&self, step: StepId) -> outcomes::Point {
        let step = self.encoding.graph().step(step);
        outcomes::Point { thread: self.thread_path(step.thread), moment: step.moment.clone() }
    }

    /// The creations that lead to a thread.
    fn thread_path(&self, thread: ThreadId) -> Vec<Moment> {
        let graph = self.encoding.graph();
        let mut path = Vec::new();
        let mut creator = graph.threads[thread.0 as usize].created_by;
        while let Some(step) = creator.map(|step| graph.step(step)) {
            path.push(step.moment.clone());
            creator = graph.threads[step.thread.0 as usize].created_by;
        }
        path.reverse();
        path
    }

    fn report(&mut self, mut search: Search) -> Result<Checked, InternalFailure> {
        let mut findings = Vec::new();
        let mut schedules = Vec::new();
        for (id, runs) in (1u32..).zip(self.by_violation()) {
            let (finding, schedule) = self.finding(id, &runs)?;
            findings.push(finding);
            schedules.push(schedule);
        }
        if let (true, Some(found)) = (findings.is_empty(), search.found.first()) {
            let schedule = confirm(&self.machine, found)?;
            let mut finding = finding(self.program, 1, found, &schedule);
            finding.fewest_switches = false;
            finding.diagnosis = Some(nothing(vec![self.unknown()]));
            findings.push(finding);
            let violation = &found.violation;
            schedules.push(schedule_file(self.program, self.options, violation, &schedule));
        }
        search.stats.extend(self.numbers());
        let report = report(self.program, self.options, &search, findings);
        Ok(Checked { report: model::Report { command: "diagnose", ..report }, schedules })
    }

    /// Why no failing run is diagnosed although one was found.
    fn unknown(&mut self) -> String {
        let answer = self.encoding.ask(Query::Unsupported, Runs::All, &[], &mut || false);
        let mut what = "something that is not modelled".to_owned();
        if let Answer::Reached(model) = answer
            && let Some(reached) = self.encoding.reached_in(&model, Query::Unsupported).first()
            && let FindingKind::Unsupported(name) = &reached.kind
        {
            let place = rows::place(self.program, reached.site);
            let at = place.map_or(String::new(), |it| format!(" at line {}", it.span.line));
            what = format!("what is not modelled: {name}{at}");
        }
        format!("which orders make it fail is not known: every failing run may meet {what}")
    }

    /// Failing runs by what they end in, in the order found.
    fn by_violation(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let key = |run: usize| {
            let violation = &self.diagnosis.runs[run].violation;
            (violation.property, violation.kind, violation.site)
        };
        for run in 0..self.diagnosis.runs.len() {
            match groups.iter_mut().find(|group| key(group[0]) == key(run)) {
                Some(group) => group.push(run),
                None => groups.push(vec![run]),
            }
        }
        groups
    }

    /// The columns of ConcBugAssist's Table 2.
    fn numbers(&self) -> Vec<(&'static str, u64)> {
        let runs = &self.diagnosis.runs;
        let cores = runs.iter().filter_map(core_of);
        let members: Vec<&Member> = cores.flat_map(|core| &core.members).collect();
        let mut unique: Vec<_> =
            members.iter().map(|it| (it.order.before, it.order.after)).collect();
        unique.sort_unstable();
        unique.dedup();
        let orders: usize = runs.iter().map(|run| run.orders).sum();
        let count = |number: usize| number as u64;
        vec![
            ("iterations", count(self.diagnosis.iterations)),
            ("orders_in_runs", count(orders)),
            ("orders_in_cores", count(members.len())),
            ("unique_orders", count(unique.len())),
            ("questions", self.diagnosis.questions),
        ]
    }

    fn finding(&self, id: u32, runs: &[usize]) -> Result<(Finding, String), InternalFailure> {
        let causes = causes(self.program, self.encoding.graph(), &self.diagnosis, runs);
        let shown = causes.first().map_or(runs[0], |cause| cause.runs[0]);
        let failing = &self.diagnosis.runs[shown];
        let found = found(failing);
        let schedule = confirm(&self.machine, &found)?;
        let mut finding = finding(self.program, id, &found, &schedule);
        finding.fewest_switches = false;
        finding.diagnosis = Some(self.rows(runs, &causes, shown, &schedule)?);
        let file = schedule_file(self.program, self.options, &found.violation, &schedule);
        Ok((finding, file))
    }

    fn rows(
        &self,
        runs: &[usize],
        causes: &[Cause],
        shown: usize,
        schedule: &Schedule,
    ) -> Result<model::Diagnosis, InternalFailure> {
        let mut cores = Vec::new();
        let mut index = vec![0; self.diagnosis.runs.len()];
        for &run in runs {
            let failing = &self.diagnosis.runs[run];
            let Some(core) = core_of(failing) else { continue };
            index[run] = cores.len();
            let own = if run == shown { None } else { Some(self.replayed(&failing.decisions)?) };
            let schedule = own.as_ref().unwrap_or(schedule);
            cores.push(self.core(failing, core, schedule, run == shown)?);
        }
        let words = |cause: &Cause| {
            let core = cores.get(index[cause.runs[0]]);
            let words = Causes { program: self.program, graph: self.encoding.graph() };
            model::Cause {
                pattern: cause.pattern.name(),
                message: words.cause(cause, core),
                cores: cause.runs.iter().map(|&run| index[run]).collect(),
            }
        };
        let causes: Vec<model::Cause> = causes.iter().map(words).collect();
        let sequential = causes.is_empty()
            && runs
                .iter()
                .all(|&run| matches!(self.diagnosis.runs[run].reason, Reason::Sequential { .. }));
        let pattern = causes.first().map(|cause| cause.pattern);
        Ok(model::Diagnosis {
            pattern: if sequential { Some("sequential") } else { pattern },
            sequential,
            remarks: self.remarks(runs),
            causes,
            cores,
            is_complete: self.diagnosis.is_complete,
        })
    }

    fn remarks(&self, runs: &[usize]) -> Vec<String> {
        let mut remarks = Vec::new();
        for &run in runs {
            let failing = &self.diagnosis.runs[run];
            let remark = match &failing.reason {
                Reason::Core(_) => continue,
                // That it is sequential says it all.
                Reason::Sequential { inputs, .. } if inputs.is_empty() => continue,
                Reason::Sequential { inputs, .. } => {
                    format!("with {}, every run fails, whatever the schedule", self.given(inputs))
                }
                Reason::NeverPasses { inputs } if inputs.is_empty() => {
                    "no run passes; some are stopped by an assume or a bound".to_owned()
                }
                Reason::NeverPasses { inputs } => format!(
                    "with {}, no run passes; some are stopped by an assume or a bound",
                    self.given(inputs)
                ),
                Reason::Unknown => {
                    "which orders make it fail is not known: a run in which the same steps come in \
                     the same order comes to a bound, or meets something that is not modelled"
                        .to_owned()
                }
                Reason::Unexplained => {
                    "a run in which the same steps come in the same order passes: something else \
                     than the order of accesses decides"
                        .to_owned()
                }
            };
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        remarks
    }

    /// Inputs in words.
    fn given(&self, inputs: &[(usize, u128)]) -> String {
        let graph = self.encoding.graph();
        let one = |&(index, value): &(usize, u128)| {
            let input = &graph.inputs[index];
            let width = graph.terms.width(input.value);
            let value = unravel_interp::value::signed(value, width);
            match rows::place(self.program, input.site) {
                Some(place) => format!("input {value} at line {}", place.span.line),
                None => format!("input {value}"),
            }
        };
        inputs.iter().map(one).collect::<Vec<_>>().join(" and ")
    }

    fn replayed(
        &self,
        decisions: &[unravel_interp::Decision],
    ) -> Result<Schedule, InternalFailure> {
        replay(&self.machine, decisions).map_err(InternalFailure::Diverged)
    }

    fn core(
        &self,
        failing: &Failing,
        core: &Core,
        schedule: &Schedule,
        is_shown: bool,
    ) -> Result<model::Core, InternalFailure> {
        let points = Points { program: self.program, graph: self.encoding.graph(), failing };
        let mut members: Vec<&Member> = core.members.iter().collect();
        let place = |member: &&Member| {
            let at = failing.steps.iter().position(|&step| step == member.order.before);
            (at, member.order.after)
        };
        members.sort_by_key(place);
        let mut orders = Vec::new();
        for (index, member) in members.into_iter().enumerate() {
            let passing = member.passing.as_ref().map(|run| self.replayed(&run.decisions));
            let passing = passing.transpose()?;
            let mut order = points.order(&member.order, schedule, passing.as_ref());
            order.id = letter(index);
            if !is_shown {
                (order.before.step, order.after.step) = (None, None);
            }
            order.passing = passing.map(|run| PassingRun {
                threads: rows::threads(self.program, &run.threads),
                schedule: rows::steps(self.program, &run),
                context_switches: u32::try_from(run.context_switches()).unwrap_or(u32::MAX),
            });
            orders.push(order);
        }
        let inputs = self.inputs(failing, core, schedule);
        let (other_inputs, is_minimal) = (core.other_inputs > 0, core.is_minimal);
        Ok(model::Core { orders, inputs, other_inputs, is_minimal })
    }

    /// The inputs that a core needs.
    fn inputs(&self, failing: &Failing, core: &Core, schedule: &Schedule) -> Vec<InputRow> {
        let graph = self.encoding.graph();
        let mut rows = rows::inputs(self.program, &schedule.inputs);
        let is_needed = |row: &InputRow| {
            core.inputs.iter().any(|&(index, _)| {
                let input = &graph.inputs[index];
                let thread = failing.threads.get(row.thread as usize);
                thread == Some(&input.thread) && row.place == rows::place(self.program, input.site)
            })
        };
        rows.retain(is_needed);
        rows
    }
}

fn core_of(failing: &Failing) -> Option<&Core> {
    match &failing.reason {
        Reason::Core(core) => Some(core),
        _ => None,
    }
}

fn found(failing: &Failing) -> Found {
    let decisions = failing.decisions.clone();
    let switches = decisions.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    let context_switches = u32::try_from(switches).unwrap_or(u32::MAX);
    Found { violation: failing.violation.clone(), decisions, context_switches }
}

/// `A`, `B`, …, `Z`, `A1`, …
fn letter(index: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(index % 26).unwrap_or(0));
    match index / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
