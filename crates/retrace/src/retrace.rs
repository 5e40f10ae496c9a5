//! The loop: the thread whose next record comes first takes the next step.

use unravel_interp::state::Pending;
use unravel_interp::{
    Decision, Machine, Note, Notes, Readiness, State, StepEnd, ThreadId, Violation,
};
use unravel_wire::record::Ending;
use unravel_wire::{Kind, Record};

use crate::watch::{Answers, At, Difference, Watch, is_fresh, site_of};

/// A run that the interpreter has carried out as it was recorded.
#[derive(Clone, Debug)]
pub struct Retraced {
    /// The same run, as the interpreter's decisions.
    pub decisions: Vec<Decision>,
    /// Events that were compared.
    pub compared: usize,
    /// What it ends in, for the interpreter.
    pub violation: Option<Violation>,
    /// It came to its end.
    pub is_complete: bool,
}

/// Why a run cannot be carried out as it was recorded.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// An event differs.
    Differs(At),
    /// The thread that comes next cannot step.
    Blocked(ThreadId),
    /// The interpreter comes to something that it does not know.
    NotModelled(Note),
    /// It comes to no end.
    TooLong,
    /// Records are left that the interpreter has not come to: the thread, how many.
    Left(ThreadId, usize),
}

/// Steps after which a run is given up.
const MOST_STEPS: usize = 10_000_000;

/// Carries out a recorded run.
///
/// # Errors
/// Why it cannot be.
pub fn retrace(machine: &Machine<'_>, records: &[Record]) -> Result<Retraced, Refusal> {
    let mut state = machine.initial();
    let mut watch = Watch::new(machine.program, records);
    let mut notes = Notes::new();
    let mut decisions = Vec::new();
    let mut violation = None;
    while let Some(thread) = next(machine, &state, &watch) {
        if decisions.len() == MOST_STEPS {
            return Err(Refusal::TooLong);
        }
        let (end, given) = step(machine, &mut state, thread, &mut watch, &mut notes);
        decisions.push(Decision { thread, choices: given });
        if let Some(at) = watch.difference.take() {
            if is_cut_off(&state, &watch, &at, records) {
                break;
            }
            return Err(Refusal::Differs(at));
        }
        match end {
            StepEnd::Violated(found) => {
                violation = Some(found);
                break;
            }
            StepEnd::Done(soft) => violation = violation.or_else(|| soft.into_iter().next()),
            // `Answers` answers everything.
            StepEnd::Open(_) => return Err(Refusal::TooLong),
        }
    }
    if let Some(note) = notes.iter().next() {
        return Err(Refusal::NotModelled(note.clone()));
    }
    let violation = violation.or_else(|| machine.deadlock(&state));
    let over = violation.is_some() || state.exited.is_some();
    let left = |(thread, line): (u32, &crate::line::Line)| (ThreadId(thread), line.left());
    if !over
        && let Some((thread, count)) =
            (0..).zip(watch.lines.borrow().iter()).map(left).find(|it| it.1 > 0)
    {
        return Err(if can_step(machine, &state, thread) {
            Refusal::Left(thread, count)
        } else {
            Refusal::Blocked(thread)
        });
    }
    let is_complete = state.is_complete();
    Ok(Retraced { decisions, compared: watch.compared, violation, is_complete })
}

/// Whether a thread was in the middle of a step when the run ended without its doing: its records end
/// there, and all others were come to.
fn is_cut_off(state: &State, watch: &Watch<'_>, at: &At, records: &[Record]) -> bool {
    let nobodys = [Ending::Deadlock, Ending::NoProgress, Ending::Limit];
    let ended_by_others = records.last().is_some_and(|last| {
        let is_nobodys = nobodys.iter().any(|it| *it as u32 == last.number());
        last.kind() == Some(Kind::Ending) && (is_nobodys || u32::from(last.thread()) != at.thread.0)
    });
    (state.exited.is_some() || ended_by_others)
        && at.difference == Difference::NotRecorded
        && watch.lines.borrow().iter().all(|line| line.left() == 0)
}

fn can_step(machine: &Machine<'_>, state: &State, thread: ThreadId) -> bool {
    let exists = (thread.0 as usize) < state.threads.len();
    let ready = || machine.readiness(state, thread);
    exists && matches!(ready(), Readiness::Ready | Readiness::Spurious)
}

/// The thread whose next record comes first, of those that can step and have one.
fn next(machine: &Machine<'_>, state: &State, watch: &Watch<'_>) -> Option<ThreadId> {
    let lines = watch.lines.borrow();
    let moment = |thread: &ThreadId| {
        let site = site_of(machine.program, state, *thread);
        lines
            .get(thread.0 as usize)
            .map_or(usize::MAX, |line| line.moment(site, is_fresh(state, *thread)))
    };
    let ready = state.thread_ids().filter(|&thread| can_step(machine, state, thread));
    ready
        .map(|thread| (moment(&thread), thread))
        .filter(|it| it.0 != usize::MAX)
        .min()
        .map(|it| it.1)
}

fn step(
    machine: &Machine<'_>,
    state: &mut State,
    thread: ThreadId,
    watch: &mut Watch<'_>,
    notes: &mut Notes,
) -> (StepEnd, Vec<u128>) {
    let waiting = waiting(state, thread);
    let (program, lines, names) = (machine.program, watch.lines.clone(), watch.names.clone());
    let mut answers = Answers { program, lines, waiting: &waiting, names, given: Vec::new() };
    let end = machine.step(state, thread, &mut answers, watch, notes);
    (end, answers.given)
}

/// Who waits at the object of the operation that a thread stands before.
pub(crate) fn waiting(state: &State, thread: ThreadId) -> Vec<ThreadId> {
    let Pending::Sync(request) = &state.thread(thread).pending else { return Vec::new() };
    let object = state.sync.get(&request.place);
    let mut waiting = object.map_or(Vec::new(), |it| it.waiting.clone());
    waiting.sort();
    waiting
}
