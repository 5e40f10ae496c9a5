//! What a run has in common with another: literals for a run that is to be as close as possible to
//! a given one (MaxSMT text §4.2, DESIGN §6).
//!
//! Each literal, if true, keeps one thing of the other run: a data flow, a segment of one thread
//! that nobody interrupts, a context switch, the way a branch goes. What concerns steps that this
//! run does not execute is kept in any case: the branches that led elsewhere count, not all that
//! follows from them.
//!
//! Segments and switches are about the total order. A step of another thread lies before or after a
//! segment, so each costs a clause with two order literals for every other step.

use unravel_events::StepId;
use unravel_solver::{ClauseSink, Lit};

use crate::{Encoding, Flow};

impl Encoding {
    /// Which read may take its value from which write.
    #[must_use]
    pub fn flows(&self) -> &[Flow] {
        &self.encoder.flows
    }

    /// A literal that, if true, keeps a data flow.
    pub fn kept_flow(&mut self, flow: Flow) -> Lit {
        let kept = self.encoder.solver.new_lit();
        let read = self.encoder.graph.accesses[flow.read.0].guard;
        let mut clause = vec![!kept, flow.taken, !self.encoder.lit(read)];
        if let Some((write, _)) = flow.source {
            let written = self.encoder.graph.accesses[write].guard;
            clause.push(!self.encoder.lit(written));
        }
        self.encoder.solver.clause(&clause);
        kept
    }

    /// A literal that, if true, has a branch go the same way wherever it is reached.
    pub fn kept_branch(&mut self, index: usize, value: u128) -> Lit {
        let branch = self.encoder.graph.branches[index];
        let terms = &mut self.encoder.graph.terms;
        let constant = terms.constant(terms.width(branch.value), value);
        let same = terms.eq(branch.value, constant);
        let kept = terms.implies(branch.guard, same);
        self.encoder.lit(kept)
    }

    /// A literal that, if true, lets none of these steps come between a step and a later one.
    pub fn uninterrupted(&mut self, first: StepId, last: StepId, others: &[StepId]) -> Lit {
        let kept = self.encoder.solver.new_lit();
        for &other in others {
            let mut clause = vec![!kept, !self.passed(other)];
            clause.extend(self.encoder.may_precede(other, first));
            clause.extend(self.encoder.may_precede(last, other));
            self.encoder.solver.clause(&clause);
        }
        kept
    }

    /// A literal that, if true, has one step directly before another, if both are executed: none of
    /// these lies between.
    pub fn adjacent(&mut self, first: StepId, second: StepId, others: &[StepId]) -> Lit {
        let kept = self.uninterrupted(first, second, others);
        let mut clause = vec![!kept, !self.passed(first), !self.passed(second)];
        clause.extend(self.encoder.may_precede(first, second));
        self.encoder.solver.clause(&clause);
        kept
    }

    /// A literal that, if true, has one step before another, if both are executed.
    pub fn in_order(&mut self, first: StepId, second: StepId) -> Lit {
        let kept = self.encoder.solver.new_lit();
        let mut clause = vec![!kept, !self.passed(first), !self.passed(second)];
        clause.extend(self.encoder.may_precede(first, second));
        self.encoder.solver.clause(&clause);
        kept
    }
}
