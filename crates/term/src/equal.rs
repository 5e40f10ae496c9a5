//! Equality.

use crate::value::{self, mask};
use crate::{Node, Term, Terms};

impl Terms {
    /// Whether both are equal.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        if a == b {
            return self.truth();
        }
        if self.width(a) == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        let ((a0, a1), (b0, b1)) = (self.range(a), self.range(b));
        if a1 < b0 || b1 < a0 {
            return self.falsity();
        }
        let (a, b) = self.ordered(a, b);
        let folded = self.nested(|t| match t.as_const(b) {
            Some(bits) => t.eq_constant(a, b, bits),
            None => t.eq_rules(a, b),
        });
        folded.unwrap_or_else(|| self.intern(Node::Eq(a, b), 1))
    }

    /// Whether they differ.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `a = constant`, solved for a part of `a` where that is possible.
    fn eq_constant(&mut self, a: Term, constant: Term, bits: u128) -> Option<Term> {
        let width = self.width(a);
        let (part, solved) = match self.node(a) {
            Node::Ite(c, p, q) => return self.eq_choice(c, p, q, constant),
            Node::Concat { high, low } => return Some(self.eq_concat(high, low, constant)),
            Node::Not(x) => (x, !bits),
            Node::Neg(x) => (x, value::neg(width, bits)),
            Node::Add(x, k) => (x, value::add(width, bits, value::neg(width, self.as_const(k)?))),
            Node::Xor(x, k) => (x, self.as_const(k)? ^ bits),
            // The bounds have settled constants that do not fit.
            Node::ZeroExtend(x) => (x, bits),
            Node::SignExtend(x) => {
                let from = self.width(x);
                if value::sext(from, width, bits & mask(from)) != bits {
                    return Some(self.falsity());
                }
                (x, bits)
            }
            Node::And(_, k) => {
                let outside = bits & !self.as_const(k)?;
                return (outside != 0).then(|| self.falsity());
            }
            Node::Or(_, k) => {
                let missing = self.as_const(k)? & !bits;
                return (missing != 0).then(|| self.falsity());
            }
            _ => return None,
        };
        let solved = self.constant(self.width(part), solved);
        Some(self.eq(part, solved))
    }

    /// A choice one of whose branches is a constant, or the other side itself.
    fn eq_choice(&mut self, c: Term, p: Term, q: Term, other: Term) -> Option<Term> {
        let settled = |t: &Terms, branch: Term| {
            branch == other || (t.as_const(branch).is_some() && t.as_const(other).is_some())
        };
        if !settled(self, p) && !settled(self, q) {
            return None;
        }
        let yes = self.eq(p, other);
        let no = self.eq(q, other);
        Some(self.ite(c, yes, no))
    }

    fn eq_concat(&mut self, high: Term, low: Term, other: Term) -> Term {
        let (middle, upper) = (self.width(low), self.width(high));
        let other_low = self.extract(other, 0, middle);
        let other_high = self.extract(other, middle, upper);
        let low = self.eq(low, other_low);
        if self.is_false(low) {
            return low;
        }
        let high = self.eq(high, other_high);
        self.and(high, low)
    }

    fn eq_rules(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.node(a), self.node(b)) {
            (Node::Not(x), Node::Not(y)) | (Node::Neg(x), Node::Neg(y)) => Some(self.eq(x, y)),
            (Node::Not(x), _) if x == b => Some(self.falsity()),
            (_, Node::Not(y)) if y == a => Some(self.falsity()),
            (Node::ZeroExtend(x), Node::ZeroExtend(y))
            | (Node::SignExtend(x), Node::SignExtend(y))
                if self.same_width(x, y) =>
            {
                Some(self.eq(x, y))
            }
            (Node::Concat { high, low }, Node::Concat { low: other, .. })
                if self.same_width(low, other) =>
            {
                Some(self.eq_concat(high, low, b))
            }
            (Node::Ite(c, p, q), Node::Ite(d, r, s)) if c == d && (p == r || q == s) => {
                let yes = self.eq(p, r);
                let no = self.eq(q, s);
                Some(self.ite(c, yes, no))
            }
            _ => self.eq_sum(a, b).or_else(|| self.eq_sum(b, a)).or_else(|| self.eq_branch(a, b)),
        }
    }

    /// `ite(c, x, y) = x` is `c ∨ y = x`.
    fn eq_branch(&mut self, a: Term, b: Term) -> Option<Term> {
        for (choice, other) in [(a, b), (b, a)] {
            if let Node::Ite(c, p, q) = self.node(choice)
                && (p == other || q == other)
            {
                return self.eq_choice(c, p, q, other);
            }
        }
        None
    }

    /// `x + y = x` is `y = 0`; `x + y = x + z` is `y = z`.
    fn eq_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        let Node::Add(x, y) = self.node(a) else { return None };
        let zero = self.constant(self.width(a), 0);
        if x == b {
            return Some(self.eq(y, zero));
        }
        if y == b {
            return Some(self.eq(x, zero));
        }
        let Node::Add(p, q) = self.node(b) else { return None };
        if x == p {
            Some(self.eq(y, q))
        } else if y == q {
            Some(self.eq(x, p))
        } else if x == q {
            Some(self.eq(y, p))
        } else if y == p {
            Some(self.eq(x, q))
        } else {
            None
        }
    }
}
