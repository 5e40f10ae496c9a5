//! Which marks the failing run comes to, when, and with which values.

use std::collections::{BTreeMap, BTreeSet};

use unravel_encode::Encoding;
use unravel_events::relax::Alternative;
use unravel_events::{Position, StepId, ThreadId};

use crate::correction::Reference;

/// Where the failing run comes to marks.
pub(crate) struct Executed {
    /// By mark: when it does last, and the values there.
    pub last: BTreeMap<usize, (usize, Position, BTreeSet<u128>)>,
    /// By mark: how often one thread comes to it, at most.
    times: BTreeMap<usize, u32>,
    /// The execution of the check that fails, by index.
    pub check: Option<usize>,
    /// The steps that it gets past.
    pub steps: Vec<StepId>,
}

impl Executed {
    /// Whether the failing run comes to what an alternative changes.
    pub fn has(&self, alternative: &Alternative) -> bool {
        let most = self.times.get(&alternative.mark).copied().unwrap_or(0);
        alternative.iteration.map_or(most > 0, |iteration| iteration < most)
    }

    /// The value of a mark in the failing run, if it is always the same.
    pub fn original(&self, mark: usize) -> Option<u128> {
        let values = &self.last.get(&mark)?.2;
        values.first().copied().filter(|_| values.len() == 1)
    }

    pub fn of(encoding: &Encoding, failing: Reference<'_>) -> Executed {
        let graph = encoding.graph();
        let place: BTreeMap<StepId, usize> =
            failing.steps.iter().enumerate().map(|(at, &step)| (step, at)).collect();
        let (last, times) = (BTreeMap::new(), BTreeMap::new());
        let mut executed = Executed { last, times, check: None, steps: Vec::new() };
        let mut by_thread: BTreeMap<(usize, ThreadId), u32> = BTreeMap::new();
        let mut latest = None;
        encoding.valuation(failing.model).with(|value| {
            let steps = failing.steps.iter().copied();
            executed.steps = steps.filter(|&it| value(graph.step(it).passed) == 1).collect();
            for (index, used) in graph.relaxed_uses.iter().enumerate() {
                if value(used.guard) == 0 {
                    continue;
                }
                let before = encoding.last_step(used.thread, used.position, value);
                let Some(at) = before.map_or(Some(0), |step| place.get(&step).map(|at| at + 1))
                else {
                    continue;
                };
                let first = || (at, used.position, BTreeSet::new());
                let last = executed.last.entry(used.mark).or_insert_with(first);
                (last.0, last.1) = (last.0, last.1).max((at, used.position));
                last.2.insert(value(used.original));
                let times = by_thread.entry((used.mark, used.thread)).or_default();
                *times += 1;
                let most = executed.times.entry(used.mark).or_default();
                *most = (*most).max(*times);
                let is_check = failing.checks.contains(&used.mark)
                    && failing.thread == Some(used.thread)
                    && latest.is_none_or(|latest| latest <= used.position);
                if is_check {
                    (executed.check, latest) = (Some(index), Some(used.position));
                }
            }
        });
        executed
    }
}
