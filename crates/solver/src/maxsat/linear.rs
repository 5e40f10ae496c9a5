//! From above: demand a better model until there is none.
//!
//! Solution-improving search, as in MiniSat+ (Eén & Sörensson, 2006) and QMaxSAT (Koshimura et al., 2012): one totalizer
//! over all softs of the stratum, and the bound goes down from what the best model has. One call per improvement and a
//! last one for the proof. The totalizer has O(n·k) clauses if the first model misses `k` of `n`.

use super::search::{Answer, End, Search, broken};
use super::softs::Softs;
use super::totalizer::Totalizer;
use crate::lit::Lit;

/// Optimizes a stratum. Returns its bound.
pub(super) fn optimize(search: &mut Search<'_>, softs: &Softs) -> Result<Vec<Lit>, End> {
    // Often nothing has to be given up. If that is hard to see, smaller steps may be easier.
    let least = match search.probe(&softs.lits)? {
        Some(Answer::Sat) => return Ok(softs.lits.clone()),
        Some(Answer::Unsat(_)) => 1,
        None => 0,
    };
    let mut totalizer = Totalizer::new(softs.lits.iter().map(|&lit| !lit));
    let mut at_least = |search: &mut Search<'_>, count: u64| {
        totalizer.at_least(search.solver, usize::try_from(count).unwrap_or(usize::MAX))
    };
    while search.excess(softs) > least {
        let missed = search.excess(softs);
        let too_many =
            at_least(search, missed).ok_or_else(|| broken("more missed than there are"))?;
        match search.ask(&[!too_many])? {
            Answer::Unsat(_) => break,
            Answer::Sat if search.excess(softs) < missed => {}
            Answer::Sat => return Err(broken("a better model is not better")),
        }
    }
    let missed = search.excess(softs);
    if missed < least {
        return Err(broken("a model has what was excluded"));
    }
    Ok(at_least(search, missed + 1).map(|too_many| !too_many).into_iter().collect())
}
