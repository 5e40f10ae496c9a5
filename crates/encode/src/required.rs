//! What a change of the program would require, as literals: is there a failing run nevertheless, and
//! which passing runs would it forbid (DESIGN §5)?
//!
//! A requirement is a set of clauses of orders. A clause with one pair stands for a wait: the second
//! step is made only after the first. A clause with several pairs stands for an exclusion: one of the
//! pairs is in order, if all steps are executed.

use unravel_events::StepId;
use unravel_solver::{ClauseSink, Lit};

use crate::{Encoding, Query};

/// Orders one of which must hold.
pub type Alternatives = Vec<(StepId, StepId)>;

impl Encoding {
    /// A literal that, if true, has some violation happen, whatever was excluded from failing runs.
    pub fn violated(&mut self) -> Lit {
        let violated = self.encoder.solver.new_lit();
        let ways = self.encoder.reached.iter();
        let ways = ways.filter(|it| Query::of(&it.kind) == Some(Query::Violation));
        let clause: Vec<Lit> = [!violated].into_iter().chain(ways.map(|it| it.lit)).collect();
        self.encoder.solver.clause(&clause);
        violated
    }

    /// A literal that, if true, has all clauses hold. Two literals per pair.
    pub fn all_in_order(&mut self, clauses: &[Alternatives]) -> Lit {
        let all = self.encoder.solver.new_lit();
        for pairs in clauses {
            let mut clause = vec![!all];
            for &(before, after) in self.encoder.alarm.until(pairs) {
                clause.push(!self.passed(after));
                clause.extend(self.encoder.may_precede(before, after));
            }
            if let [(before, after)] = pairs[..] {
                let (first, second) = (self.passed(before), self.passed(after));
                self.encoder.solver.clause(&[!all, !second, first]);
            } else {
                for &(before, _) in pairs {
                    clause.push(!self.passed(before));
                }
            }
            self.encoder.solver.clause(&clause);
        }
        all
    }

    /// A literal that, if true, has some clause broken: all its steps are executed, and all its pairs
    /// the other way round.
    pub fn some_out_of_order(&mut self, clauses: &[Alternatives]) -> Lit {
        let some = self.encoder.solver.new_lit();
        let mut ways = vec![!some];
        for pairs in clauses {
            let broken = self.encoder.solver.new_lit();
            ways.push(broken);
            for &(before, after) in pairs {
                for step in [before, after] {
                    let passed = self.passed(step);
                    self.encoder.solver.clause(&[!broken, passed]);
                }
                let reversed = self.encoder.may_precede(after, before);
                let clause: Vec<Lit> = [!broken].into_iter().chain(reversed).collect();
                self.encoder.solver.clause(&clause);
            }
        }
        self.encoder.solver.clause(&ways);
        some
    }
}
