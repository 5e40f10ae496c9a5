//! Choice between two terms: what merged paths of a program leave behind.

use crate::{Node, Term, Terms};

impl Terms {
    /// `a` if `c` (of width 1) holds, else `b`.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b) && self.width(c) == 1);
        if a == b || self.is_true(c) {
            return a;
        }
        if self.is_false(c) {
            return b;
        }
        if let Node::Not(plain) = self.node(c) {
            return self.ite(plain, b, a);
        }
        let a = self.given(c, true, a);
        let b = self.given(c, false, b);
        if a == b {
            return a;
        }
        let folded = self.nested(|t| {
            let boolean = if t.width(a) == 1 { t.ite_boolean(c, a, b) } else { None };
            boolean.or_else(|| t.ite_merge(c, a, b))
        });
        folded.unwrap_or_else(|| self.intern(Node::Ite(c, a, b), self.width(a)))
    }

    /// A branch, where the condition is known.
    fn given(&self, c: Term, holds: bool, branch: Term) -> Term {
        match self.node(branch) {
            Node::Ite(d, a, b) if d == c => {
                if holds {
                    a
                } else {
                    b
                }
            }
            // c ∧ x where c holds, c ∨ x where it does not.
            Node::And(x, y) if holds && x == c => y,
            Node::And(x, y) if holds && y == c => x,
            Node::Or(x, y) if !holds && x == c => y,
            Node::Or(x, y) if !holds && y == c => x,
            _ => branch,
        }
    }

    /// A choice between truth values, as connectives.
    fn ite_boolean(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if self.is_true(a) || a == c {
            return Some(self.or(c, b));
        }
        if self.is_false(b) || b == c {
            return Some(self.and(c, a));
        }
        let not_c = self.not(c);
        if self.is_false(a) || a == not_c {
            return Some(self.and(not_c, b));
        }
        if self.is_true(b) || b == not_c {
            return Some(self.or(not_c, a));
        }
        match (self.node(a), self.node(b)) {
            (Node::Not(x), _) if x == b => Some(self.xor(c, b)),
            (_, Node::Not(y)) if y == a => {
                let differ = self.xor(c, a);
                Some(self.not(differ))
            }
            (Node::Not(x), Node::Not(y)) => {
                let plain = self.ite(c, x, y);
                Some(self.not(plain))
            }
            _ => None,
        }
    }

    /// A choice one of whose branches is a choice with a result in common.
    fn ite_merge(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        match (self.node(a), self.node(b)) {
            (_, Node::Ite(d, p, q)) if p == a => {
                let either = self.or(c, d);
                Some(self.ite(either, a, q))
            }
            (_, Node::Ite(d, p, q)) if q == a => {
                let not_d = self.not(d);
                let either = self.or(c, not_d);
                Some(self.ite(either, a, p))
            }
            (Node::Ite(d, p, q), _) if q == b => {
                let both = self.and(c, d);
                Some(self.ite(both, p, b))
            }
            (Node::Ite(d, p, q), _) if p == b => {
                let not_d = self.not(d);
                let both = self.and(c, not_d);
                Some(self.ite(both, q, b))
            }
            (Node::Ite(d, p, q), Node::Ite(e, r, s)) if d == e && p == r => {
                let rest = self.ite(c, q, s);
                Some(self.ite(d, p, rest))
            }
            (Node::Ite(d, p, q), Node::Ite(e, r, s)) if d == e && q == s => {
                let rest = self.ite(c, p, r);
                Some(self.ite(d, rest, q))
            }
            _ => None,
        }
    }
}
