//! Orders.

use crate::value::{mask, sext, sign_bit, signed};
use crate::{Node, Term, Terms};

/// As which numbers operands are compared.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Order {
    Unsigned,
    Signed,
}

impl Terms {
    /// Whether `a < b`, unsigned.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        let ((a0, a1), (b0, b1)) = (self.range(a), self.range(b));
        if a1 < b0 {
            return self.truth();
        }
        if a == b || a0 >= b1 {
            return self.falsity();
        }
        if self.width(a) == 1 {
            let not_a = self.not(a);
            return self.and(not_a, b);
        }
        if let Some(folded) = self.nested(|t| t.ult_rules(a, b)) {
            return folded;
        }
        self.intern(Node::Ult(a, b), 1)
    }

    fn ult_rules(&mut self, a: Term, b: Term) -> Option<Term> {
        // Where the bounds leave one value: x < 1 is x = 0.
        if let Some(bits) = self.as_const(b)
            && self.range(a).0 == bits - 1
        {
            let below = self.constant(self.width(a), bits - 1);
            return Some(self.eq(a, below));
        }
        if let Some(bits) = self.as_const(a) {
            let (low, high) = self.range(b);
            if high == bits + 1 {
                let above = self.constant(self.width(a), bits + 1);
                return Some(self.eq(b, above));
            }
            if low == bits {
                let equal = self.eq(a, b);
                return Some(self.not(equal));
            }
        }
        if let Some(bits) = self.as_const(b)
            && self.range(a).1 == bits
        {
            let equal = self.eq(a, b);
            return Some(self.not(equal));
        }
        match (self.node(a), self.node(b)) {
            (Node::Not(x), Node::Not(y)) => Some(self.ult(y, x)),
            (Node::ZeroExtend(x), Node::ZeroExtend(y)) if self.same_width(x, y) => {
                Some(self.ult(x, y))
            }
            (Node::SignExtend(x), Node::SignExtend(y)) if self.same_width(x, y) => {
                Some(self.ult(x, y))
            }
            // The bounds have settled constants that do not fit.
            (Node::ZeroExtend(x), Node::Const(_)) => {
                let y = self.extract(b, 0, self.width(x));
                Some(self.ult(x, y))
            }
            (Node::Const(_), Node::ZeroExtend(y)) => {
                let x = self.extract(a, 0, self.width(y));
                Some(self.ult(x, y))
            }
            _ => self.less_than_choice(Order::Unsigned, a, b),
        }
    }

    /// Whether `a < b`, signed.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        if a == b {
            return self.falsity();
        }
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.sign(a), self.sign(b)) {
            // Numbers of one sign are ordered as unsigned ones.
            return if x == y { self.ult(a, b) } else { self.boolean(x) };
        }
        if width == 1 {
            return self.ult(b, a);
        }
        if let Some(folded) = self.nested(|t| t.slt_rules(a, b)) {
            return folded;
        }
        self.intern(Node::Slt(a, b), 1)
    }

    /// Whether negative, if known.
    fn sign(&self, term: Term) -> Option<bool> {
        let (low, high) = self.range(term);
        let bit = sign_bit(self.width(term));
        if high < bit { Some(false) } else { (low >= bit).then_some(true) }
    }

    fn slt_rules(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let (x, y) = (self.as_const(a), self.as_const(b));
        let (least, greatest) = (sign_bit(width), sign_bit(width) - 1);
        if y == Some(0) {
            return Some(self.extract(a, width - 1, 1));
        }
        // -1 < b.
        if x == Some(mask(width)) {
            let negative = self.extract(b, width - 1, 1);
            return Some(self.not(negative));
        }
        if x == Some(greatest) || y == Some(least) {
            return Some(self.falsity());
        }
        if x == Some(least) || y == Some(greatest) {
            let equal = self.eq(a, b);
            return Some(self.not(equal));
        }
        match (self.node(a), self.node(b)) {
            (Node::Not(x), Node::Not(y)) => Some(self.slt(y, x)),
            (Node::SignExtend(x), Node::SignExtend(y)) if self.same_width(x, y) => {
                Some(self.slt(x, y))
            }
            (Node::SignExtend(x), Node::Const(bits)) => {
                Some(self.slt_extended(x, width, bits, false))
            }
            (Node::Const(bits), Node::SignExtend(y)) => {
                Some(self.slt_extended(y, width, bits, true))
            }
            _ => self.less_than_choice(Order::Signed, a, b),
        }
    }

    /// A sign-extended term against a constant: before the extension if the constant fits there.
    fn slt_extended(&mut self, inner: Term, width: u16, bits: u128, constant_first: bool) -> Term {
        let from = self.width(inner);
        let small = self.constant(from, bits);
        if sext(from, width, bits & mask(from)) != bits {
            // Beyond the narrower type on one side: greater than all, or less than all.
            let beyond = signed(width, bits) > 0;
            return self.boolean(beyond != constant_first);
        }
        if constant_first { self.slt(small, inner) } else { self.slt(inner, small) }
    }

    fn less_than(&mut self, order: Order, a: Term, b: Term) -> Term {
        match order {
            Order::Unsigned => self.ult(a, b),
            Order::Signed => self.slt(a, b),
        }
    }

    /// A choice with a constant branch compared with a constant is a choice of comparisons, one
    /// of them settled.
    fn less_than_choice(&mut self, order: Order, a: Term, b: Term) -> Option<Term> {
        let has_constant =
            |t: &Terms, p: Term, q: Term| t.as_const(p).is_some() || t.as_const(q).is_some();
        match (self.node(a), self.node(b)) {
            (Node::Ite(c, p, q), Node::Const(_)) if has_constant(self, p, q) => {
                let yes = self.less_than(order, p, b);
                let no = self.less_than(order, q, b);
                Some(self.ite(c, yes, no))
            }
            (Node::Const(_), Node::Ite(c, p, q)) if has_constant(self, p, q) => {
                let yes = self.less_than(order, a, p);
                let no = self.less_than(order, a, q);
                Some(self.ite(c, yes, no))
            }
            (Node::Ite(c, p, q), Node::Ite(d, r, s)) if c == d && (p == r || q == s) => {
                let yes = self.less_than(order, p, r);
                let no = self.less_than(order, q, s);
                Some(self.ite(c, yes, no))
            }
            _ => None,
        }
    }

    /// Whether `a ≤ b`, unsigned.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Whether `a > b`, unsigned.
    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    /// Whether `a ≥ b`, unsigned.
    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    /// Whether `a ≤ b`, signed.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// Whether `a > b`, signed.
    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    /// Whether `a ≥ b`, signed.
    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }
}
