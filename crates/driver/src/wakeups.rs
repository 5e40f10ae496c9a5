//! Which wakeups of a run come without a signal.

use std::collections::{BTreeMap, BTreeSet};

use unravel_interp::{Schedule, Step, StepKind, ThreadId};
use unravel_program::library::sync::Deed;

/// Follows through a run who waits on a condition variable without having got a signal.
#[derive(Default)]
pub struct Wakeups<'a> {
    waiting: BTreeMap<&'a str, BTreeSet<ThreadId>>,
}

impl<'a> Wakeups<'a> {
    /// Goes on by the next step; whether that is a wakeup without a signal.
    pub fn is_spurious(&mut self, schedule: &'a Schedule, step: &'a Step) -> bool {
        let (StepKind::Sync(op, code), Some(variable)) = (step.kind, step.variable.as_deref())
        else {
            return false;
        };
        let waiting = self.waiting.entry(variable).or_default();
        match op.deed() {
            Deed::Wake => return waiting.remove(&step.thread) && code == Some(0),
            Deed::Wait if code.is_none() => {
                waiting.insert(step.thread);
            }
            Deed::Signal => {
                let woken = woken(schedule, step, waiting);
                waiting.retain(|&thread| Some(thread) != woken);
            }
            Deed::Broadcast => waiting.clear(),
            _ => {}
        }
        false
    }
}

/// Who gets a signal: it is decided where there are several, before all else in the step.
fn woken(schedule: &Schedule, step: &Step, waiting: &BTreeSet<ThreadId>) -> Option<ThreadId> {
    let choices = schedule.decisions.get(step.decision).map(|it| it.choices.as_slice());
    let chosen = choices.and_then(|it| it.first()).filter(|_| waiting.len() > 1);
    let index = chosen.and_then(|it| usize::try_from(*it).ok()).unwrap_or(0);
    waiting.iter().nth(index.min(waiting.len().saturating_sub(1))).copied()
}
