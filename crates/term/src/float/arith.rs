//! Sums, products, quotients.

use super::Format;
use super::parts::Parts;
use crate::{Term, Terms};

/// Bits of a sum below the last one: two that are rounded and a sticky one.
const GUARD: u16 = 3;

impl Terms {
    /// `a + b`.
    pub fn float_add(&mut self, format: Format, a: Term, b: Term) -> Term {
        self.sum(format, a, b, b)
    }

    /// `a - b`.
    pub fn float_sub(&mut self, format: Format, a: Term, b: Term) -> Term {
        let minus = self.float_neg(format, b);
        self.sum(format, a, minus, b)
    }

    /// `-a`, of NaNs, too.
    pub fn float_neg(&mut self, format: Format, a: Term) -> Term {
        let sign = self.constant(format.width(), 1 << format.magnitude());
        self.xor(a, sign)
    }

    /// `a` without its sign.
    pub fn float_abs(&mut self, format: Format, a: Term) -> Term {
        let magnitude = self.extract(a, 0, format.magnitude());
        self.zext(magnitude, format.width())
    }

    /// `a` with the sign of `b`.
    pub fn float_copy_sign(&mut self, format: Format, a: Term, b: Term) -> Term {
        let magnitude = self.extract(a, 0, format.magnitude());
        let sign = self.extract(b, format.magnitude(), 1);
        self.concat(sign, magnitude)
    }

    /// `a + b`, where `shown` is what becomes of `b` if it is NaN.
    fn sum(&mut self, format: Format, a: Term, b: Term, shown: Term) -> Term {
        let (of_a, of_b) = (self.parts(format, a), self.parts(format, b));
        let finite = self.finite_sum(format, a, b, &of_a, &of_b);
        let infinity = self.ite(of_a.infinite, a, b);
        let infinite = self.or(of_a.infinite, of_b.infinite);
        let result = self.ite(infinite, infinity, finite);
        let differ = self.xor(of_a.sign, of_b.sign);
        let undone = self.and_all(&[of_a.infinite, of_b.infinite, differ]);
        let nan = self.or_all(&[of_a.nan, of_b.nan, undone]);
        let nan_value = self.nan_of(format, &[(a, of_a.nan), (shown, of_b.nan)]);
        self.ite(nan, nan_value, result)
    }

    /// The smaller is shifted to the scale of the larger, with a sticky bit for what falls off. If
    /// it is shifted by more than one, the difference loses at most one leading bit, so three more
    /// bits round right.
    fn finite_sum(&mut self, format: Format, a: Term, b: Term, of_a: &Parts, of_b: &Parts) -> Term {
        let large_a = self.extract(a, 0, format.magnitude());
        let large_b = self.extract(b, 0, format.magnitude());
        let swap = self.ult(large_a, large_b);
        let scale = self.ite(swap, of_b.scale, of_a.scale);
        let lower = self.ite(swap, of_a.scale, of_b.scale);
        let sign = self.ite(swap, of_b.sign, of_a.sign);
        let large = self.ite(swap, of_b.significand, of_a.significand);
        let small = self.ite(swap, of_a.significand, of_b.significand);
        let large = self.guarded(format, large);
        let small = self.guarded(format, small);
        let by = self.sub(scale, lower);
        let by = self.zext(by, self.width(small));
        let (small, lost) = self.shifted_out(small, by);
        let lost = self.zext(lost, self.width(small));
        let small = self.or(small, lost);
        let minus = self.neg(small);
        let differ = self.xor(of_a.sign, of_b.sign);
        let small = self.ite(differ, minus, small);
        let sum = self.add(large, small);
        // Only two negative zeros have a negative zero for a sum.
        let nothing = self.is_zero(sum);
        let both = self.and(of_a.sign, of_b.sign);
        let sign = self.ite(nothing, both, sign);
        let scale = self.add_number(scale, -i128::from(GUARD));
        self.round(format, sign, scale, sum)
    }

    /// With room for a carry above and guard bits below.
    fn guarded(&mut self, format: Format, significand: Term) -> Term {
        let wide = self.zext(significand, format.precision + 1 + GUARD);
        self.shl_constant(wide, GUARD)
    }

    /// `a * b`.
    pub fn float_mul(&mut self, format: Format, a: Term, b: Term) -> Term {
        let (of_a, of_b) = (self.parts(format, a), self.parts(format, b));
        let sign = self.xor(of_a.sign, of_b.sign);
        let wide = 2 * format.precision;
        let (x, y) = (self.zext(of_a.significand, wide), self.zext(of_b.significand, wide));
        let product = self.mul(x, y);
        let scale = self.add(of_a.scale, of_b.scale);
        let finite = self.round(format, sign, scale, product);
        let infinite = self.or(of_a.infinite, of_b.infinite);
        let infinity = self.infinity(format, sign);
        let result = self.ite(infinite, infinity, finite);
        let zero = self.or(of_a.zero, of_b.zero);
        let undone = self.and(infinite, zero);
        let nan = self.or_all(&[of_a.nan, of_b.nan, undone]);
        let nan_value = self.nan_of(format, &[(a, of_a.nan), (b, of_b.nan)]);
        self.ite(nan, nan_value, result)
    }

    /// `a / b`.
    pub fn float_div(&mut self, format: Format, a: Term, b: Term) -> Term {
        let (of_a, of_b) = (self.parts(format, a), self.parts(format, b));
        let sign = self.xor(of_a.sign, of_b.sign);
        let finite = self.finite_quotient(format, sign, &of_a, &of_b);
        let endless = self.or(of_a.infinite, of_b.zero);
        let infinity = self.infinity(format, sign);
        let result = self.ite(endless, infinity, finite);
        let zero = self.zero_of(format, sign);
        let result = self.ite(of_b.infinite, zero, result);
        let zeros = self.and(of_a.zero, of_b.zero);
        let infinities = self.and(of_a.infinite, of_b.infinite);
        let nan = self.or_all(&[of_a.nan, of_b.nan, zeros, infinities]);
        let nan_value = self.nan_of(format, &[(a, of_a.nan), (b, of_b.nan)]);
        self.ite(nan, nan_value, result)
    }

    /// Long division, bit by bit: fewer gates than a product of twice the width that is compared
    /// with the dividend.
    fn finite_quotient(&mut self, format: Format, sign: Term, a: &Parts, b: &Parts) -> Term {
        let (dividend, scale_a) = self.normalized(a.significand, a.scale);
        let (divisor, scale_b) = self.normalized(b.significand, b.scale);
        let width = format.precision + 1;
        let divisor = self.zext(divisor, width);
        let mut rest = self.zext(dividend, width);
        let mut quotient: Option<Term> = None;
        let digits = format.precision + 2;
        for _ in 0..=digits {
            let fits = self.ule(divisor, rest);
            let less = self.sub(rest, divisor);
            rest = self.ite(fits, less, rest);
            rest = self.shl_constant(rest, 1);
            quotient = Some(match quotient {
                None => fits,
                Some(leading) => self.concat(leading, fits),
            });
        }
        let exact = self.is_zero(rest);
        let sticky = self.not(exact);
        let quotient = quotient.map_or(sticky, |digits| self.concat(digits, sticky));
        let scale = self.sub(scale_a, scale_b);
        let scale = self.add_number(scale, -i128::from(digits + 1));
        self.round(format, sign, scale, quotient)
    }
}
