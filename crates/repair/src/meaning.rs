//! Plans as literals on the formula of the diagnosis (DESIGN §5, "order meaning first").
//!
//! Whether a plan helps is asked before any text is written: if a failing run is possible in which
//! all that the plan requires holds, the plan is of no use. And of two plans, the one that allows
//! a passing run that the other forbids is the more permissive.
//!
//! Up to the bounds of the encoding; what is shown to the user is verified from its text.

use unravel_encode::Encoding;
use unravel_events::StepId;
use unravel_solver::{Lit, Outcome};

use crate::plan::{Plan, Requirement};
use crate::spot::Spots;

/// What the formula says of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No failing run, and some run passes.
    Helps,
    /// Some run fails nevertheless.
    StillFails,
    /// No run passes.
    Blocks,
    /// The solver was stopped, or contradicts itself.
    Unknown,
}

/// Asks about plans.
pub struct Judge<'a> {
    /// The formula.
    pub encoding: &'a mut Encoding,
    /// Where its steps are.
    pub spots: &'a Spots,
}

impl Judge<'_> {
    /// A literal that, if true in a complete run, has a plan hold in it.
    fn holds(&mut self, plan: &Plan) -> Lit {
        let clauses = self.clauses(plan);
        self.encoding.all_in_order(&clauses)
    }

    /// A literal that, if true in a complete run, has a plan broken in it.
    fn broken(&mut self, plan: &Plan) -> Lit {
        let clauses = self.clauses(plan);
        self.encoding.some_out_of_order(&clauses)
    }

    /// The plan as clauses of orders between steps that are executed.
    fn clauses(&self, plan: &Plan) -> Vec<Vec<(StepId, StepId)>> {
        plan.requirements.iter().flat_map(|it| self.required(it)).collect()
    }

    fn required(&self, requirement: &Requirement) -> Vec<Vec<(StepId, StepId)>> {
        let mut clauses = Vec::new();
        match requirement {
            Requirement::Before(order) => {
                for &(one, before) in self.spots.steps(&order.before) {
                    for &(other, after) in self.spots.steps(&order.after) {
                        if one != other {
                            clauses.push(vec![(before, after)]);
                        }
                    }
                }
            }
            Requirement::Exclusive(stretches) => {
                let all: Vec<_> =
                    stretches.iter().flat_map(|it| it.instances(self.spots)).collect();
                for (at, one) in all.iter().enumerate() {
                    for other in &all[at + 1..] {
                        if one.0 != other.0 {
                            clauses.push(vec![(one.2, other.1), (other.2, one.1)]);
                        }
                    }
                }
            }
        }
        clauses
    }

    /// Whether some run passes that one plan allows and another forbids; `None` if that is not
    /// known.
    pub fn allows_more(
        &mut self,
        one: &Plan,
        other: &Plan,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        let assumptions = [self.encoding.passing(), self.holds(one), self.broken(other)];
        match self.encoding.assume(&assumptions, stop) {
            Outcome::Sat(_) => Some(true),
            Outcome::Unsat(_) => Some(false),
            Outcome::Stopped | Outcome::Broken(_) => None,
        }
    }

    /// Whether a plan leaves a passing run.
    pub fn judge(&mut self, plan: &Plan, stop: &mut dyn FnMut() -> bool) -> Verdict {
        let passing = [self.encoding.passing(), self.holds(plan)];
        match self.encoding.assume(&passing, stop) {
            Outcome::Sat(_) => {}
            Outcome::Unsat(_) => return Verdict::Blocks,
            Outcome::Stopped | Outcome::Broken(_) => return Verdict::Unknown,
        }
        let failing = [self.encoding.violated(), self.holds(plan)];
        match self.encoding.assume(&failing, stop) {
            Outcome::Sat(_) => Verdict::StillFails,
            Outcome::Unsat(_) => Verdict::Helps,
            Outcome::Stopped | Outcome::Broken(_) => Verdict::Unknown,
        }
    }
}
