//! The soft literals of a stratum that need a search.

use super::search::Search;
use crate::lit::{ClauseSink, Lit};
use std::collections::{BTreeMap, BTreeSet};

/// A stratum, without what is certain.
pub(super) struct Softs {
    /// Which stratum.
    pub(super) stratum: usize,
    /// The literals, all of different variables; none is assumed anyway.
    pub(super) lits: Vec<Lit>,
    /// How many are false in every model: constants, and one of each two opposites.
    pub(super) certain: u64,
}

impl Softs {
    /// Leaves out literals that are constant or already assumed, and pairs of opposites. Of literals that are left
    /// more than once, all but the first are replaced by new ones that imply them; then each failed assumption costs
    /// one, and the algorithms need no weights.
    pub(super) fn new(search: &mut Search<'_>, stratum: usize, lits: &[Lit]) -> Softs {
        let mut known: BTreeSet<Lit> = search.fixed().iter().copied().collect();
        known.insert(search.solver.truth());
        let mut counts: BTreeMap<Lit, u64> = BTreeMap::new();
        for &lit in lits.iter().filter(|lit| !known.contains(lit)) {
            *counts.entry(lit).or_default() += 1;
        }
        let mut softs = Softs { stratum, lits: Vec::new(), certain: 0 };
        for &lit in lits {
            let Some(count) = counts.remove(&lit) else { continue };
            let opposite = if known.contains(&!lit) { count } else { take(&mut counts, !lit) };
            softs.certain += count.min(opposite);
            if count >= opposite {
                softs.add(search, lit, count - opposite);
            } else {
                softs.add(search, !lit, opposite - count);
            }
        }
        softs
    }

    fn add(&mut self, search: &mut Search<'_>, lit: Lit, count: u64) {
        for nth in 0..count {
            let copy = if nth == 0 { lit } else { search.solver.new_lit() };
            if nth > 0 {
                search.solver.clause(&[!copy, lit]);
            }
            self.lits.push(copy);
        }
    }
}

fn take(counts: &mut BTreeMap<Lit, u64>, lit: Lit) -> u64 {
    counts.remove(&lit).unwrap_or(0)
}
