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

use std::collections::BTreeSet;

use unravel_events::{FindingKind, StepId, Thread};
use unravel_interp::Property;
use unravel_solver::{ClauseSink, Lit, Model};
use unravel_term::Term;

use crate::{Encoding, Flow, Reached};

impl Encoding {
    /// Which read may take its value from which write.
    #[must_use]
    pub fn flows(&self) -> &[Flow] {
        &self.encoder.flows
    }

    /// A literal that, if true, keeps these data flows: the parts of a read.
    pub fn kept_flows(&mut self, flows: &[Flow]) -> Lit {
        let kept = self.encoder.solver.new_lit();
        for flow in self.encoder.alarm.until(flows) {
            let read = self.encoder.graph.accesses[flow.read.0].guard;
            let mut clause = vec![!kept, flow.taken, !self.encoder.lit(read)];
            if let Some((write, _)) = flow.source {
                let step = self.encoder.graph.accesses[write].step;
                clause.push(!self.passed(step));
            }
            self.encoder.solver.clause(&clause);
        }
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
        for &other in self.encoder.alarm.until(others) {
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
        let kept = self.encoder.solver.new_lit();
        let both = [!kept, !self.passed(first), !self.passed(second)];
        let mut clause = both.to_vec();
        clause.extend(self.encoder.may_precede(first, second));
        self.encoder.solver.clause(&clause);
        for &other in self.encoder.alarm.until(others) {
            let mut clause = both.to_vec();
            clause.push(!self.passed(other));
            clause.extend(self.encoder.may_precede(other, first));
            clause.extend(self.encoder.may_precede(second, other));
            self.encoder.solver.clause(&clause);
        }
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

    /// A literal that, if true, has the run begin with these steps, in this order and before all
    /// others; and then, if one is given, come to a step in which it may fail.
    ///
    /// One order literal per step of the program.
    pub fn begins_with(&mut self, steps: &[StepId], then: Option<StepId>) -> Lit {
        let begins = self.encoder.solver.new_lit();
        for &step in self.encoder.alarm.until(steps) {
            let passed = self.passed(step);
            self.encoder.solver.clause(&[!begins, passed]);
        }
        if let Some(step) = then {
            let comes_to = self.encoder.graph.step(step).guard;
            let comes_to = self.encoder.lit(comes_to);
            self.encoder.solver.clause(&[!begins, comes_to]);
        }
        let all: Vec<StepId> = steps.iter().copied().chain(then).collect();
        for pair in self.encoder.alarm.until(all.windows(2)) {
            let order = self.encoder.may_precede(pair[0], pair[1]);
            let clause: Vec<Lit> = [!begins].into_iter().chain(order).collect();
            self.encoder.solver.clause(&clause);
        }
        let Some(&last) = all.last() else { return begins };
        let known: BTreeSet<StepId> = all.into_iter().collect();
        // What a thread does before a known step of it is not seen by others, or it would be known:
        // memory that is not shared yet has steps here, and none in a run.
        let after_known = |thread: &Thread| {
            let begin = thread.steps.iter().rposition(|step| known.contains(step));
            thread.steps[begin.map_or(0, |at| at + 1)..].to_vec()
        };
        let others: Vec<StepId> = self.encoder.graph.threads.iter().flat_map(after_known).collect();
        for other in self.encoder.alarm.until(others) {
            let mut clause = vec![!begins, !self.passed(other)];
            clause.extend(self.encoder.may_precede(last, other));
            self.encoder.solver.clause(&clause);
        }
        begins
    }

    /// A literal that, if true, makes one of these true.
    pub fn some_of(&mut self, lits: &[Lit]) -> Lit {
        let some = self.encoder.solver.new_lit();
        let clause: Vec<Lit> = [!some].into_iter().chain(lits.iter().copied()).collect();
        self.encoder.solver.clause(&clause);
        some
    }

    /// A literal that is true if a term is.
    pub fn holds(&mut self, term: Term) -> Lit {
        self.encoder.lit(term)
    }

    /// The step in which a run fails, if it fails in one: it does not get past it, but comes to it,
    /// after all that it executes. A deadlock is no step, and a failed assertion lies after its last
    /// one.
    #[must_use]
    pub fn violating_step(&self, reached: &Reached, model: &Model) -> Option<StepId> {
        if reached.kind == FindingKind::Violation(Property::Deadlock) {
            return None;
        }
        let graph = self.graph();
        let steps = graph.threads[reached.thread.0 as usize].steps.iter().copied();
        let mut here = steps.filter(|&id| graph.step(id).position == reached.position);
        self.valuation(model).with(|value| {
            here.find(|&id| {
                let step = graph.step(id);
                value(step.guard) == 1 && value(step.passed) == 0
            })
        })
    }
}
