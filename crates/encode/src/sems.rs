//! Semaphores: whether somebody stands before a wait when one is destroyed.
//!
//! The value of a semaphore is state like any other (`memory`). That a thread has come to a wait
//! shows in no state: it stands there from its last step on.

use unravel_events::{SemEnd, SemWait, StepId};
use unravel_solver::{ClauseSink, Lit};

use crate::Encoder;

impl Encoder {
    pub fn encode_sems(&mut self) {
        for end in self.alarm.until(self.graph.sem_ends.clone()) {
            self.encode_sem_end(&end);
        }
    }

    fn encode_sem_end(&mut self, end: &SemEnd) {
        let executed = self.lit(end.guard);
        let in_use = self.lit(end.in_use);
        let mut somebody = vec![!executed, !in_use];
        for wait in self.alarm.until(self.graph.sem_waits.clone()) {
            let own = self.graph.step(wait.step).thread == self.graph.step(end.step).thread;
            let same = self.same_address(end.address, wait.address);
            let there = self.graph.terms.and(same, wait.guard);
            if own || self.graph.terms.is_false(there) {
                continue;
            }
            let there = self.lit(there);
            somebody.extend(self.stands_at(end, &wait, there));
            // Nobody there: this one has not come yet, or is gone.
            let mut clause = vec![!executed, in_use, !there];
            clause.extend(self.may_precede(end.step, self.arrival(wait.step)));
            let done = self.lit(wait.done);
            clause.extend(self.before_if(done, wait.step, end.step));
            self.solver.clause(&clause);
        }
        self.solver.clause(&somebody);
    }

    /// A literal that, if true, has a thread stand before a wait when the semaphore is destroyed.
    fn stands_at(&mut self, end: &SemEnd, wait: &SemWait, there: Lit) -> Option<Lit> {
        let arrived = self.before_if(there, self.arrival(wait.step), end.step)?;
        let stands = self.solver.new_lit();
        self.solver.clause(&[!stands, arrived]);
        let done = self.lit(wait.done);
        let mut clause = vec![!stands, !done];
        clause.extend(self.may_precede(end.step, wait.step));
        self.solver.clause(&clause);
        Some(stands)
    }

    /// The step after which a thread stands before another: its previous one, or the one that
    /// creates it.
    fn arrival(&self, step: StepId) -> StepId {
        let thread = &self.graph.threads[self.graph.step(step).thread.0 as usize];
        let at = thread.steps.iter().position(|&it| it == step).unwrap_or(0);
        let previous = at.checked_sub(1).map(|at| thread.steps[at]);
        previous.or(thread.created_by).unwrap_or(step)
    }
}
