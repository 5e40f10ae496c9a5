//! As many literals as possible true: MaxSAT on top of the incremental [`Solver`].
//!
//! The soft literals come in strata. The first stratum is served as well as possible, then the second as well as
//! possible without loss in the first, and so on; if all literals count the same there is one stratum. Two algorithms,
//! since neither always wins:
//!
//! - [`Algorithm::CoreGuided`] comes from below: it assumes all softs and gives up as few as the failed assumptions
//!   force it to. Good if few softs are false in the end.
//! - [`Algorithm::Linear`] comes from above: it takes a model and demands a better one until there is none. Good if
//!   many are false, and good if it may have to be stopped.
//!
//! Both work on the caller's solver, and leave it as it was except for definitions: what they add (totalizers, copies
//! of literals that occur twice) only says what new variables must at least be, and can be satisfied in every model by
//! setting those to true (copies: to false). Bounds are assumed, never asserted. One solver can be asked again and
//! again, for other softs and other questions; each time it grows by the new definitions.
//!
//! | file | idea |
//! |---|---|
//! | `mod.rs` | one stratum after the other |
//! | `softs.rs` | literals that need no search: constants, opposites; and copies of those that occur twice |
//! | `search.rs` | one call of the solver: within the budget, and the best model kept |
//! | `totalizer.rs` | literals that say "at least k of these are true" |
//! | `core_guided.rs` | from below |
//! | `linear.rs` | from above |

mod core_guided;
mod linear;
mod search;
mod softs;
mod totalizer;

use crate::lit::Lit;
use crate::solver::{Model, Solver};
use search::{Answer, End, Search};
use softs::Softs;

/// How to search for the optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// From below: give up softs that cannot be true together (OLL).
    CoreGuided,
    /// From above: demand one more than the best model has.
    Linear,
}

/// How much effort may be spent on one optimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Conflicts of the SAT solver in all calls together; `None`: as many as it takes. May be overrun by a few.
    pub conflicts: Option<u64>,
}

/// The best model found.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// The model.
    pub model: Model,
    /// Per stratum, how many of its literals are false in the model. A literal that occurs twice counts twice.
    pub cost: Vec<u64>,
    /// Whether no model is better. If not, the search was stopped, or the budget was used up.
    pub is_proved: bool,
}

/// What the search for an optimum ended with.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A model, in most cases the best.
    Found(Optimum),
    /// There is no model: the hard part is unsatisfiable.
    None,
    /// Stopped, or the budget used up, before any model was found.
    Stopped,
    /// The solver contradicts itself; nothing it said is to be trusted.
    Broken(String),
}

/// Finds a model in which as many literals as possible are true: of the first stratum, then of the second, and so on.
/// The hard part is what the solver holds, together with `hard`.
///
/// A few calls of the solver per literal that is false in the end, and a few per improvement. `stop` is asked as in
/// [`Solver::solve`]; the budget is kept within a call, too. Whatever ends the search, the best model seen in any call
/// is returned. The same calls give the same answers.
///
/// ```
/// use unravel_solver::maxsat::{Algorithm, Budget, Outcome, maximize};
/// use unravel_solver::{ClauseSink, Options, Solver};
///
/// let mut solver = Solver::new(Options::default());
/// let [a, b, c] = [solver.new_lit(), solver.new_lit(), solver.new_lit()];
/// solver.clause(&[!a, !b]);
/// solver.clause(&[!a, !c]);
/// // All alike: one has to go, and it is `a`.
/// let all = [vec![a, b, c]];
/// let outcome =
///     maximize(&mut solver, &[], &all, Algorithm::Linear, Budget::default(), &mut || false);
/// let Outcome::Found(best) = outcome else { unreachable!() };
/// assert!(best.is_proved && best.cost == [1] && best.model.value(b));
/// // `a` above all: the two others have to go.
/// let strata = [vec![a], vec![b, c]];
/// let outcome =
///     maximize(&mut solver, &[], &strata, Algorithm::CoreGuided, Budget::default(), &mut || false);
/// let Outcome::Found(best) = outcome else { unreachable!() };
/// assert!(best.is_proved && best.cost == [0, 2] && best.model.value(a));
/// ```
pub fn maximize(
    solver: &mut Solver,
    hard: &[Lit],
    strata: &[Vec<Lit>],
    algorithm: Algorithm,
    budget: Budget,
    stop: &mut dyn FnMut() -> bool,
) -> Outcome {
    let mut search = Search::new(solver, hard, strata, budget, stop);
    let result = all_strata(&mut search, strata, algorithm);
    let is_proved = result.is_ok();
    match (result, search.into_best()) {
        (Err(End::Broken(message)), _) => Outcome::Broken(message),
        (Err(End::NoModel), _) => Outcome::None,
        (_, None) => Outcome::Stopped,
        (_, Some((model, cost))) => Outcome::Found(Optimum { model, cost, is_proved }),
    }
}

/// One stratum after the other. That a stratum stays as good as it is, is assumed for those that follow.
fn all_strata(
    search: &mut Search<'_>,
    strata: &[Vec<Lit>],
    algorithm: Algorithm,
) -> Result<(), End> {
    // Any model, before the softs are looked at: to demand all of them may take long, and if the search is stopped
    // meanwhile, there is something to return.
    if let Answer::Unsat(_) = search.ask(&[])? {
        return Err(End::NoModel);
    }
    for (index, stratum) in strata.iter().enumerate() {
        let softs = Softs::new(search, index, stratum);
        let bound = one_stratum(search, softs, algorithm)?;
        search.fix(bound);
    }
    Ok(())
}

/// Optimizes a stratum. Returns literals that can be true together exactly if it is at its optimum.
fn one_stratum(
    search: &mut Search<'_>,
    softs: Softs,
    algorithm: Algorithm,
) -> Result<Vec<Lit>, End> {
    if search.excess(&softs) == 0 {
        return Ok(softs.lits);
    }
    match algorithm {
        Algorithm::CoreGuided => core_guided::optimize(search, &softs),
        Algorithm::Linear => linear::optimize(search, &softs),
    }
}
