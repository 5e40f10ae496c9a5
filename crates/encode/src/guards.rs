//! Which guards imply which, as far as their conjuncts show.

use std::collections::BTreeMap;
use std::rc::Rc;

use unravel_term::{Node, Term, Terms};

/// Most conjuncts that are looked at.
const MOST: usize = 256;

/// Conjuncts of guards met before.
#[derive(Debug, Default)]
pub struct Conjuncts {
    known: BTreeMap<Term, Rc<Vec<Term>>>,
}

impl Conjuncts {
    /// The conjuncts of a guard, sorted.
    pub fn of(&mut self, terms: &Terms, guard: Term) -> Rc<Vec<Term>> {
        if let Some(known) = self.known.get(&guard) {
            return known.clone();
        }
        let mut found = Vec::new();
        let mut work = vec![guard];
        while let Some(term) = work.pop() {
            match terms.node(term) {
                Node::And(a, b) if terms.width(term) == 1 && found.len() < MOST => {
                    work.extend([a, b]);
                }
                Node::Const(1) => {}
                _ => found.push(term),
            }
        }
        found.sort_unstable();
        found.dedup();
        let found = Rc::new(found);
        self.known.insert(guard, found.clone());
        found
    }

    /// Whether the conjuncts of `premise` include those of `conclusion`.
    pub fn implies(&mut self, terms: &Terms, premise: Term, conclusion: Term) -> bool {
        if premise == conclusion || terms.is_true(conclusion) {
            return true;
        }
        let (premise, conclusion) = (self.of(terms, premise), self.of(terms, conclusion));
        conclusion.iter().all(|term| premise.binary_search(term).is_ok())
    }
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
    }
}
