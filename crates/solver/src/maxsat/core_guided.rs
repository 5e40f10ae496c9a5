//! From below: give up softs only where a core forces it.
//!
//! OLL (Andres, Kaufmann, Matheis & Schaub, ICLP 2012; for MaxSAT Morgado, Dodaro & Marques-Silva, CP 2014). All softs
//! are assumed. If that fails, the failed assumptions are a core: at least one of them is false. The core is no longer
//! assumed; instead a totalizer counts how many of its members are false, and "not two" is assumed. If that fails in
//! turn, at least two are false, and "not three" is assumed, and so on. When a model is found, it misses exactly as many
//! softs as there were cores, and no model can miss fewer.
//!
//! What has turned out to matter, from RC2 (Ignatiev, Morgado & Marques-Silva, JSAT 2019) and before:
//!
//! - Cores are made small, by a few more calls. Small cores mean small totalizers, and bounds that say more. This is
//!   limited, since it only helps: [`TRIMS`] and [`DELETIONS`] calls per core, none of them long ([`Search::probe`]).
//! - The new assumptions wait until the others have a model. So cores are disjoint at first, and there are models on the
//!   way: upper bounds. If the two bounds meet, that is the end.
//!
//! Core exhaustion, which raises the bound of a new core while it fails by itself, is left out: of a core that cannot be
//! made smaller one member is enough, so that it would be a call for nothing.

use super::search::{Answer, End, Search, broken};
use super::softs::Softs;
use super::totalizer::Totalizer;
use crate::lit::Lit;
use std::collections::BTreeMap;

/// How often a core is solved again to see whether less of it fails.
const TRIMS: usize = 3;
/// How many members of a core are tried one by one.
const DELETIONS: usize = 50;

/// Optimizes a stratum. Returns its bound: what is assumed in the end. Each model with the stratum at its optimum satisfies
/// that, if the outputs of totalizers are no more often true than they must be.
pub(super) fn optimize(search: &mut Search<'_>, softs: &Softs) -> Result<Vec<Lit>, End> {
    let assumed = softs.lits.iter().map(|&lit| (lit, None)).collect();
    let mut oll = Oll { softs, assumed, waiting: Vec::new(), totalizers: Vec::new(), missed: 0 };
    while let Some(mut core) = oll.next_core(search)? {
        minimize(search, &mut core)?;
        oll.relax(search, &core);
    }
    Ok(oll.bound())
}

/// An output of a totalizer: at least `count` are true.
#[derive(Clone, Copy)]
struct Output {
    totalizer: usize,
    count: usize,
}

struct Oll<'a> {
    softs: &'a Softs,
    /// What is assumed: softs, and negated outputs of totalizers.
    assumed: BTreeMap<Lit, Option<Output>>,
    /// What will be assumed when the rest has a model.
    waiting: Vec<(Lit, Output)>,
    totalizers: Vec<Totalizer>,
    /// How many softs are false in each model: the lower bound.
    missed: u64,
}

impl Oll<'_> {
    /// Whether the best model misses no more than each model must.
    fn is_optimal(&self, search: &Search<'_>) -> bool {
        search.excess(self.softs) <= self.missed
    }

    /// Asks for a core. `None`: the best model is optimal.
    fn next_core(&mut self, search: &mut Search<'_>) -> Result<Option<Vec<Lit>>, End> {
        while !self.is_optimal(search) {
            let assumptions: Vec<Lit> = self.assumed.keys().copied().collect();
            match search.ask(&assumptions)? {
                Answer::Unsat(core) => return Ok(Some(core)),
                Answer::Sat if self.is_optimal(search) => {}
                Answer::Sat if self.waiting.is_empty() => {
                    return Err(broken("a model misses more than was given up"));
                }
                Answer::Sat => {
                    let waiting = self.waiting.drain(..);
                    self.assumed.extend(waiting.map(|(lit, output)| (lit, Some(output))));
                }
            }
        }
        match search.excess(self.softs) < self.missed {
            true => Err(broken("a model misses less than was given up")),
            false => Ok(None),
        }
    }

    /// Gives up one member of a core, whichever.
    fn relax(&mut self, search: &mut Search<'_>, core: &[Lit]) {
        self.missed += 1;
        for member in core {
            if let Some(Some(Output { totalizer, count })) = self.assumed.remove(member) {
                self.wait(search, totalizer, count + 1);
            }
        }
        if core.len() > 1 {
            self.totalizers.push(Totalizer::new(core.iter().map(|&lit| !lit)));
            self.wait(search, self.totalizers.len() - 1, 2);
        }
    }

    fn wait(&mut self, search: &mut Search<'_>, totalizer: usize, count: usize) {
        let output = self.totalizers[totalizer].at_least(search.solver, count);
        // If there is none, all of that core are false; nothing is left to give up.
        self.waiting.extend(output.map(|lit| (!lit, Output { totalizer, count })));
    }

    fn bound(self) -> Vec<Lit> {
        let waiting = self.waiting.into_iter().map(|(lit, _)| lit);
        self.assumed.into_keys().chain(waiting).collect()
    }
}

/// Makes a core smaller.
fn minimize(search: &mut Search<'_>, core: &mut Vec<Lit>) -> Result<(), End> {
    trim(search, core)?;
    let mut calls = 0;
    for member in core.clone() {
        if core.len() <= 1 || calls == DELETIONS {
            break;
        }
        if core.contains(&member) {
            calls += 1;
            let rest: Vec<Lit> = core.iter().copied().filter(|&lit| lit != member).collect();
            if let Some(Answer::Unsat(smaller)) = search.probe(&rest)? {
                *core = smaller;
            }
        }
    }
    match core.is_empty() {
        true => Err(broken("nothing fails, but there is no model")),
        false => Ok(()),
    }
}

/// Solves a core again, in other orders, while less and less of it fails.
fn trim(search: &mut Search<'_>, core: &mut Vec<Lit>) -> Result<(), End> {
    for round in 0..TRIMS {
        let size = core.len();
        if size <= 1 {
            break;
        }
        core.reverse();
        core.rotate_left(round * size / TRIMS);
        match search.probe(core)? {
            Some(Answer::Unsat(smaller)) => *core = smaller,
            Some(Answer::Sat) => return Err(broken("a core has a model")),
            None => break,
        }
        if core.len() == size {
            break;
        }
    }
    Ok(())
}
