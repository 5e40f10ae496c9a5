//! Quotients and remainders.

use crate::value::{self, mask, sign_bit};
use crate::{Node, Term, Terms};

impl Terms {
    /// Unsigned quotient; all bits set if `b` is 0.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        let width = self.width(a);
        if let Some(folded) = self.fold_constants(a, b, |x, y| value::udiv(width, x, y)) {
            return folded;
        }
        if self.range(a).1 < self.range(b).0 {
            return self.constant(width, 0);
        }
        match self.as_const(b) {
            Some(0) => self.constant(width, mask(width)),
            Some(bits) if bits.is_power_of_two() => {
                let by = self.constant(width, u128::from(bits.trailing_zeros()));
                self.lshr(a, by)
            }
            _ => self.intern(Node::Udiv(a, b), width),
        }
    }

    /// Unsigned remainder; `a` if `b` is 0.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        let width = self.width(a);
        if let Some(folded) = self.fold_constants(a, b, value::urem) {
            return folded;
        }
        if self.range(a).1 < self.range(b).0 {
            return a;
        }
        match self.as_const(b) {
            Some(0) => a,
            Some(bits) if bits.is_power_of_two() => {
                let below = self.constant(width, bits - 1);
                self.and(a, below)
            }
            _ => self.intern(Node::Urem(a, b), width),
        }
    }

    /// Signed quotient, toward zero; if `b` is 0, 1 for a negative `a`, else -1.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        let width = self.width(a);
        if let Some(folded) = self.fold_constants(a, b, |x, y| value::sdiv(width, x, y)) {
            return folded;
        }
        // With neither negative, also 0 as divisor is treated alike: -1 has all bits set.
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.udiv(a, b);
        }
        match self.as_const(b) {
            Some(1) => a,
            Some(bits) if bits == mask(width) => self.neg(a),
            Some(bits) if is_power(width, bits) => {
                let biased = self.biased(a, bits);
                let by = self.constant(width, u128::from(bits.trailing_zeros()));
                self.ashr(biased, by)
            }
            _ => self.intern(Node::Sdiv(a, b), width),
        }
    }

    /// Signed remainder, with the sign of `a`; `a` if `b` is 0.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        let width = self.width(a);
        if let Some(folded) = self.fold_constants(a, b, |x, y| value::srem(width, x, y)) {
            return folded;
        }
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.urem(a, b);
        }
        match self.as_const(b) {
            Some(0) => a,
            Some(1) => self.constant(width, 0),
            Some(bits) if bits == mask(width) => self.constant(width, 0),
            Some(bits) if is_power(width, bits) => {
                let biased = self.biased(a, bits);
                let below = self.constant(width, bits - 1);
                let low = self.and(biased, below);
                let bias = self.bias(a, bits);
                self.sub(low, bias)
            }
            _ => self.intern(Node::Srem(a, b), width),
        }
    }

    /// What makes a shift round toward zero: `power - 1` for a negative `a`, else 0.
    fn bias(&mut self, a: Term, power: u128) -> Term {
        let width = self.width(a);
        let negative = self.extract(a, width - 1, 1);
        let bias = self.constant(width, power - 1);
        let zero = self.constant(width, 0);
        self.ite(negative, bias, zero)
    }

    fn biased(&mut self, a: Term, power: u128) -> Term {
        let bias = self.bias(a, power);
        self.add(a, bias)
    }
}

/// Whether a constant is a positive power of two as a signed number.
fn is_power(width: u16, bits: u128) -> bool {
    bits.is_power_of_two() && bits < sign_bit(width)
}
