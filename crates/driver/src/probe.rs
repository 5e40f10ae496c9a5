//! A few plain runs: threads one after the other.
//!
//! A bug that takes fifty threads in a row is a needle for the solver and lies open in such a run.
//! So before much work is spent on a hard question, some are simply tried. And a program that passes
//! in the order in which its threads are created has the right values: if it fails otherwise, an
//! order is to blame.

use unravel_interp::choice::{Choice, Chooser};
use unravel_interp::event::{Event, NoRecorder, Recorder};
use unravel_interp::fingerprint::fingerprint;
use unravel_interp::run::{hang_at, replay};
use unravel_interp::schedule::Decision;
use unravel_interp::{End, Machine, Notes, Readiness, Run, State, StepEnd, ThreadId, Violation};
use unravel_program::{Program, SiteId};

/// Most steps of a run.
const STEPS: usize = 20_000;

/// Steps between two looks whether anything changes.
const TURNS: usize = 256;

/// Who goes on when the running thread cannot.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// The oldest thread that can.
    Oldest,
    /// The youngest thread that can.
    Youngest,
    /// The youngest thread that can, even while another could go on.
    YoungestAtOnce,
}

/// Decides as usual, and remembers how often.
#[derive(Default)]
struct Usual {
    choices: Vec<u128>,
}

impl Chooser for Usual {
    fn choose(&mut self, _choice: &Choice) -> Option<u128> {
        self.choices.push(0);
        Some(0)
    }
}

/// A violation in one of a few plain runs.
#[must_use]
pub fn probe(machine: &Machine<'_>) -> Option<Run<Violation>> {
    [Next::Oldest, Next::Youngest, Next::YoungestAtOnce]
        .into_iter()
        .find_map(|next| violated(run(machine, next, &mut NoRecorder)))
}

/// Whether a run without inputs passes in which threads go one after the other, in the order of
/// their creation, and comes to the place of a violation, if it has one.
#[must_use]
pub fn passes_in_turn(machine: &Machine<'_>, place: Option<SiteId>) -> bool {
    [Next::Oldest, Next::YoungestAtOnce].into_iter().any(|next| {
        let mut watcher = LineWatcher { program: machine.program, place, is_seen: place.is_none() };
        let (decisions, violation) = run(machine, next, &mut watcher);
        let has_inputs = decisions.iter().any(|it| !it.choices.is_empty());
        let is_candidate = violation.is_none() && watcher.is_seen && !has_inputs;
        let end = is_candidate.then(|| replay(machine, &decisions)).and_then(Result::ok);
        end.is_some_and(|it| matches!(it.end, End::Complete(_)))
    })
}

/// Looks whether a thread comes to a line.
struct LineWatcher<'p> {
    program: &'p Program,
    place: Option<SiteId>,
    is_seen: bool,
}

impl Recorder for LineWatcher<'_> {
    fn wants_events(&self) -> bool {
        false
    }

    fn record(&mut self, _state: &State, _event: Event) {}

    fn executing(&mut self, state: &State, thread: ThreadId) {
        let line = |site| self.program.site(site).span.map(|span| (span.file, span.line));
        let Some(frame) = state.thread(thread).frames.last() else { return };
        let block = self.program.function(frame.function).block(frame.block);
        let site = block.instructions.get(frame.index).map_or(block.end_site, |it| it.site);
        self.is_seen |= self.place.is_some_and(|place| line(place) == line(site));
    }
}

fn violated((decisions, violation): (Vec<Decision>, Option<Violation>)) -> Option<Run<Violation>> {
    violation.map(|end| Run { decisions, end })
}

/// A run, to its end or as far as it is worth while, and what it violates.
fn run(
    machine: &Machine<'_>,
    next: Next,
    recorder: &mut dyn Recorder,
) -> (Vec<Decision>, Option<Violation>) {
    let mut state = machine.initial();
    let mut decisions: Vec<Decision> = Vec::new();
    let mut current = ThreadId(0);
    let mut kept = None;
    while decisions.len() < STEPS && !machine.config.alarm.rings() {
        // Who turns a loop in which nothing changes will do so to the end.
        let turns = decisions.len() % TURNS;
        if turns < 2 && decisions.len() > 1 {
            let key = fingerprint(&state, u64::from(machine.program.target.pointer_bytes));
            if turns == 1 && kept == Some(key) {
                break;
            }
            kept = Some(key);
        }
        let Some(thread) = choose(machine, &state, next, current) else { break };
        current = thread;
        let mut chooser = Usual::default();
        let mut notes = Notes::new();
        let end = machine.step(&mut state, current, &mut chooser, recorder, &mut notes);
        decisions.push(Decision { thread: current, choices: chooser.choices });
        let violation = match end {
            StepEnd::Violated(violation) => Some(violation),
            StepEnd::Done(soft) => soft.into_iter().next(),
            StepEnd::Open(_) => break,
        };
        if let Some(violation) = violation.or_else(|| machine.deadlock(&state)) {
            return (decisions, Some(violation));
        }
    }
    let hang = hang_at(machine, &state);
    (decisions, hang)
}

fn choose(machine: &Machine<'_>, state: &State, next: Next, current: ThreadId) -> Option<ThreadId> {
    let ready = |id: &ThreadId| machine.readiness(state, *id) == Readiness::Ready;
    let mut threads: Vec<ThreadId> = state.thread_ids().filter(ready).collect();
    if !matches!(next, Next::YoungestAtOnce) && threads.contains(&current) {
        return Some(current);
    }
    if !matches!(next, Next::Oldest) {
        threads.reverse();
    }
    threads.first().copied()
}
