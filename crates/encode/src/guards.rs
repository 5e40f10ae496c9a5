//! Which guards imply which, as far as their conjuncts show.

use std::collections::BTreeMap;
use std::rc::Rc;

use unravel_term::{Node, Term, Terms};

/// Most conjuncts that are looked at.
const MOST: usize = 256;

/// Most conjunctions that are looked through for a whole guard.
const DEEPEST: usize = 8192;

/// A conjunct: a term, or its negation.
type Conjunct = (Term, bool);

/// Conjuncts of guards met before.
#[derive(Debug, Default)]
pub struct Conjuncts {
    known: BTreeMap<Term, Rc<Vec<Conjunct>>>,
}

impl Conjuncts {
    /// The conjuncts of a guard, sorted.
    fn of(&mut self, terms: &Terms, guard: Term) -> Rc<Vec<Conjunct>> {
        if let Some(known) = self.known.get(&guard) {
            return known.clone();
        }
        let mut found = Vec::new();
        let mut work = vec![(guard, false)];
        while let Some(conjunct) = work.pop() {
            let conjunct = positive(terms, conjunct);
            match parts(terms, conjunct) {
                Some(parts) if found.len() < MOST => work.extend(parts),
                _ => found.push(conjunct),
            }
        }
        found.retain(|&(term, negated)| negated || !terms.is_true(term));
        found.sort_unstable();
        found.dedup();
        let found = Rc::new(found);
        self.known.insert(guard, found.clone());
        found
    }

    /// Whether the conjuncts of `premise` include those of `conclusion`, or it as a whole.
    pub fn implies(&mut self, terms: &Terms, premise: Term, conclusion: Term) -> bool {
        if terms.is_true(conclusion) || is_part(terms, premise, conclusion) {
            return true;
        }
        let (premise, conclusion) = (self.of(terms, premise), self.of(terms, conclusion));
        conclusion.iter().all(|term| premise.binary_search(term).is_ok())
    }
}

/// The same without a negation on top of the term.
fn positive(terms: &Terms, (term, negated): Conjunct) -> Conjunct {
    match terms.node(term) {
        Node::Not(inner) => (inner, !negated),
        _ => (term, negated),
    }
}

/// The two conjuncts that one is made of: `¬(a ∨ b)` is `¬a ∧ ¬b`.
fn parts(terms: &Terms, (term, negated): Conjunct) -> Option<[Conjunct; 2]> {
    match (terms.node(term), negated) {
        (Node::And(a, b), false) | (Node::Or(a, b), true) => Some([(a, negated), (b, negated)]),
        _ => None,
    }
}

/// Whether a guard is a conjunct of another: guards of one path grow step by step, and those of a
/// long loop have more conjuncts than can be compared one by one.
fn is_part(terms: &Terms, whole: Term, part: Term) -> bool {
    let part = positive(terms, (part, false));
    let mut work = vec![(whole, false)];
    let mut looks = 0;
    while let Some(conjunct) = work.pop() {
        let conjunct = positive(terms, conjunct);
        if conjunct == part {
            return true;
        }
        looks += 1;
        // Parts are older than wholes.
        if conjunct.0 > part.0 && looks < DEEPEST {
            work.extend(parts(terms, conjunct).into_iter().flatten());
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_conjuncts_imply_fewer() {
        let mut terms = Terms::new();
        let (a, b, c) = (terms.var(1), terms.var(1), terms.var(1));
        let two = terms.and(a, b);
        let three = terms.and(two, c);
        let truth = terms.truth();
        let mut conjuncts = Conjuncts::default();
        assert!(conjuncts.implies(&terms, three, two));
        assert!(conjuncts.implies(&terms, three, c));
        assert!(conjuncts.implies(&terms, a, truth));
        assert!(!conjuncts.implies(&terms, two, three));
        let either = terms.or(a, b);
        assert!(!conjuncts.implies(&terms, either, a));
        let (neither, not_a) = (terms.not(either), terms.not(a));
        assert!(conjuncts.implies(&terms, neither, not_a));
        let no_three = terms.and(neither, c);
        assert!(conjuncts.implies(&terms, no_three, neither));
        assert!(!conjuncts.implies(&terms, not_a, neither));
    }

    #[test]
    fn long_paths_imply_their_beginnings() {
        let mut terms = Terms::new();
        let mut guards = vec![terms.truth()];
        for at in 0..2000 {
            let next = terms.var(1);
            let guard = terms.and(guards[at], next);
            guards.push(guard);
        }
        let mut conjuncts = Conjuncts::default();
        assert!(conjuncts.implies(&terms, guards[2000], guards[700]));
        assert!(!conjuncts.implies(&terms, guards[700], guards[2000]));
    }
}
