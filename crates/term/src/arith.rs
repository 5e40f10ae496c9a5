//! Sums, negation, products.

use crate::value::{self, mask};
use crate::{Node, Term, Terms};

impl Terms {
    /// The sum of two terms.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        let width = self.width(a);
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if self.as_const(b) == Some(0) {
            return a;
        }
        if let Some(folded) = self.fold_constants(a, b, |x, y| value::add(width, x, y)) {
            return folded;
        }
        if let Some(folded) = self.nested(|t| t.add_rules(a, b)) {
            return folded;
        }
        self.intern(Node::Add(a, b), width)
    }

    fn add_rules(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        // Constants are moved outward: (x + 1) + (y + 2) is (x + y) + 3.
        let ((x, j), (y, k)) = (self.split_sum(a), self.split_sum(b));
        let b_is_constant = self.as_const(b).is_some();
        if j != 0 || (k != 0 && !b_is_constant) {
            let sum = if b_is_constant { x } else { self.add(x, y) };
            let constant = self.constant(width, value::add(width, j, k));
            return Some(self.add(sum, constant));
        }
        if b_is_constant {
            return None;
        }
        if a == b {
            return Some(self.shl_constant(a, 1));
        }
        self.cancel(a, b).or_else(|| self.cancel(b, a)).or_else(|| self.join_disjoint(a, b))
    }

    /// A term as a sum of a term and a constant. Of a constant, the term is itself and is not to
    /// be counted.
    fn split_sum(&self, term: Term) -> (Term, u128) {
        match self.node(term) {
            Node::Add(x, k) => match self.as_const(k) {
                Some(k) => (x, k),
                None => (term, 0),
            },
            Node::Const(k) => (term, k),
            _ => (term, 0),
        }
    }

    /// `x + -x`, `x + ¬x`, `(x + y) + -x`, `(-x + y) + x`.
    fn cancel(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        match self.node(b) {
            Node::Neg(x) if x == a => return Some(self.constant(width, 0)),
            Node::Not(x) if x == a => return Some(self.constant(width, mask(width))),
            _ => {}
        }
        let Node::Add(p, q) = self.node(a) else { return None };
        let opposite =
            |t: &Terms, x: Term, y: Term| t.node(x) == Node::Neg(y) || t.node(y) == Node::Neg(x);
        if opposite(self, p, b) {
            return Some(q);
        }
        opposite(self, q, b).then_some(p)
    }

    /// The difference of two terms.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.constant(self.width(a), 0);
        }
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// Negated in two's complement.
    pub fn neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        if let Some(bits) = self.as_const(a) {
            return self.constant(width, value::neg(width, bits));
        }
        if let Some(folded) = self.map_ite_of_constants(a, width, |x| value::neg(width, x)) {
            return folded;
        }
        let folded = self.nested(|t| t.neg_rules(a));
        folded.unwrap_or_else(|| self.intern(Node::Neg(a), width))
    }

    fn neg_rules(&mut self, a: Term) -> Option<Term> {
        let width = self.width(a);
        match self.node(a) {
            Node::Neg(x) => Some(x),
            // -¬x is x + 1.
            Node::Not(x) => {
                let one = self.constant(width, 1);
                Some(self.add(x, one))
            }
            Node::Add(x, k) if self.as_const(k).is_some() => {
                let minus_k = self.neg(k);
                let minus_x = self.neg(x);
                Some(self.add(minus_x, minus_k))
            }
            // -(x - y) is y - x.
            Node::Add(x, y) => match (self.node(x), self.node(y)) {
                (Node::Neg(x), _) => Some(self.sub(x, y)),
                (_, Node::Neg(y)) => Some(self.sub(y, x)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The product of two terms.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        let width = self.width(a);
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(folded) = self.fold_constants(a, b, |x, y| value::mul(width, x, y)) {
            return folded;
        }
        if let Some(folded) = self.nested(|t| t.mul_rules(a, b)) {
            return folded;
        }
        self.intern(Node::Mul(a, b), width)
    }

    fn mul_rules(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let Some(bits) = self.as_const(b) else { return self.mul_choice(a, b) };
        if bits == 0 {
            return Some(b);
        }
        if bits == 1 {
            return Some(a);
        }
        if bits == mask(width) {
            return Some(self.neg(a));
        }
        if bits.is_power_of_two() {
            return Some(self.shl_constant(a, bits.trailing_zeros() as u16));
        }
        match self.node(a) {
            Node::Mul(x, k) if self.as_const(k).is_some() => {
                let k = self.as_const(k)?;
                let both = self.constant(width, value::mul(width, k, bits));
                Some(self.mul(x, both))
            }
            Node::Add(x, k) if self.as_const(k).is_some() => {
                let k = self.as_const(k)?;
                let product = self.mul(x, b);
                let constant = self.constant(width, value::mul(width, k, bits));
                Some(self.add(product, constant))
            }
            Node::Neg(x) => {
                let minus = self.constant(width, value::neg(width, bits));
                Some(self.mul(x, minus))
            }
            _ => None,
        }
    }

    /// A product with a truth value as a number is a choice.
    fn mul_choice(&mut self, a: Term, b: Term) -> Option<Term> {
        for (choice, other) in [(a, b), (b, a)] {
            if let Some((c, 1, 0)) = self.as_ite_of_constants(choice) {
                let zero = self.constant(self.width(a), 0);
                return Some(self.ite(c, other, zero));
            }
        }
        None
    }
}
