//! A few plain runs: threads one after the other.
//!
//! A bug that takes fifty threads in a row is a needle for the solver and lies open in such a run.
//! So before much work is spent on a hard question, some are simply tried.

use unravel_explore::Found;
use unravel_interp::choice::{Choice, Chooser};
use unravel_interp::event::NoRecorder;
use unravel_interp::schedule::Decision;
use unravel_interp::{Machine, Notes, Readiness, State, StepEnd, ThreadId};

/// Most steps of a run.
const STEPS: usize = 20_000;

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
pub fn probe(machine: &Machine<'_>) -> Option<Found> {
    [Next::Oldest, Next::Youngest, Next::YoungestAtOnce]
        .into_iter()
        .find_map(|next| run(machine, next))
}

fn run(machine: &Machine<'_>, next: Next) -> Option<Found> {
    let mut state = machine.initial();
    let mut decisions: Vec<Decision> = Vec::new();
    let mut current = ThreadId(0);
    while decisions.len() < STEPS {
        current = choose(machine, &state, next, current)?;
        let mut chooser = Usual::default();
        let mut notes = Notes::new();
        let end = machine.step(&mut state, current, &mut chooser, &mut NoRecorder, &mut notes);
        decisions.push(Decision { thread: current, choices: chooser.choices });
        let violation = match end {
            StepEnd::Violated(violation) => Some(violation),
            StepEnd::Done(soft) => soft.into_iter().next(),
            StepEnd::Open(_) => return None,
        };
        if let Some(violation) = violation.or_else(|| machine.deadlock(&state)) {
            let switches = decisions.windows(2).filter(|pair| pair[0].thread != pair[1].thread);
            let context_switches = u32::try_from(switches.count()).unwrap_or(u32::MAX);
            return Some(Found { violation, decisions, context_switches });
        }
    }
    None
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
