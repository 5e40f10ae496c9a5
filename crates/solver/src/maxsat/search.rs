//! One call of the solver after the other: within the budget, and with the best model kept.

use super::Budget;
use super::softs::Softs;
use crate::lit::Lit;
use crate::solver::{Model, Outcome, Solver};

/// Conflicts that a call may take which is not needed.
const EFFORT: u64 = 1_000;

/// Why there is no optimum.
pub(super) enum End {
    /// The hard part is unsatisfiable.
    NoModel,
    /// Stopped by the caller or by the budget.
    Stopped,
    /// The solver contradicts itself.
    Broken(String),
}

/// What the solver says.
pub(super) enum Answer {
    /// There is a model, and it has been noted.
    Sat,
    /// There is none. These assumptions are to blame, apart from those that are always made.
    Unsat(Vec<Lit>),
}

/// The search for an optimum.
pub(super) struct Search<'a> {
    pub(super) solver: &'a mut Solver,
    stop: &'a mut dyn FnMut() -> bool,
    /// The caller wants to stop; it is not asked again.
    stopped: bool,
    /// The number of conflicts at which the budget is used up.
    end: Option<u64>,
    strata: &'a [Vec<Lit>],
    /// Always assumed: the hard literals, and the bounds of the strata before.
    fixed: Vec<Lit>,
    /// The best model so far, and its costs.
    best: Option<(Model, Vec<u64>)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        solver: &'a mut Solver,
        hard: &[Lit],
        strata: &'a [Vec<Lit>],
        budget: Budget,
        stop: &'a mut dyn FnMut() -> bool,
    ) -> Search<'a> {
        let spent = solver.stats().solver_conflicts;
        let end = budget.conflicts.map(|conflicts| spent.saturating_add(conflicts));
        Search { solver, stop, stopped: false, end, strata, fixed: hard.to_vec(), best: None }
    }

    pub(super) fn into_best(self) -> Option<(Model, Vec<u64>)> {
        self.best
    }

    /// From now on always assumed.
    pub(super) fn fix(&mut self, lits: Vec<Lit>) {
        self.fixed.extend(lits);
    }

    pub(super) fn fixed(&self) -> &[Lit] {
        &self.fixed
    }

    /// How many softs of a stratum are false in the best model, without those that are false in every model.
    pub(super) fn excess(&self, softs: &Softs) -> u64 {
        let cost = self.best.as_ref().map_or(u64::MAX, |(_, cost)| cost[softs.stratum]);
        cost.saturating_sub(softs.certain)
    }

    /// Asks for a model under assumptions.
    pub(super) fn ask(&mut self, assumptions: &[Lit]) -> Result<Answer, End> {
        self.call(assumptions, None)?.ok_or(End::Stopped)
    }

    /// Asks, but not at any price: `None` if the answer would take more than [`EFFORT`]. For calls that only help.
    pub(super) fn probe(&mut self, assumptions: &[Lit]) -> Result<Option<Answer>, End> {
        self.call(assumptions, Some(EFFORT))
    }

    fn call(&mut self, assumptions: &[Lit], limit: Option<u64>) -> Result<Option<Answer>, End> {
        let left = self.budget_left();
        if self.stopped || left == Some(0) {
            return Err(End::Stopped);
        }
        let callers = self.solver.conflict_limit();
        self.solver.limit_conflicts([callers, left, limit].into_iter().flatten().min());
        let all = [&self.fixed, assumptions].concat();
        let (stop, stopped) = (&mut *self.stop, &mut self.stopped);
        let outcome = self.solver.solve(&all, &mut || {
            *stopped = *stopped || stop();
            *stopped
        });
        self.solver.limit_conflicts(callers);
        match outcome {
            Outcome::Sat(model) => {
                self.note(model);
                Ok(Some(Answer::Sat))
            }
            Outcome::Unsat(core) => {
                let blamed = assumptions.iter().copied().filter(|lit| core.contains(lit));
                Ok(Some(Answer::Unsat(blamed.collect())))
            }
            Outcome::Stopped if self.stopped || self.budget_left() == Some(0) => Err(End::Stopped),
            Outcome::Stopped => Ok(None),
            Outcome::Broken(message) => Err(End::Broken(message)),
        }
    }

    fn budget_left(&self) -> Option<u64> {
        self.end.map(|end| end.saturating_sub(self.solver.stats().solver_conflicts))
    }

    /// Keeps a model if it is the best so far. Every model counts, whatever it was asked for.
    fn note(&mut self, model: Model) {
        let missed =
            |stratum: &Vec<Lit>| stratum.iter().filter(|&&lit| !model.value(lit)).count() as u64;
        let cost: Vec<u64> = self.strata.iter().map(missed).collect();
        if self.best.as_ref().is_none_or(|(_, best)| cost < *best) {
            self.best = Some((model, cost));
        }
    }
}

/// The solver has contradicted itself.
pub(super) fn broken(what: &str) -> End {
    End::Broken(format!("MaxSAT: {what}"))
}
