//! Runs: one under given decisions, and one under a fair scheduler.

use unravel_kinds::{StepKind, Variable};

use crate::choice::{Ordinary, Script};
use crate::hang::Hangs;
use crate::machine::{Machine, Readiness, StepEnd};
use crate::note::Notes;
use crate::property::{Property, Violation};
use crate::schedule::{Decision, End, RunRecorder, Schedule, Step, ThreadInfo};
use crate::state::{State, ThreadId};

/// A run that could not follow its decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Index of the decision that could not be carried out.
    pub at: usize,
    /// Why, as a clause.
    pub why: String,
}

/// So many steps are followed even after the alarm: a run that is known is worth that moment.
const SHORT: usize = 20_000;

/// Runs the program under the given decisions and records what happens.
///
/// The run ends at the first violation that it cannot go on from, or when the decisions are used up.
/// It can go on from a race and from undefined arithmetic: who looks for all violations finds others
/// behind them.
///
/// # Errors
/// The decision that does not fit, if the program is not the one they were made for; the one at which
/// the alarm was heard.
pub fn replay(machine: &Machine<'_>, decisions: &[Decision]) -> Result<Schedule, Divergence> {
    replay_until(machine, decisions, &|_| true)
}

/// The same, for a run that ends in this violation. Its last step may violate something else, too.
///
/// # Errors
/// Likewise.
pub fn replay_failing(
    machine: &Machine<'_>,
    decisions: &[Decision],
    violation: &Violation,
) -> Result<Schedule, Divergence> {
    let wanted = replay_until(machine, decisions, &|it| it.is_same(violation))?;
    match &wanted.end {
        End::Violation(_) => Ok(wanted),
        _ => replay(machine, decisions),
    }
}

/// The same, for a run that passes: a race in its last step is a matter of its own.
///
/// # Errors
/// Likewise.
pub fn replay_passing(
    machine: &Machine<'_>,
    decisions: &[Decision],
) -> Result<Schedule, Divergence> {
    replay_until(machine, decisions, &|it| it.property() != Property::Race)
}

/// Runs under decisions. `ends` says in which violations of the last step the run may end.
fn replay_until(
    machine: &Machine<'_>,
    decisions: &[Decision],
    ends: &dyn Fn(&Violation) -> bool,
) -> Result<Schedule, Divergence> {
    let mut state = machine.initial();
    let mut recorder = RunRecorder::new(machine.program);
    let mut notes = Notes::new();
    let mut violation = machine.deadlock(&state);
    for (at, decision) in decisions.iter().enumerate() {
        if at >= SHORT && machine.config.alarm.rings() {
            return Err(Divergence { at, why: "it was stopped".to_owned() });
        }
        if violation.is_some() {
            return Err(Divergence { at, why: "the run has ended before".to_owned() });
        }
        check_ready(machine, &state, decision.thread, at)?;
        recorder.decision = at;
        let mut script = Script::new(decision.choices.clone());
        let is_last = at + 1 == decisions.len();
        violation =
            match machine.step(&mut state, decision.thread, &mut script, &mut recorder, &mut notes)
            {
                StepEnd::Done(soft) => soft.into_iter().find(ends).filter(|_| is_last),
                StepEnd::Violated(violation) => Some(violation),
                StepEnd::Open(choice) => {
                    let why = format!("it has no decision for {:?}", choice.kind);
                    return Err(Divergence { at, why });
                }
            };
        if script.used < decision.choices.len() {
            return Err(Divergence { at, why: "it decides more than there is".to_owned() });
        }
        violation = violation.or_else(|| machine.deadlock(&state));
    }
    Ok(finish(machine, &state, recorder, decisions.to_vec(), violation))
}

fn check_ready(
    machine: &Machine<'_>,
    state: &State,
    thread: ThreadId,
    at: usize,
) -> Result<(), Divergence> {
    let id = thread.0;
    if id as usize >= state.threads.len() {
        return Err(Divergence { at, why: format!("thread T{id} does not exist yet") });
    }
    match machine.readiness(state, thread) {
        Readiness::Ready | Readiness::Spurious => Ok(()),
        Readiness::Blocked => Err(Divergence { at, why: format!("thread T{id} is blocked") }),
        Readiness::Gone => Err(Divergence { at, why: format!("thread T{id} has ended") }),
    }
}

fn finish(
    machine: &Machine<'_>,
    state: &State,
    recorder: RunRecorder<'_>,
    decisions: Vec<Decision>,
    violation: Option<Violation>,
) -> Schedule {
    let violation = violation.or_else(|| hang_at(machine, state));
    let mut steps = recorder.steps;
    // Undefined arithmetic does not stop the interpreter, which may come to the end in the same step.
    let is_end = |step: &Step| matches!(step.kind, StepKind::End | StepKind::Exit(_));
    if violation.as_ref().is_some_and(|it| it.property() == Property::Ub) {
        while steps.pop_if(|step| is_end(step)).is_some() {}
    }
    let end = match violation {
        Some(violation) => End::Violation(violation),
        None if state.is_complete() => End::Complete(state.exited.unwrap_or(0)),
        None => End::Incomplete,
    };
    Schedule {
        decisions,
        threads: threads(machine, state),
        steps,
        inputs: recorder.inputs,
        output: recorder.output,
        held: held(machine, state),
        end,
    }
}

/// The hang that a run ends in.
#[must_use]
pub fn hang_at(machine: &Machine<'_>, state: &State) -> Option<Violation> {
    let hang = machine.hang(state, &mut Hangs::default())?;
    hang.way.is_empty().then_some(hang.violation)
}

/// Locks that somebody holds, in the user's words.
fn held(machine: &Machine<'_>, state: &State) -> Vec<(ThreadId, Variable)> {
    let mut held = Vec::new();
    for (&place, object) in state.sync.iter() {
        let is_lock = object.class.is_lock();
        let holders = object.owner.iter().chain(&object.readers).filter(|_| is_lock);
        for &thread in holders {
            let name = crate::describe::place(machine.program, state, place.0, place.1, 8);
            held.push((thread, name));
        }
    }
    held
}

/// The threads that exist in a state, ended ones included.
#[must_use]
pub fn threads(machine: &Machine<'_>, state: &State) -> Vec<ThreadInfo> {
    let info = |id: ThreadId| {
        let thread = state.thread(id);
        let name = machine.program.function(thread.start).name.clone();
        ThreadInfo { id, name, created_at: (id.0 > 0).then_some(thread.created_at) }
    };
    state.thread_ids().map(info).collect()
}

/// Steps a thread takes in a row before the fair scheduler turns to the next.
const QUANTUM: usize = 64;

/// Runs the program once, each thread in its turn, with the most ordinary decisions.
///
/// A thread keeps the processor until it waits, ends, or has had its share; so this is the run
/// that a person expects. At most `limit` steps.
#[must_use]
pub fn fair(machine: &Machine<'_>, limit: usize) -> (Schedule, Notes) {
    let mut state = machine.initial();
    let mut recorder = RunRecorder::new(machine.program);
    let mut notes = Notes::new();
    let mut decisions: Vec<Decision> = Vec::new();
    let (mut current, mut in_a_row) = (ThreadId(0), 0);
    let mut violation = None;
    while violation.is_none() && state.exited.is_none() && decisions.len() < limit {
        violation = machine.deadlock(&state);
        if violation.is_some() {
            break;
        }
        let Some(next) = next_thread(machine, &state, current, in_a_row >= QUANTUM) else { break };
        in_a_row = if next == current { in_a_row + 1 } else { 0 };
        current = next;
        recorder.decision = decisions.len();
        decisions.push(Decision { thread: next, choices: Vec::new() });
        let end = machine.step(&mut state, next, &mut Ordinary, &mut recorder, &mut notes);
        violation = match end {
            StepEnd::Violated(violation) => Some(violation),
            StepEnd::Done(soft) => soft.into_iter().next(),
            // `Ordinary` decides everything.
            StepEnd::Open(_) => None,
        };
    }
    (finish(machine, &state, recorder, decisions, violation), notes)
}

/// The current thread if it can go on and its share is not used up, else the next that can.
fn next_thread(
    machine: &Machine<'_>,
    state: &State,
    current: ThreadId,
    used_up: bool,
) -> Option<ThreadId> {
    let ready = |id: &ThreadId| machine.readiness(state, *id) == Readiness::Ready;
    if !used_up && ready(&current) {
        return Some(current);
    }
    let count = u32::try_from(state.threads.len()).unwrap_or(u32::MAX);
    let after = (1..=count).map(|step| ThreadId((current.0 + step) % count));
    after.into_iter().find(ready)
}
