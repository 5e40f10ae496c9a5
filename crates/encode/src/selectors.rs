//! Literals for corrections of a program: which of the values that may be others are, and what stays
//! as in the failing run (DESIGN §7).

use unravel_events::StepId;
use unravel_solver::{ClauseSink, Lit};
use unravel_term::Term;

use crate::Encoding;

/// Steps of a run up to which all pairs of them are kept in order; of longer ones, each step with
/// those that follow it closely. A literal per pair.
const ALL_PAIRS: usize = 400;

/// How many of the following steps that are.
const CLOSE: usize = 100;

impl Encoding {
    /// A literal that, if true, has the run follow another one as far as it can: the steps of that
    /// one in this order, as far as they are executed, and what a thread does beyond the last of its
    /// steps after those of the others.
    pub fn follows(&mut self, steps: &[StepId]) -> Lit {
        let kept = self.in_this_order(steps);
        for thread in 0..self.encoder.graph.threads.len() {
            let own = &self.encoder.graph.threads[thread].steps;
            let known = own.iter().rposition(|step| steps.contains(step));
            let beyond = own[known.map_or(0, |at| at + 1)..].to_vec();
            for &first in steps.iter().rev().take(ALL_PAIRS) {
                if self.encoder.graph.step(first).thread.0 as usize == thread {
                    continue;
                }
                for &second in self.encoder.alarm.until(&beyond) {
                    let mut clause = vec![!kept, !self.passed(first), !self.passed(second)];
                    clause.extend(self.encoder.may_precede(first, second));
                    self.encoder.solver.clause(&clause);
                }
            }
        }
        kept
    }

    /// A literal that, if true, keeps these steps in this order, as far as they are executed.
    fn in_this_order(&mut self, steps: &[StepId]) -> Lit {
        let kept = self.encoder.solver.new_lit();
        let reach = if steps.len() > ALL_PAIRS { CLOSE } else { steps.len() };
        for (at, &first) in steps.iter().enumerate() {
            for &second in self.encoder.alarm.until(steps[at + 1..].iter().take(reach)) {
                let graph = &self.encoder.graph;
                if graph.step(first).thread == graph.step(second).thread {
                    continue;
                }
                let mut clause = vec![!kept, !self.passed(first), !self.passed(second)];
                clause.extend(self.encoder.may_precede(first, second));
                self.encoder.solver.clause(&clause);
            }
        }
        kept
    }

    /// A literal that is true if a term has a value.
    pub fn has_value(&mut self, term: Term, value: u128) -> Lit {
        let terms = &mut self.encoder.graph.terms;
        let constant = terms.constant(terms.width(term), value);
        let same = terms.eq(term, constant);
        self.encoder.lit(same)
    }

    /// From now on these are not all true in any run.
    pub fn exclude_together(&mut self, lits: &[Lit]) {
        let clause: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        self.encoder.solver.clause(&clause);
    }
}
