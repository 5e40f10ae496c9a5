//! The closest passing run by brute force: the cheapest of all passing runs of a small program.
//!
//! The failing run is replayed and all others are walked on the interpreter (`search`), which tells
//! what happens in them (`watch`); how far two runs are apart is counted by the published definition
//! (`cost`). Nothing is shared with the symbolic engine but which instructions are operations.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "closest/cost.rs"]
mod cost;
#[path = "closest/loops.rs"]
mod loops;
#[path = "closest/search.rs"]
mod search;
#[path = "closest/watch.rs"]
mod watch;

use std::collections::BTreeMap;

use unravel_driver::{CheckOptions, Operation};
use unravel_interp::run::hang_at;
use unravel_interp::schedule_file::ScheduleFile;
use unravel_interp::{Config, Decision, Machine, Notes, Readiness, State, StepEnd, Violation};
use unravel_kinds::ViolationKind;
use unravel_program::{Program, SiteId};

pub use cost::Cost;
use cost::{Failing, distance};
pub use search::Cheapest;
use search::{Search, passes};
use watch::{Asked, Happening, SharedWatcher, Watcher, Words};

/// Turns of a loop: they are counted only below a bound.
const MOST_TURNS: u32 = 1000;

/// Branches of a failing run: each has a bit.
const MOST_BRANCHES: usize = 128;

/// A failing run, as far as the engine says what it is.
pub struct Run<'r> {
    /// All operations of the program.
    pub operations: &'r [Operation],
    /// Those of the failing run, in order.
    pub steps: &'r [usize],
    /// Its schedule file.
    pub schedule: &'r str,
}

impl Run<'_> {
    /// Whether an operation of the run is the same execution of an instruction as another: a
    /// destructor that is called again, or the second half of a `pthread_once`.
    fn has_twins(&self) -> bool {
        let point = |step: &usize| &self.operations[*step].point;
        let twins = |step| self.operations.iter().filter(|it| it.point == *point(step)).count();
        self.steps.iter().any(|step| twins(step) > 1)
    }
}

/// A failing run beside all others.
pub struct Oracle<'p> {
    machine: Machine<'p>,
    words: Words<'p>,
    failing: Failing,
    inputs: BTreeMap<Asked, u128>,
    /// Why not all runs can be seen.
    problem: Option<&'static str>,
}

impl<'p> Oracle<'p> {
    /// # Errors
    /// The failing run is not what the engine says.
    pub fn new(
        program: &'p Program,
        options: &CheckOptions,
        run: &Run<'p>,
    ) -> Result<Oracle<'p>, String> {
        let config = options.config();
        let config = Config { unwind: config.unwind.or(Some(MOST_TURNS)), ..config };
        let machine = Machine::new(program, config);
        let words = Words::new(program, run.operations);
        let file = ScheduleFile::parse(run.schedule).map_err(|it| it.message)?;
        let replayed = Replayed::of(&machine, &words, &file.decisions)?;
        let failing = replayed.failing(program, run)?;
        let problems = [
            (replayed.reads_undefined, "memory is read that was never written"),
            // No passing run has such a wakeup.
            (replayed.spurious, "somebody wakes without a signal"),
            // That it gives up is an operation of the engine's runs and none of the interpreter's.
            (replayed.gives_up, "somebody's time is up"),
            // The engine leaves out turns that change nothing, and the interpreter shows one.
            (replayed.spins, "somebody spins for ever"),
            (words.sees_private.get(), "what is read was written before others knew of it"),
            (run.has_twins(), "the interpreter cannot tell two operations apart"),
            (!replayed.shows(run), "the interpreter does not show every operation"),
            (failing.branches.len() > MOST_BRANCHES, "too many branches"),
        ];
        let problem = problems.iter().find(|it| it.0).map(|it| it.1);
        Ok(Oracle { machine, words, failing, inputs: replayed.inputs, problem })
    }

    /// The least cost of all passing runs with the inputs of the failing one.
    ///
    /// # Errors
    /// The oracle contradicts itself.
    pub fn cheapest(&self, equal_weights: bool) -> Result<Cheapest, String> {
        if let Some(problem) = self.problem {
            return Ok(Cheapest::Unknown(problem));
        }
        let Oracle { machine, words, failing, inputs, .. } = self;
        Search::new(machine, words, failing, inputs, equal_weights).run()
    }

    /// Whether all that counts can be seen.
    pub fn is_sighted(&self) -> bool {
        self.problem.is_none() && self.words.is_plain()
    }

    /// What a run costs that is said to pass.
    ///
    /// # Errors
    /// It does not pass, or has other inputs.
    pub fn measure(&self, decisions: &[Decision]) -> Result<Cost, String> {
        let replayed = Replayed::of(&self.machine, &self.words, decisions)?;
        if let Some(violation) = replayed.violation {
            return Err(format!("it violates something: {}", violation.kind.code()));
        }
        if !passes(&self.machine, &replayed.state) {
            return Err("it is not complete".to_owned());
        }
        let differs = |(asked, value): &(&Asked, &u128)| {
            self.inputs.get(asked).is_some_and(|it| it != *value)
        };
        match replayed.inputs.iter().find(differs) {
            Some(_) => Err("it has another input".to_owned()),
            None => Ok(distance(&self.failing, &replayed.seen)),
        }
    }
}

/// What happens in the failing run.
struct Replayed {
    seen: Vec<Happening>,
    inputs: BTreeMap<Asked, u128>,
    violation: Option<Violation>,
    reads_undefined: bool,
    /// Somebody wakes without a signal.
    spurious: bool,
    /// Somebody's time is up.
    gives_up: bool,
    /// Somebody spins for ever in the end.
    spins: bool,
    state: State,
}

impl Replayed {
    fn of(
        machine: &Machine<'_>,
        words: &Words<'_>,
        decisions: &[Decision],
    ) -> Result<Replayed, String> {
        let mut state = machine.initial();
        let mut known = Watcher::at_first();
        let (mut seen, mut inputs) = (Vec::new(), BTreeMap::new());
        let (none, mut notes) = (BTreeMap::new(), Notes::new());
        let mut violation = machine.deadlock(&state);
        let (mut reads_undefined, mut spurious, mut gives_up) = (false, false, false);
        for decision in decisions {
            let thread = decision.thread;
            let watcher = Watcher::new(words, known, &none, (thread, decision.choices.clone()));
            let (mut chooser, mut recorder) = (SharedWatcher(&watcher), SharedWatcher(&watcher));
            let wakes = machine.readiness(&state, thread) == Readiness::Spurious;
            violation =
                match machine.step(&mut state, thread, &mut chooser, &mut recorder, &mut notes) {
                    StepEnd::Done(soft) => soft.into_iter().next(),
                    StepEnd::Violated(violation) => Some(violation),
                    StepEnd::Open(_) => return Err("a decision is missing".to_owned()),
                };
            violation = violation.or_else(|| machine.deadlock(&state));
            let mut watcher = watcher.into_inner();
            let unnoticed: Vec<u32> = watcher.known.unnoticed.keys().copied().collect();
            unnoticed.into_iter().for_each(|thread| watcher.notice(thread));
            spurious |= wakes || watcher.spurious;
            gives_up |= watcher.gives_up;
            known = watcher.known;
            seen.extend(watcher.seen);
            inputs.extend(watcher.answers);
            reads_undefined |= watcher.reads_undefined;
        }
        violation = violation.or_else(|| hang_at(machine, &state));
        let is_hang = |it: &Violation| matches!(it.kind, ViolationKind::Hang { .. });
        let spins = violation.as_ref().is_some_and(is_hang);
        Ok(Replayed { seen, inputs, violation, reads_undefined, spurious, gives_up, spins, state })
    }

    /// The failing run. The branch of the assertion does not count.
    fn failing(&self, program: &Program, run: &Run<'_>) -> Result<Failing, String> {
        let violation = self.violation.as_ref().ok_or("the failing run violates nothing")?;
        let line = |site: SiteId| program.site(site).span.map(|span| (span.file, span.line));
        let end = line(violation.site);
        let is_named = |step: usize| run.steps.contains(&step);
        let place = |step: usize| run.steps.iter().position(|it| *it == step);
        let (mut flows, mut branches) = (BTreeMap::new(), Vec::new());
        for it in &self.seen {
            match *it {
                Happening::Step(_) => {}
                Happening::Read(read, source) if is_named(read.0) => {
                    flows.insert(read, source);
                }
                Happening::Branch(it) if line(it.site) != end && it.after.is_none_or(is_named) => {
                    branches.push((it.after.and_then(place), it.at, it.value));
                }
                Happening::Read(..) | Happening::Branch(_) => {}
            }
        }
        // A stable order: branches after one step are in the order of the run.
        branches.sort_by_key(|it| it.0);
        let branches: Vec<_> = branches.into_iter().map(|(_, at, value)| (at, value)).collect();
        let threads = run.operations.iter().map(|it| it.thread).collect();
        Ok(Failing::new(run.steps.to_vec(), threads, flows, &branches))
    }

    /// Whether the operations that the engine names are those of the replayed run. The interpreter
    /// does not show all: the violating step is not executed, and a `memset` of memory that nobody
    /// else knows is one step.
    fn shows(&self, run: &Run<'_>) -> bool {
        let mut steps: Vec<usize> = Vec::new();
        for it in &self.seen {
            if let Happening::Step(step) = *it
                && run.steps.contains(&step)
                && !steps.contains(&step)
            {
                steps.push(step);
            }
        }
        let is_end = |step: &usize| run.operations[*step].point.moment.calls.is_empty();
        let thread = |step: usize| run.operations[step].thread;
        let is_shown = |at: usize| steps.contains(&run.steps[at]);
        let count = run.steps.len();
        let is_inside = |at: usize| {
            let own = |other: usize| thread(run.steps[other]) == thread(run.steps[at]);
            at > 0 && own(at - 1) && at + 1 < count && own(at + 1) && is_shown(at - 1)
        };
        let hidden_inside = (0..count).all(|at| is_shown(at) || is_inside(at) || at + 1 == count);
        let order = |steps: &[usize]| -> Vec<usize> {
            steps.iter().copied().filter(|it| !is_end(it)).collect()
        };
        let expected = run.steps.iter().copied().filter(|it| steps.contains(it));
        hidden_inside && order(&steps) == order(&expected.collect::<Vec<_>>())
    }
}
