//! `unravel check`: is there a run that violates a property?

use std::fmt;

use unravel_explore::shorten::{Effort, Ends, Shortened, shorten};
use unravel_explore::{Exploration, Limits, explore};
use unravel_findings::limits;
use unravel_findings::violation::finding;
use unravel_interp::run::{Divergence, replay_failing};
use unravel_interp::schedule_file::{ScheduleFile, sources};
use unravel_interp::{
    Config, End, Machine, Note, Notes, Properties, Run, Schedule, StepKind, Violation,
};
use unravel_kinds::Unmodelled;
use unravel_program::Program;
use unravel_report::Report;
use unravel_report::model::{
    Bounds, Command, CommandLine, Finding, HandOver, Reason, ReasonKind, Remark, Verdict,
};
use unravel_report::words::{self, violation as violation_words};
use unravel_watch::{Alarm, Phase, Stopped, Watch};

use crate::endless;
use crate::obstacles::{self, Moment, explore_for_a_moment};
use crate::probe::probe;
use crate::search::{Engine, Search};
use crate::subject::{GivenRun, Subject};
use crate::symbolic::{self, Depth, Patience, WithFormula, search_with_formula};

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Who searches.
    pub engine: Engine,
    /// Let the exploration answer where the symbolic engine cannot yet.
    pub hand_over: bool,
    /// Let it do so soon: an answer is wanted, from whichever engine has one first.
    pub soon: bool,
    /// Give both engines a second, longer try: one answer is wanted, and not one of many.
    pub patient: bool,
    /// Properties to check.
    pub properties: Properties,
    /// How often a loop may turn.
    pub unwind: Option<u32>,
    /// Go on after the first violation.
    pub all: bool,
    /// Most states to visit.
    pub states: usize,
    /// `malloc` may fail.
    pub allocation_failure: bool,
    /// How the SAT solver works.
    pub solver: unravel_solver::Options,
    /// Rings when the watch would say stop: for what is far from a watch.
    pub alarm: Alarm,
    /// A part of the symbolic engine that is broken on purpose.
    #[cfg(feature = "mutants")]
    pub mutant: Option<unravel_encode::Mutant>,
    /// A part of the execution that is broken on purpose.
    #[cfg(feature = "mutants")]
    pub event_mutant: Option<unravel_events::Mutant>,
}

impl CheckOptions {
    /// The options of a command line without flags.
    #[must_use]
    pub fn new() -> CheckOptions {
        CheckOptions {
            engine: Engine::Sat,
            hand_over: true,
            soon: false,
            patient: false,
            properties: Properties::by_default(),
            unwind: None,
            all: false,
            states: Limits::default().states,
            allocation_failure: false,
            solver: unravel_solver::Options::default(),
            alarm: Alarm::default(),
            #[cfg(feature = "mutants")]
            mutant: None,
            #[cfg(feature = "mutants")]
            event_mutant: None,
        }
    }

    /// The interpreter's configuration for these options.
    #[must_use]
    pub fn config(&self) -> Config {
        let mut config = Config::new(self.properties);
        config.unwind = self.unwind;
        config.allocation_failure = self.allocation_failure;
        config.alarm = self.alarm.clone();
        config
    }
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions::new()
    }
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What to report; its time is for the caller to fill in.
    pub report: Report,
    /// For each finding, its run as a schedule file.
    pub schedules: Vec<String>,
    /// The passing runs that are shown beside them, in the same form.
    pub passing: Vec<String>,
}

/// An answer that did not survive its own check: it is withheld.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InternalFailure {
    /// The failing run cannot be followed.
    Diverged(Divergence),
    /// The engine contradicts itself.
    Broken(String),
    /// The failing run, followed, ends otherwise.
    OtherEnd {
        /// What it should have violated.
        expected: String,
        /// How it ended.
        found: String,
    },
}

impl fmt::Display for InternalFailure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InternalFailure::Diverged(divergence) => write!(
                out,
                "the failing run could not be replayed: at step {} {}",
                divergence.at, divergence.why
            ),
            InternalFailure::Broken(why) => write!(out, "{why}"),
            InternalFailure::OtherEnd { expected, found } => {
                write!(out, "the failing run, replayed, gives {found} instead of {expected}")
            }
        }
    }
}

/// Checks a valid program.
///
/// # Errors
/// A failing run that does not replay; then there is no verdict.
pub fn check<'a>(
    subject: impl Into<Subject<'a>>,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    let subject = subject.into();
    let program = subject.program;
    if let Some(given) = subject.given {
        return Ok(check_given(program, given));
    }
    check_with_formula(program, options, watch).map(|(checked, _)| checked)
}

/// Checks a valid program, and hands out what the symbolic engine saw in its first, short try
/// ([`Patience::Short`]), if it had one.
pub(crate) fn check_with_formula(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<(Checked, Option<WithFormula>), InternalFailure> {
    let (mut search, first) = match options.engine {
        Engine::Explore => (by_exploration(program, options, usize::MAX, watch), None),
        Engine::Sat if options.hand_over => by_both_engines(program, options, watch)?,
        Engine::Sat => (symbolic::search(program, options, Patience::Long, watch)?, None),
    };
    obstacles::list_missing(program, &mut search.notes);
    Ok((checked(program, options, &search, watch)?, first))
}

/// What a search found, each run replayed.
pub(crate) fn checked(
    program: &Program,
    options: &CheckOptions,
    search: &Search,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    let used = CheckOptions { unwind: search.unwind, ..options.clone() };
    let machine = Machine::new(program, used.config());
    let mut findings = Vec::new();
    let mut schedules = Vec::new();
    for (id, found) in (1u32..).zip(&search.found) {
        watch.phase(Phase::Replay);
        let short = shortened(program, &used, found, search.fewest_switches, watch);
        let found = &short.run;
        let schedule = confirm(&machine, found)?;
        let mut finding = finding(program, id, found.violation(), &schedule);
        finding.fewest_switches = short.fewest_switches;
        findings.push(finding);
        schedules.push(schedule_file(program, &used, found.violation(), &schedule));
    }
    let report = report(program, options, (Command::Check, search), findings);
    Ok(Checked { report, schedules, passing: Vec::new() })
}

/// Steps and states that are spent on making a failing run short: together, a fraction of a second.
const SHORTENING: Effort = Effort { steps: 100_000, states: 20_000 };

/// A failing run with fewer switches and steps, where there is one. `fewest` says that it has the
/// fewest switches already. Where one violation is wanted, the shorter run may end in another.
pub(crate) fn shortened(
    program: &Program,
    options: &CheckOptions,
    found: &Run<Violation>,
    fewest: bool,
    watch: &mut dyn Watch,
) -> Shortened {
    let ends = if options.all { Ends::Same } else { Ends::Any };
    let threads = found.decisions.iter().map(|it| it.thread.0 as usize + 1).max().unwrap_or(1);
    let states = SHORTENING.states.min(fitting(program, threads));
    let effort = Effort { states: if fewest { 0 } else { states }, ..SHORTENING };
    let mut short = shorten(program, &options.config(), found, (ends, effort), watch);
    short.fewest_switches |= fewest;
    short
}

/// A run that is given fails: it was replayed when it was read.
fn check_given(program: &Program, given: &GivenRun) -> Checked {
    let GivenRun { options, schedule, violation } = given;
    let findings = vec![finding(program, 1, violation, schedule)];
    let search = symbolic::no_search(options);
    let report = report(program, options, (Command::Check, &search), findings);
    let schedules = vec![schedule_file(program, options, violation, schedule)];
    Checked { report, schedules, passing: Vec::new() }
}

/// States that the exploration may visit, divided by the number of threads, where the symbolic
/// engine finds it hard: about a second's work, as states and the steps from them grow with threads.
const SECOND_OPINION: usize = 200_000;

/// Steps that it may take there once an input did not take every value: it proves nothing then, and
/// each step may go as many ways as there are values of several inputs.
const SAMPLED_STEPS: usize = 20_000;

/// So many times more in its second try.
const THIRD_OPINION: usize = 8;

/// The symbolic engine, and the exploration where that does not know or takes long.
///
/// What one finds hard is often easy for the other: a counter under a lock has few states and a
/// long proof, a read-check-write of wide inputs has a short proof and no end of states. So the
/// symbolic engine goes first, the exploration gets a limited try, both get a longer one, and then
/// the symbolic engine goes to the end: whichever is the better one for a program, the other does
/// not cost many times as much. If neither can tell, what the symbolic engine knows stands.
///
/// Also gives the first try of the symbolic engine, if that was a short one.
pub(crate) fn by_both_engines(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<(Search, Option<WithFormula>), InternalFailure> {
    let met = match explore_for_a_moment(program, options, watch) {
        Moment::Answer(search) => return Ok((*search, None)),
        Moment::Met(notes) => notes,
        Moment::Clear => Notes::new(),
    };
    let (mut search, short) = in_turn(program, options, watch)?;
    obstacles::remember(&mut search, met);
    Ok((search, short))
}

/// The engines, in turn, with growing patience.
fn in_turn(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<(Search, Option<WithFormula>), InternalFailure> {
    let patience = if options.soon { Patience::Brief } else { Patience::Short };
    let tries = [(patience, SECOND_OPINION), (Patience::Middle, SECOND_OPINION * THIRD_OPINION)];
    let mut short = None;
    for (patience, states) in tries.into_iter().take(1 + usize::from(options.patient)) {
        let tried = search_with_formula(program, options, patience, Depth::Shallow, watch)?;
        let search = tried.search.clone();
        if patience == Patience::Short {
            short = Some(tried);
        }
        match then_the_exploration(program, options, search, states, watch)? {
            Tried::Done(search) => return Ok((*search, short)),
            Tried::Hard => {}
            Tried::Cut => break,
        }
    }
    Ok((symbolic::search(program, options, Patience::Long, watch)?, short))
}

/// What came of a try.
enum Tried {
    /// One of the engines can tell.
    Done(Box<Search>),
    /// Neither can, and both took long.
    Hard,
    /// The symbolic engine only has to unroll loops further.
    Cut,
}

/// A try of the exploration, after one of the symbolic engine, if that could not tell.
fn then_the_exploration(
    program: &Program,
    options: &CheckOptions,
    search: Search,
    states: usize,
    watch: &mut dyn Watch,
) -> Result<Tried, InternalFailure> {
    let Some(reason) = search.handed_over.clone() else { return Ok(Tried::Done(Box::new(search))) };
    // What only the exploration models it may explore to the end.
    let hard = search.stopped.is_some() || search.notes.iter().all(is_bound);
    if hard
        && !options.all
        && let Some(found) = probe(&Machine::new(program, options.config()))
    {
        let found = vec![found];
        return Ok(Tried::Done(Box::new(Search {
            found,
            stopped: None,
            handed_over: None,
            ..search
        })));
    }
    let few = (states / search.threads.len().max(1)).min(fitting(program, search.threads.len()));
    let states = if hard { few.min(options.states) } else { options.states };
    let limited = CheckOptions { states, ..options.clone() };
    let sampled = if hard { SAMPLED_STEPS } else { usize::MAX };
    let mut explored = by_exploration(program, &limited, sampled, watch);
    explored.handed_over = Some(reason);
    // Of a program that only the exploration models, its reasons are the better ones, too; and
    // what it saw to the end it saw to the end.
    let ended = explored.stopped.is_none() && explored.sampled.is_empty();
    if !explored.found.is_empty() || ended || !hard {
        return Ok(Tried::Done(Box::new(explored)));
    }
    if matches!(explored.stopped, Some(Stopped::Asked(_))) {
        let stopped = explored.stopped;
        return Ok(Tried::Done(Box::new(Search { stopped, handed_over: None, ..search })));
    }
    Ok(if search.stopped.is_some() { Tried::Hard } else { Tried::Cut })
}

/// How many states are likely to fit into half of the usual memory: what they take was measured to
/// be about four times the variables, and a thousand bytes for each thread.
fn fitting(program: &Program, threads: usize) -> usize {
    const MEMORY: usize = 2 << 30;
    let variables = program.globals.iter().filter(|it| !it.constant).map(|it| it.size);
    let variables = usize::try_from(variables.sum::<u64>()).unwrap_or(usize::MAX);
    let state = variables.saturating_mul(4).saturating_add(threads.saturating_mul(1000)).max(1);
    MEMORY / state
}

fn is_bound(note: &Note) -> bool {
    matches!(note, Note::Bound { .. })
}

pub(crate) fn by_exploration(
    program: &Program,
    options: &CheckOptions,
    steps_if_sampled: usize,
    watch: &mut dyn Watch,
) -> Search {
    watch.phase(Phase::Explore);
    let (exploration, used) = explore_in_rounds(program, options, steps_if_sampled, watch);
    let stats = stats(&exploration);
    let ends = exploration.counts.complete > 0 || exploration.counts.threads < 2;
    let endless = !ends && exploration.is_exhaustive() && endless::counts(program, options);
    Search {
        // A run beyond the bound of this round may have fewer switches.
        fewest_switches: used.unwind == options.unwind,
        unwind: used.unwind,
        found: exploration.found,
        notes: exploration.notes,
        sampled: exploration.sampled,
        stopped: exploration.stopped,
        threads: exploration.threads,
        explored_states: Some(exploration.counts.states as u64),
        stats,
        handed_over: None,
        explored: true,
        endless,
    }
}

/// States of the first round: about a second's work.
const FIRST_ROUND: usize = 150_000;

/// Bounds of the rounds that follow it.
const ROUNDS: [u32; 4] = [1, 2, 4, 8];

/// Explores without a bound for a while, then with growing bounds, then without one to the end.
///
/// A program with waiting loops has finitely many states but no bound that holds; one with a
/// counter in an endless loop has infinitely many, and a walk that knows no bound would follow one
/// thread forever and never see the others. So both kinds get their turn. A round is the answer if
/// it finds a violation, has seen everything, or was stopped from outside.
///
/// Gives the last exploration and the options it was made with.
fn explore_in_rounds(
    program: &Program,
    options: &CheckOptions,
    steps_if_sampled: usize,
    watch: &mut dyn Watch,
) -> (Exploration, CheckOptions) {
    let round = |unwind: Option<u32>, states: usize, watch: &mut dyn Watch| {
        let used = CheckOptions { unwind, states, ..options.clone() };
        let first_only = !options.all;
        let limits = Limits { first_only, states, steps_if_sampled, ..Limits::default() };
        (explore(program, used.config(), limits, watch), used)
    };
    let is_answer = |exploration: &Exploration| {
        let stopped = matches!(exploration.stopped, Some(Stopped::Asked(_)));
        !exploration.found.is_empty() || exploration.is_exhaustive() || stopped
    };
    if options.unwind.is_none() && options.states > FIRST_ROUND {
        let (exploration, used) = round(None, FIRST_ROUND, watch);
        if is_answer(&exploration) || exploration.stopped != Some(Stopped::States) {
            return (exploration, used);
        }
        for bound in ROUNDS {
            let (exploration, used) = round(Some(bound), options.states, watch);
            if is_answer(&exploration) {
                return (exploration, used);
            }
        }
    }
    round(options.unwind, options.states, watch)
}

/// Replays a failing run: it must end in the violation it was found for.
pub(crate) fn confirm(
    machine: &Machine<'_>,
    found: &Run<Violation>,
) -> Result<Schedule, InternalFailure> {
    let schedule = replay_failing(machine, &found.decisions, found.violation());
    let schedule = schedule.map_err(InternalFailure::Diverged)?;
    match &schedule.end {
        End::Violation(violation) if violation.is_same(found.violation()) => Ok(schedule),
        other => Err(InternalFailure::OtherEnd {
            expected: violation_words::message(&found.violation().kind),
            found: format!("{other:?}"),
        }),
    }
}

/// A run as the text of a schedule file.
pub(crate) fn schedule_file(
    program: &Program,
    options: &CheckOptions,
    violation: &Violation,
    schedule: &Schedule,
) -> String {
    file_of(program, options, Some(violation.kind.code().to_owned()), schedule)
}

/// The same of a run that passes.
pub(crate) fn passing_file(
    program: &Program,
    options: &CheckOptions,
    schedule: &Schedule,
) -> String {
    file_of(program, options, None, schedule)
}

fn file_of(
    program: &Program,
    options: &CheckOptions,
    violation: Option<String>,
    schedule: &Schedule,
) -> String {
    let mut remarks = vec![String::new(); schedule.decisions.len()];
    let begun = schedule.steps.iter().filter(|step| !step.continues);
    for (step, row) in begun.zip(unravel_findings::steps(program, schedule)) {
        let shown = !matches!(row.kind, StepKind::Local | StepKind::Output);
        if let Some(remark) = remarks.get_mut(step.decision).filter(|_| shown) {
            let line = row.place.as_ref();
            let line = line.map_or(String::new(), |place| format!("line {}: ", place.span.line));
            let separator = if remark.is_empty() { "" } else { "; " };
            remark.push_str(&format!("{separator}{line}{}", words::step::cell(&row)));
        }
    }
    let file = ScheduleFile {
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        sources: sources(program),
        unwind: options.unwind,
        properties: options.properties,
        violation,
        decisions: schedule.decisions.clone(),
    };
    file.print(&remarks)
}

/// What a search found, as the report of a command.
pub(crate) fn report(
    program: &Program,
    options: &CheckOptions,
    (command, search): (Command, &Search),
    findings: Vec<Finding>,
) -> Report {
    let reasons = reasons(program, options, search);
    let verdict = match (findings.is_empty(), reasons.is_empty()) {
        (false, _) => Verdict::Unsafe,
        (true, true) => Verdict::Safe,
        (true, false) => Verdict::Inconclusive,
    };
    let threads = match findings.first() {
        Some(finding) => finding.threads.clone(),
        None => unravel_findings::threads(program, &search.threads),
    };
    let cut_loops = limits::cut(program, &search.notes);
    Report {
        command,
        verdict,
        reasons: if verdict == Verdict::Inconclusive { reasons } else { Vec::new() },
        stopped: None,
        bounds: Bounds {
            unwind: options.unwind,
            called: called(program),
            calls_succeed: false,
            cut_loops,
        },
        unsupported: limits::not_modelled(program, &search.notes),
        handed_over: handed_over(program, search),
        properties: options.properties,
        threads,
        findings,
        repairs: None,
        explored_states: search.explored_states,
        stats: search.stats.clone(),
        time_ms: 0,
        files: program.files.clone(),
    }
}

/// What the program is called with, if it looks.
pub(crate) fn called(program: &Program) -> Option<CommandLine> {
    let called = unravel_program::CommandLine::looked_at(program)?;
    Some(CommandLine { words: called.words, has_environment: called.has_environment })
}

fn stats(exploration: &Exploration) -> Vec<(&'static str, u64)> {
    let counts = &exploration.counts;
    vec![
        ("states", counts.states as u64),
        ("steps", counts.steps as u64),
        ("complete_states", counts.complete as u64),
        ("context_switches", u64::from(counts.context_switches)),
        ("threads", counts.threads as u64),
    ]
}

/// What the symbolic engine does not know, where the exploration answered instead. That a question
/// is merely hard has no place, and nothing is missing then.
fn handed_over(program: &Program, search: &Search) -> Vec<Remark<Unmodelled>> {
    let Some((site, HandOver::Unmodelled(what))) = &search.handed_over else { return Vec::new() };
    let is_reason = |it: &Note| matches!(it, Note::Unsupported { site: at, what: known } if at == site && known == what);
    if !search.explored || search.notes.iter().any(is_reason) {
        return Vec::new();
    }
    vec![Remark { place: unravel_findings::place(program, *site), what: what.clone() }]
}

/// Everything that stands between "no violation found" and *safe*.
fn reasons(program: &Program, options: &CheckOptions, search: &Search) -> Vec<Reason> {
    let mut reasons = limits::reasons(program, options.unwind, &search.notes);
    let sampled = search.sampled.iter().map(|&site| Reason {
        kind: ReasonKind::Inputs,
        place: unravel_findings::place(program, site),
    });
    reasons.extend(sampled);
    let stopped = match &search.stopped {
        None | Some(Stopped::FirstViolation) => None,
        Some(Stopped::States) => Some(ReasonKind::States),
        Some(Stopped::Asked(reason)) => Some(ReasonKind::Budget(*reason)),
    };
    let endless = search.endless.then_some(ReasonKind::NoEnd);
    let global = endless.into_iter().chain(stopped);
    reasons.extend(global.map(|kind| Reason { kind, place: None }));
    reasons
}
