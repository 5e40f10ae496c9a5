//! Ids of threads. A new thread may get the id of one that is gone, which only matters to a program
//! that compares ids; that is left to the exploration. Which threads may be gone by then is known at
//! the end.

use unravel_kinds::Unmodelled;

use super::Executor;
use crate::graph::{Finding, FindingKind, StepId, ThreadId};
use crate::state::State;

/// A thread that is created, and what to remark if it may get an id that was used before.
pub(crate) struct Identity {
    finding: Finding,
    /// Threads before it.
    threads: usize,
    /// Steps of its creator before.
    steps: usize,
}

impl Executor<'_> {
    pub(super) fn note_identity(&mut self, state: &State) {
        if self.graph.threads.len() < 2 {
            return;
        }
        let finding = Finding {
            kind: FindingKind::Unsupported(Unmodelled::ReusedThreadId),
            guard: state.guard,
            thread: self.current.id,
            position: self.current.position,
            site: self.site(),
        };
        let steps = self.graph.threads[self.current.id.0 as usize].steps.len();
        let threads = self.graph.threads.len();
        if let Some(identities) = &mut self.identities {
            identities.push(Identity { finding, threads, steps });
        }
    }

    /// Remarks on threads that are created when another may have been joined, or may have ended
    /// detached.
    pub(super) fn note_identities(&mut self) {
        for it in self.identities.take().unwrap_or_default() {
            let joins: Vec<_> =
                self.graph.joins.iter().map(|join| (join.step, join.guard)).collect();
            let detached: Vec<_> = self.graph.detached.iter().map(|&(_, step)| step).collect();
            let mut guards: Vec<_> = joins
                .into_iter()
                .filter(|&(step, _)| !self.is_after(&it, step))
                .map(|(_, guard)| guard)
                .collect();
            let freed = detached.into_iter().filter(|&step| !self.is_after(&it, step));
            guards.extend(freed.map(|step| self.graph.step(step).guard));
            let born = self.graph.threads[..it.threads].iter().filter(|thread| thread.detached);
            guards.extend(born.map(|thread| thread.guard));
            let gone = self.terms().or_all(&guards);
            let guard = self.terms().and(it.finding.guard, gone);
            if !self.terms().is_false(guard) {
                self.graph.findings.push(Finding { guard, ..it.finding });
            }
        }
    }

    /// Whether a step certainly comes after a creation: later in the same thread, or in a thread that
    /// it creates later.
    fn is_after(&self, it: &Identity, step: StepId) -> bool {
        let mut step = step;
        loop {
            let thread: ThreadId = self.graph.step(step).thread;
            let own = &self.graph.threads[thread.0 as usize];
            if thread == it.finding.thread {
                return own.steps.iter().position(|&at| at == step) >= Some(it.steps);
            }
            let Some(creation) = own.created_by else { return false };
            step = creation;
        }
    }
}
