//! `unravel check`: is there a run that violates a property?

use std::fmt;

use unravel_explore::{Exploration, Limits, explore};
use unravel_interp::run::{Divergence, replay};
use unravel_interp::schedule::{Step, StepKind};
use unravel_interp::schedule_file::{ScheduleFile, sources};
use unravel_interp::{
    Config, End, Machine, Note, Properties, Property, Run, Schedule, ThreadId, Violation,
};
use unravel_program::{COMMAND_LINE, Program, SiteId};
use unravel_report::Report;
use unravel_report::model::{Bounds, Finding, Reason, Remark, Verdict};
use unravel_watch::{Phase, Stopped, Watch};

use crate::ends;
use crate::probe::probe;
use crate::racing;
use crate::rows;
use crate::search::{Engine, Search};
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
    /// A part of the symbolic engine that is broken on purpose.
    #[cfg(feature = "mutants")]
    pub mutant: Option<unravel_encode::Mutant>,
    /// A part of the execution that is broken on purpose.
    #[cfg(feature = "mutants")]
    pub event_mutant: Option<unravel_events::Mutant>,
}

impl CheckOptions {
    /// Defaults.
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
pub fn check(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    check_with_formula(program, options, watch).map(|(checked, _)| checked)
}

/// Checks a valid program, and hands out what the symbolic engine saw in its first, short try
/// ([`Patience::Short`]), if it had one.
pub(crate) fn check_with_formula(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<(Checked, Option<WithFormula>), InternalFailure> {
    let (search, first) = match options.engine {
        Engine::Explore => (by_exploration(program, options, watch), None),
        Engine::Sat if options.hand_over => by_both_engines(program, options, watch)?,
        Engine::Sat => (symbolic::search(program, options, Patience::Long, watch)?, None),
    };
    let used = CheckOptions { unwind: search.unwind, ..options.clone() };
    let machine = Machine::new(program, used.config());
    let mut findings = Vec::new();
    let mut schedules = Vec::new();
    for (id, found) in (1u32..).zip(&search.found) {
        watch.phase(Phase::Replay);
        let schedule = confirm(&machine, found)?;
        let mut finding = finding(program, id, found, &schedule);
        finding.fewest_switches = search.fewest_switches;
        findings.push(finding);
        schedules.push(schedule_file(program, &used, found.violation(), &schedule));
    }
    let report = report(program, options, &search, findings);
    Ok((Checked { report, schedules }, first))
}

/// States that the exploration may visit, divided by the number of threads, where the symbolic
/// engine finds it hard: about a second's work, as states and the steps from them grow with threads.
const SECOND_OPINION: usize = 200_000;

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
            Tried::Done(search) => return Ok((search, short)),
            Tried::Hard => {}
            Tried::Cut => break,
        }
    }
    Ok((symbolic::search(program, options, Patience::Long, watch)?, short))
}

/// What came of a try.
enum Tried {
    /// One of the engines can tell.
    Done(Search),
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
    let Some(reason) = search.handed_over.clone() else { return Ok(Tried::Done(search)) };
    // What only the exploration models it may explore to the end.
    let hard = search.stopped.is_some() || search.notes.iter().all(is_bound);
    if hard
        && !options.all
        && let Some(found) = probe(&Machine::new(program, options.config()))
    {
        let found = vec![found];
        return Ok(Tried::Done(Search { found, stopped: None, handed_over: None, ..search }));
    }
    let few = (states / search.threads.len().max(1)).min(fitting(program, search.threads.len()));
    let states = if hard { few.min(options.states) } else { options.states };
    let limited = CheckOptions { states, ..options.clone() };
    let mut explored = by_exploration(program, &limited, watch);
    explored.handed_over = Some(reason);
    // Of a program that only the exploration models, its reasons are the better ones, too; and
    // what it saw to the end it saw to the end.
    let ended = explored.stopped.is_none() && explored.sampled.is_empty();
    if !explored.found.is_empty() || ended || !hard {
        return Ok(Tried::Done(explored));
    }
    if matches!(explored.stopped, Some(Stopped::Asked(_))) {
        let stopped = explored.stopped;
        return Ok(Tried::Done(Search { stopped, handed_over: None, ..search }));
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
    matches!(note, Note::Bound { .. } | Note::External { .. })
}

fn by_exploration(program: &Program, options: &CheckOptions, watch: &mut dyn Watch) -> Search {
    watch.phase(Phase::Explore);
    let (exploration, used) = explore_in_rounds(program, options, watch);
    let stats = stats(&exploration);
    let ends = exploration.counts.complete > 0 || exploration.counts.threads < 2;
    let endless = !ends && exploration.is_exhaustive() && ends::count(program, options);
    Search {
        // A run beyond the bound of this round may have fewer switches.
        fewest_switches: used.unwind == options.unwind,
        unwind: used.unwind,
        found: exploration.found,
        notes: exploration.notes,
        sampled: exploration.sampled,
        stopped: exploration.stopped,
        threads: exploration.threads,
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
    watch: &mut dyn Watch,
) -> (Exploration, CheckOptions) {
    let round = |unwind: Option<u32>, states: usize, watch: &mut dyn Watch| {
        let used = CheckOptions { unwind, states, ..options.clone() };
        let limits = Limits { first_only: !options.all, states, ..Limits::default() };
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
    let schedule = replay(machine, &found.decisions).map_err(InternalFailure::Diverged)?;
    let same = |violation: &Violation| {
        (violation.property, violation.kind, violation.site)
            == (found.end.property, found.end.kind, found.end.site)
    };
    match &schedule.end {
        End::Violation(violation) if same(violation) => Ok(schedule),
        other => Err(InternalFailure::OtherEnd {
            expected: found.violation().message.clone(),
            found: format!("{other:?}"),
        }),
    }
}

/// A violating run as a finding.
pub(crate) fn finding(
    program: &Program,
    id: u32,
    found: &Run<Violation>,
    schedule: &Schedule,
) -> Finding {
    let violation = found.violation();
    let related = violation
        .related
        .iter()
        .map(|(site, what)| Remark { place: rows::place(program, *site), what: what.clone() })
        .chain(holders(program, violation, schedule));
    Finding {
        id,
        property: violation.property.name(),
        kind: violation.kind,
        message: violation.message.clone(),
        place: rows::place(program, violation.site),
        thread: violation.thread.0,
        related: related.collect(),
        inputs: rows::inputs(program, &schedule.inputs),
        threads: rows::threads(program, &schedule.threads),
        schedule: rows::steps(program, schedule),
        context_switches: found.context_switches(),
        fewest_switches: true,
        output: schedule.output.clone(),
        diagnosis: None,
        comparison: None,
        localization: None,
    }
}

/// For a deadlock: who holds which lock, since where.
fn holders(program: &Program, violation: &Violation, schedule: &Schedule) -> Vec<Remark> {
    if violation.property != Property::Deadlock {
        return Vec::new();
    }
    let remark = |(thread, name): &(ThreadId, String)| {
        let took = |step: &&Step| {
            step.thread == *thread
                && step.variable.as_ref() == Some(name)
                && matches!(step.kind, StepKind::Sync(op, _) if racing::takes(op))
        };
        let step = schedule.steps.iter().rev().find(took)?;
        let what = format!("T{} took `{name}` here and still holds it", thread.0);
        Some(Remark { place: rows::place(program, step.site), what })
    };
    schedule.held.iter().filter_map(remark).collect()
}

/// A run as the text of a schedule file.
pub(crate) fn schedule_file(
    program: &Program,
    options: &CheckOptions,
    violation: &Violation,
    schedule: &Schedule,
) -> String {
    let mut remarks = vec![String::new(); schedule.decisions.len()];
    for (step, row) in schedule.steps.iter().zip(rows::steps(program, schedule)) {
        let shown = !matches!(row.kind, "local" | "output");
        if let Some(remark) = remarks.get_mut(step.decision).filter(|_| shown) {
            let line =
                row.place.map_or(String::new(), |place| format!("line {}: ", place.span.line));
            let separator = if remark.is_empty() { "" } else { "; " };
            remark.push_str(&format!("{separator}{line}{}", row.text));
        }
    }
    let file = ScheduleFile {
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        sources: sources(program),
        unwind: options.unwind,
        properties: options.properties,
        violation: Some(violation.kind.to_owned()),
        decisions: schedule.decisions.clone(),
    };
    file.print(&remarks)
}

pub(crate) fn report(
    program: &Program,
    options: &CheckOptions,
    search: &Search,
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
        None => rows::threads(program, &search.threads),
    };
    Report {
        command: "check",
        verdict,
        reasons: if verdict == Verdict::Inconclusive { reasons } else { Vec::new() },
        bounds: bounds(program, options, search),
        unsupported: unsupported(program, search),
        notes: notes(program, search),
        properties: options.properties.iter().map(Property::name).collect(),
        threads,
        findings,
        repairs: None,
        stats: search.stats.clone(),
        time_ms: 0,
        files: program.files.clone(),
    }
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

fn bounds(program: &Program, options: &CheckOptions, search: &Search) -> Bounds {
    let cut = search.notes.iter().filter_map(|note| match note {
        Note::Bound { site, what } => {
            Some(Remark { place: rows::place(program, *site), what: what.clone() })
        }
        _ => None,
    });
    Bounds { unwind: options.unwind, arguments: None, cut_loops: cut.collect() }
}

fn unsupported(program: &Program, search: &Search) -> Vec<Remark> {
    let met = search.notes.iter().filter_map(|note| {
        let what = match note {
            Note::Unsupported { what, .. } => what.clone(),
            Note::External { name, .. } => {
                format!("`{name}` is not modelled: its result is taken to be arbitrary")
            }
            Note::Bound { .. } => return None,
        };
        Some(Remark { place: rows::place(program, note.site()), what })
    });
    let always = program
        .unsupported
        .iter()
        .map(|it| Remark { place: rows::place(program, it.site), what: it.what.clone() });
    always.chain(met).collect()
}

/// Says so where the exploration answered instead of the symbolic engine. That a question is
/// merely hard has no place, and nothing is missing then.
fn notes(program: &Program, search: &Search) -> Vec<Remark> {
    let is_reason = |site: SiteId, what: &str| {
        let is_it = |it: &Note| matches!(it, Note::Unsupported { site: at, what: it } if *at == site && it == what);
        search.notes.iter().any(is_it)
    };
    let missing = search
        .handed_over
        .iter()
        .filter(|(site, what)| site.0 != 0 && search.explored && !is_reason(*site, what));
    let remark = |(site, what): &(SiteId, String)| Remark {
        place: rows::place(program, *site),
        what: format!("{what} is not in the symbolic engine yet; the states were explored instead"),
    };
    missing.map(remark).collect()
}

/// Everything that stands between "no violation found" and *safe*.
fn reasons(program: &Program, options: &CheckOptions, search: &Search) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = program
        .unsupported
        .iter()
        .map(|it| Reason {
            kind: "unsupported",
            message: format!("{} is not modelled", it.what),
            place: rows::place(program, it.site),
            help: help_of_all(&it.what).map(str::to_owned),
        })
        .collect();
    for note in search.notes.iter().filter(|note| note.limits()) {
        reasons.push(note_reason(program, options, note));
    }
    for &site in &search.sampled {
        reasons.push(Reason {
            kind: "inputs",
            message: "this input is too wide to try every value; only some were tried".to_owned(),
            place: rows::place(program, site),
            help: Some("narrow it with `__VERIFIER_assume`, or use a narrower type".to_owned()),
        });
    }
    reasons.extend(search.endless.then(ends::reason));
    reasons.extend(search.stopped.as_ref().and_then(stop_reason));
    reasons
}

fn note_reason(program: &Program, options: &CheckOptions, note: &Note) -> Reason {
    let place = rows::place(program, note.site());
    match note {
        Note::Bound { what, .. } => Reason {
            kind: "bound",
            message: what.clone(),
            place,
            help: options.unwind.map(|bound| {
                format!("try `--unwind {}`, or leave the bound out", bound.saturating_mul(2).max(1))
            }),
        },
        Note::Unsupported { what, .. } | Note::External { name: what, .. } => Reason {
            kind: "unsupported",
            message: format!("{what} is not modelled"),
            place,
            help: Some(help_without(what).to_owned()),
        },
    }
}

/// What to do about something of the program as a whole that is not modelled.
pub fn help_of_all(what: &str) -> Option<&'static str> {
    let help = "say what it is called with: `--args '3 100'`, or `--args ''` for nothing";
    (what == COMMAND_LINE).then_some(help)
}

/// What to do about something that is not modelled.
fn help_without(what: &str) -> &'static str {
    match unravel_program::library::is_missing(what) {
        true => "add the file that defines it, or a stub that does what matters here",
        false => "replace it by code that Unravel can see, or leave this part out",
    }
}

fn stop_reason(stopped: &Stopped) -> Option<Reason> {
    let (kind, message, help) = match stopped {
        Stopped::FirstViolation => return None,
        Stopped::States => (
            "states",
            "there are too many states to explore".to_owned(),
            "use fewer threads or iterations, or raise `--max-states`",
        ),
        Stopped::Asked(reason) => (
            "budget",
            reason.to_string(),
            "use fewer threads or iterations, or raise `--time-limit` or `--memory-limit`",
        ),
    };
    Some(Reason { kind, message, place: None, help: Some(help.to_owned()) })
}
