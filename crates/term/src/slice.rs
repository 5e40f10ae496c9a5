//! Taking terms apart and putting them together.

use crate::value::{self, mask};
use crate::{Node, Term, Terms};

impl Terms {
    /// `width` bits of a term, beginning with bit `low`.
    pub fn extract(&mut self, term: Term, low: u16, width: u16) -> Term {
        debug_assert!(width >= 1 && low + width <= self.width(term));
        if low == 0 && width == self.width(term) {
            return term;
        }
        if let Some(bits) = self.as_const(term) {
            return self.constant(width, value::extract(bits, low, width));
        }
        if let Some(folded) = self.nested(|t| t.extract_rules(term, low, width)) {
            return folded;
        }
        self.intern(Node::Extract { of: term, low }, width)
    }

    fn extract_rules(&mut self, term: Term, low: u16, width: u16) -> Option<Term> {
        match self.node(term) {
            Node::Extract { of, low: inner } => Some(self.extract(of, inner + low, width)),
            Node::Concat { high, low: lower } => self.extract_concat(high, lower, low, width),
            Node::ZeroExtend(inner) => {
                let kept = self.width(inner);
                if low >= kept {
                    return Some(self.constant(width, 0));
                }
                let part = self.extract(inner, low, width.min(kept - low));
                Some(self.zext(part, width))
            }
            Node::SignExtend(inner) => {
                // Copies of the sign alone are the extended sign bit.
                let kept = self.width(inner);
                let low = low.min(kept - 1);
                let part = self.extract(inner, low, width.min(kept - low));
                Some(self.sext(part, width))
            }
            Node::Ite(c, a, b) if self.as_const(a).is_some() || self.as_const(b).is_some() => {
                let a = self.extract(a, low, width);
                let b = self.extract(b, low, width);
                Some(self.ite(c, a, b))
            }
            // The lower bits of a sum do not depend on the upper bits of its operands.
            Node::Add(a, b) if low == 0 && self.as_const(b).is_some() => {
                let a = self.extract(a, 0, width);
                let b = self.extract(b, 0, width);
                Some(self.add(a, b))
            }
            Node::And(a, b) if self.as_const(b).is_some() => {
                let a = self.extract(a, low, width);
                let b = self.extract(b, low, width);
                Some(self.and(a, b))
            }
            Node::Or(a, b) if self.as_const(b).is_some() => {
                let a = self.extract(a, low, width);
                let b = self.extract(b, low, width);
                Some(self.or(a, b))
            }
            Node::Xor(a, b) if self.as_const(b).is_some() => {
                let a = self.extract(a, low, width);
                let b = self.extract(b, low, width);
                Some(self.xor(a, b))
            }
            Node::Not(a) => {
                let a = self.extract(a, low, width);
                Some(self.not(a))
            }
            _ => None,
        }
    }

    fn extract_concat(&mut self, high: Term, lower: Term, low: u16, width: u16) -> Option<Term> {
        let middle = self.width(lower);
        if low + width <= middle {
            return Some(self.extract(lower, low, width));
        }
        if low >= middle {
            return Some(self.extract(high, low - middle, width));
        }
        let upper = self.extract(high, 0, low + width - middle);
        let lower = self.extract(lower, low, middle - low);
        Some(self.concat(upper, lower))
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        debug_assert!(width <= crate::MAX_WIDTH);
        if let Some(folded) = self.nested(|t| t.concat_rules(high, low, width)) {
            return folded;
        }
        self.intern(Node::Concat { high, low }, width)
    }

    fn concat_rules(&mut self, high: Term, low: Term, width: u16) -> Option<Term> {
        let low_width = self.width(low);
        match (self.as_const(high), self.as_const(low)) {
            (Some(upper), Some(lower)) => {
                return Some(self.constant(width, value::concat(upper, lower, low_width)));
            }
            (Some(0), None) => return Some(self.zext(low, width)),
            (Some(upper), None) if self.as_ite_of_constants(low).is_some() => {
                let join = |lower| value::concat(upper, lower, low_width);
                return self.map_ite_of_constants(low, width, join);
            }
            (None, Some(lower)) if self.as_ite_of_constants(high).is_some() => {
                let join = |upper| value::concat(upper, lower, low_width);
                return self.map_ite_of_constants(high, width, join);
            }
            _ => {}
        }
        if let Some(whole) = self.adjacent(high, low) {
            return Some(whole);
        }
        match (self.node(high), self.node(low)) {
            // Concatenations lean to the left, so that neighbours meet.
            (_, Node::Concat { high: upper, low: lower }) => {
                let upper = self.concat(high, upper);
                Some(self.concat(upper, lower))
            }
            (Node::Concat { high: upper, low: middle }, _) => {
                let joined = self.adjacent(middle, low)?;
                Some(self.concat(upper, joined))
            }
            (Node::ZeroExtend(inner), _) => {
                let joined = self.concat(inner, low);
                Some(self.zext(joined, width))
            }
            (Node::Ite(c, a, b), Node::Ite(d, p, q)) if c == d => {
                self.concat_ites(c, (a, b), (p, q))
            }
            _ => None,
        }
    }

    /// Two neighbouring slices of one term, or two constants, as one.
    fn adjacent(&mut self, high: Term, low: Term) -> Option<Term> {
        let width = self.width(high) + self.width(low);
        match (self.node(high), self.node(low)) {
            (Node::Extract { of: a, low: upper }, Node::Extract { of: b, low: lower })
                if a == b && upper == lower + self.width(low) =>
            {
                Some(self.extract(a, lower, width))
            }
            (Node::Const(upper), Node::Const(lower)) => {
                let low_width = self.width(low);
                Some(self.constant(width, value::concat(upper, lower, low_width)))
            }
            _ => None,
        }
    }

    /// A choice made piece by piece is one choice, where pieces of one branch fit together.
    fn concat_ites(&mut self, c: Term, (a, b): (Term, Term), (p, q): (Term, Term)) -> Option<Term> {
        let (yes, no) = (self.adjacent(a, p), self.adjacent(b, q));
        if yes.is_none() && no.is_none() {
            return None;
        }
        let yes = yes.unwrap_or_else(|| self.concat(a, p));
        let no = no.unwrap_or_else(|| self.concat(b, q));
        Some(self.ite(c, yes, no))
    }

    /// Zeros above, up to `width`.
    pub fn zext(&mut self, term: Term, width: u16) -> Term {
        debug_assert!(width >= self.width(term) && width <= crate::MAX_WIDTH);
        if width == self.width(term) {
            return term;
        }
        if let Some(folded) = self.extend_constants(term, width, |x| x) {
            return folded;
        }
        match self.node(term) {
            Node::ZeroExtend(inner) => self.zext(inner, width),
            _ => self.intern(Node::ZeroExtend(term), width),
        }
    }

    /// Copies of the sign above, up to `width`.
    pub fn sext(&mut self, term: Term, width: u16) -> Term {
        debug_assert!(width >= self.width(term) && width <= crate::MAX_WIDTH);
        let from = self.width(term);
        if width == from {
            return term;
        }
        if let Some(folded) = self.extend_constants(term, width, |x| value::sext(from, width, x)) {
            return folded;
        }
        if self.is_non_negative(term) {
            return self.zext(term, width);
        }
        match self.node(term) {
            Node::SignExtend(inner) => self.sext(inner, width),
            _ => self.intern(Node::SignExtend(term), width),
        }
    }

    /// An extension of a constant, of a choice between two, or of a truth value (which is one).
    fn extend_constants(
        &mut self,
        term: Term,
        width: u16,
        extend: impl Fn(u128) -> u128,
    ) -> Option<Term> {
        if let Some(bits) = self.as_const(term) {
            return Some(self.constant(width, extend(bits)));
        }
        if self.width(term) == 1 {
            let one = self.constant(width, extend(1));
            let zero = self.constant(width, 0);
            return Some(self.ite(term, one, zero));
        }
        self.map_ite_of_constants(term, width, extend)
    }

    /// Truncated or zero-extended.
    pub fn resize_zext(&mut self, term: Term, width: u16) -> Term {
        if width <= self.width(term) {
            self.extract(term, 0, width)
        } else {
            self.zext(term, width)
        }
    }

    /// Truncated or sign-extended.
    pub fn resize_sext(&mut self, term: Term, width: u16) -> Term {
        if width <= self.width(term) {
            self.extract(term, 0, width)
        } else {
            self.sext(term, width)
        }
    }

    /// `term & bits`, where the bits are one run of ones, as a slice between zeros.
    pub(crate) fn mask_run(&mut self, term: Term, bits: u128) -> Option<Term> {
        let low = bits.trailing_zeros() as u16;
        let run = (bits >> low).trailing_ones() as u16;
        if bits != mask(run) << low {
            return None;
        }
        let part = self.extract(term, low, run);
        Some(self.zeros_around(part, low, self.width(term)))
    }

    /// `part << low`, of this width.
    pub(crate) fn zeros_around(&mut self, part: Term, low: u16, width: u16) -> Term {
        let shifted = if low == 0 {
            part
        } else {
            let zeros = self.constant(low, 0);
            self.concat(part, zeros)
        };
        self.zext(shifted, width)
    }

    /// `(h << k) | l` where `l` has no bits from `k` on: a number put together from parts.
    pub(crate) fn join_disjoint(&mut self, a: Term, b: Term) -> Option<Term> {
        self.join_into(a, b).or_else(|| self.join_into(b, a))
    }

    fn join_into(&mut self, upper: Term, lower: Term) -> Option<Term> {
        let width = self.width(upper);
        let (inside, base) = match self.node(upper) {
            Node::ZeroExtend(inner) => (inner, self.node(inner)),
            node => (upper, node),
        };
        let Node::Concat { high, low } = base else { return None };
        let room = self.width(low);
        if self.as_const(low) != Some(0) || self.range(lower).1 > mask(room) {
            return None;
        }
        debug_assert!(self.width(inside) <= width);
        let low = self.extract(lower, 0, room);
        let joined = self.concat(high, low);
        Some(self.zext(joined, width))
    }
}
