//! Exclusive or.

use crate::value::mask;
use crate::{Node, Term, Terms};

impl Terms {
    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.constant(width, 0);
        }
        if let Some(folded) = self.fold_constants(a, b, |x, y| x ^ y) {
            return folded;
        }
        let (x, y) = (self.literal(a), self.literal(b));
        if x.term == y.term {
            return self.constant(width, mask(width));
        }
        if let Some(bits) = self.as_const(b) {
            return self.xor_constant(a, bits, b);
        }
        if x.negated || y.negated {
            let plain = self.xor(x.term, y.term);
            return if x.negated == y.negated { plain } else { self.not(plain) };
        }
        if let Some(term) = self.cancel_xor(a, b).or_else(|| self.cancel_xor(b, a)) {
            return term;
        }
        if let Some(joined) = self.nested(|t| t.join_disjoint(a, b)) {
            return joined;
        }
        self.intern(Node::Xor(a, b), width)
    }

    fn xor_constant(&mut self, a: Term, bits: u128, constant: Term) -> Term {
        let width = self.width(a);
        if bits == 0 {
            return a;
        }
        if bits == mask(width) {
            return self.not(a);
        }
        match self.node(a) {
            Node::Xor(x, k) if self.as_const(k).is_some() => {
                let both = self.as_const(k).unwrap_or(0) ^ bits;
                let both = self.constant(width, both);
                self.xor(x, both)
            }
            Node::Not(x) => {
                let flipped = self.constant(width, !bits);
                self.xor(x, flipped)
            }
            _ => self.intern(Node::Xor(a, constant), width),
        }
    }

    /// `(x ^ y) ^ x` is `y`.
    fn cancel_xor(&self, a: Term, b: Term) -> Option<Term> {
        match self.node(a) {
            Node::Xor(x, y) if x == b => Some(y),
            Node::Xor(x, y) if y == b => Some(x),
            _ => None,
        }
    }
}
