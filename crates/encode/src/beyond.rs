//! What a thread at a bound could still do.
//!
//! A thread that comes to a bound, or to something that is not modelled, stands there, though the
//! real one goes on. What others do afterwards may come out otherwise then: a violation after that is
//! one of this run, but no proof that a run with the same orders fails.

use unravel_events::{FindingKind, Position, StepId, ThreadId};
use unravel_interp::Property;
use unravel_solver::{ClauseSink, Lit};

use crate::{Encoder, Encoding, Mutant, Reached};

impl Encoding {
    /// A literal that, if true, has the failing run end before any other thread comes to a bound, or
    /// to something that is not modelled.
    pub fn certain(&mut self) -> Lit {
        if let Some(lit) = self.certain {
            return lit;
        }
        if self.encoder.broken(Mutant::CoresIgnoreBounds) {
            return self.encoder.solver.truth();
        }
        let certain = self.encoder.solver.new_lit();
        for (selected, reached) in self.ends_in_violation() {
            let end = self.encoder.reached[reached].clone();
            for cut in self.encoder.cuts_beside(&end) {
                let mut clause = vec![!certain, !selected, !cut.lit];
                clause.extend(self.encoder.steps_after(&end, &cut));
                self.encoder.solver.clause(&clause);
            }
        }
        self.certain = Some(certain);
        certain
    }
}

impl Encoder {
    /// Literals, one for each place where another thread may be cut: if true, it stands there before a
    /// violation.
    pub(crate) fn cut_before(&mut self, violation: &Reached) -> Vec<Lit> {
        let mut ways = Vec::new();
        for cut in self.cuts_beside(violation) {
            let way = self.solver.new_lit();
            self.solver.clause(&[!way, cut.lit]);
            for last in self.last_steps(cut.thread, cut.position) {
                let executed = self.executed(last);
                let mut clause = vec![!way, !executed];
                for step in self.last_steps(violation.thread, violation.position) {
                    let there = self.executed(step);
                    clause.extend(self.before_if(there, last, step));
                }
                self.solver.clause(&clause);
            }
            ways.push(way);
        }
        ways
    }

    /// Where other threads may be cut.
    fn cuts_beside(&self, violation: &Reached) -> Vec<Reached> {
        let is_cut = |it: &&Reached| match it.kind {
            FindingKind::Bound(..) | FindingKind::Unsupported(_) | FindingKind::Primitive(_) => {
                it.thread != violation.thread
            }
            FindingKind::Violation(_) => false,
        };
        // Who waits while somebody is cut is in no deadlock.
        if violation.kind == FindingKind::Violation(Property::Deadlock) {
            return Vec::new();
        }
        self.reached.iter().filter(is_cut).cloned().collect()
    }

    /// Literals, one of which is true if a thread that is cut takes a step after a violation.
    fn steps_after(&mut self, violation: &Reached, cut: &Reached) -> Vec<Lit> {
        let mut ways = Vec::new();
        let violating = self.last_steps(violation.thread, violation.position);
        for last in self.last_steps(cut.thread, cut.position) {
            let way = self.solver.new_lit();
            let executed = self.executed(last);
            self.solver.clause(&[!way, executed]);
            for &step in &violating {
                let there = self.executed(step);
                let mut clause = vec![!way, !there];
                clause.extend(self.may_precede(step, last));
                self.solver.clause(&clause);
            }
            ways.push(way);
        }
        ways
    }

    fn executed(&mut self, step: StepId) -> Lit {
        let guard = self.graph.step(step).guard;
        self.lit(guard)
    }

    /// The steps of a thread that may be its last up to a position, on one path or another; then the
    /// one that creates the thread, if there may be none.
    pub(crate) fn last_steps(&self, thread: ThreadId, position: Position) -> Vec<StepId> {
        let graph = &self.graph;
        let steps = graph.threads[thread.0 as usize].steps.iter().rev().copied();
        let all: Vec<StepId> = steps.filter(|&id| graph.step(id).position <= position).collect();
        // Every path passes a sole step, so none before it is the last.
        match all.iter().position(|&id| graph.step(id).sole) {
            Some(at) => all[..=at].to_vec(),
            None => {
                let creator = graph.threads[thread.0 as usize].created_by;
                all.into_iter().chain(creator).collect()
            }
        }
    }
}
