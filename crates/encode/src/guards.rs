//! Which guards imply which, as far as their shape shows.

use std::collections::BTreeMap;
use std::rc::Rc;

use unravel_term::hash::FastMap;
use unravel_term::{Node, Term, Terms};

/// Most conjuncts that are looked at.
const MOST: usize = 256;

/// Most answers that are remembered.
const REMEMBERED: usize = 4_000_000;

/// A conjunct: a term, or its negation.
type Conjunct = (Term, bool);

/// Conjuncts of guards met before.
#[derive(Debug, Default)]
pub struct Conjuncts {
    known: BTreeMap<Term, Rc<Vec<Conjunct>>>,
    /// Whether the second follows from the first, as far as it was asked.
    follows: FastMap<(Conjunct, Conjunct), bool>,
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

    /// Whether `premise` has grown from `conclusion`, or has all its conjuncts.
    pub fn implies(&mut self, terms: &Terms, premise: Term, conclusion: Term) -> bool {
        if terms.is_true(conclusion) || self.has_grown(terms, premise, conclusion) {
            return true;
        }
        let (premise, conclusion) = (self.of(terms, premise), self.of(terms, conclusion));
        conclusion.iter().all(|term| premise.binary_search(term).is_ok())
    }

    /// Whether a guard has another as a conjunct, or has so in both of two paths that join. Guards
    /// grow from step to step, and those of a long loop have more conjuncts than can be compared
    /// one by one; but one question is mostly part of the next.
    fn has_grown(&mut self, terms: &Terms, premise: Term, conclusion: Term) -> bool {
        if self.follows.len() > REMEMBERED {
            self.follows.clear();
        }
        let goal = positive(terms, (conclusion, false));
        let start = positive(terms, (premise, false));
        // A stack of its own: guards are deep.
        let mut stack = vec![start];
        while let Some(&top) = stack.last() {
            match self.step(terms, top, goal) {
                Step::Known(follows) => {
                    self.follows.insert((top, goal), follows);
                    stack.pop();
                }
                Step::Needs(part) => stack.push(part),
            }
        }
        self.follows.get(&(start, goal)).copied().unwrap_or(false)
    }

    fn step(&self, terms: &Terms, from: Conjunct, goal: Conjunct) -> Step {
        let known = |part: Conjunct| self.follows.get(&(positive(terms, part), goal)).copied();
        if let Some(&follows) = self.follows.get(&(from, goal)) {
            return Step::Known(follows);
        }
        // Parts are older than wholes.
        if from.0 <= goal.0 {
            return Step::Known(from == goal);
        }
        let (parts, enough) = match (parts(terms, from), parts(terms, (from.0, !from.1))) {
            (Some(parts), _) => (parts, true),
            (None, Some([a, b])) => ([(a.0, !a.1), (b.0, !b.1)], false),
            (None, None) => return Step::Known(false),
        };
        // Of a conjunction one part is enough; of a disjunction one that fails.
        for part in parts {
            match known(part) {
                None => return Step::Needs(positive(terms, part)),
                Some(follows) if follows == enough => return Step::Known(enough),
                Some(_) => {}
            }
        }
        Step::Known(!enough)
    }
}

/// What is to be done for an answer.
enum Step {
    /// Nothing more.
    Known(bool),
    /// Ask this first.
    Needs(Conjunct),
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
    fn paths_that_join_imply_where_they_parted() {
        let mut terms = Terms::new();
        let vars: Vec<Term> = (0..6).map(|_| terms.var(1)).collect();
        let either = terms.or(vars[0], vars[1]);
        let parted = terms.not(either);
        let (here, there) = (terms.and(parted, vars[2]), terms.and(parted, vars[3]));
        let joined = terms.or(here, there);
        let later = terms.and(joined, vars[4]);
        let elsewhere = terms.and(vars[5], vars[2]);
        let apart = terms.or(later, elsewhere);
        let mut conjuncts = Conjuncts::default();
        assert!(conjuncts.implies(&terms, later, parted));
        assert!(conjuncts.implies(&terms, later, joined));
        assert!(!conjuncts.implies(&terms, later, here));
        assert!(!conjuncts.implies(&terms, apart, parted));
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
