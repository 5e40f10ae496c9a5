//! Conversions between formats, and from and to integers.

use super::parts::Parts;
use super::{Format, SCALE};
use crate::value::{mask, sign_bit, unsigned};
use crate::{Term, Terms};

impl Terms {
    /// The nearest number of a format.
    pub fn float_from_unsigned(&mut self, format: Format, integer: Term) -> Term {
        let sign = self.falsity();
        self.of_magnitude(format, sign, integer)
    }

    /// The nearest number of a format.
    pub fn float_from_signed(&mut self, format: Format, integer: Term) -> Term {
        let sign = self.extract(integer, self.width(integer) - 1, 1);
        let minus = self.neg(integer);
        let magnitude = self.ite(sign, minus, integer);
        self.of_magnitude(format, sign, magnitude)
    }

    fn of_magnitude(&mut self, format: Format, sign: Term, magnitude: Term) -> Term {
        let width = self.width(magnitude).max(format.precision + 2);
        let magnitude = self.resize_zext(magnitude, width);
        let scale = self.constant(SCALE, 0);
        self.round(format, sign, scale, magnitude)
    }

    /// The nearest number of another format. A NaN keeps the first bits of what it carries.
    pub fn float_to_float(&mut self, from: Format, to: Format, number: Term) -> Term {
        let parts = self.parts(from, number);
        let width = from.precision.max(to.precision + 2);
        let significand = self.resize_zext(parts.significand, width);
        let finite = self.round(to, parts.sign, parts.scale, significand);
        let infinity = self.infinity(to, parts.sign);
        let result = self.ite(parts.infinite, infinity, finite);
        let nan = self.carried(from, to, number);
        let quiet = self.constant(to.magnitude(), to.infinity() | to.quiet());
        let nan = self.or(nan, quiet);
        let nan = self.concat(parts.sign, nan);
        self.ite(parts.nan, nan, result)
    }

    /// The fraction at the place it has in another format.
    fn carried(&mut self, from: Format, to: Format, number: Term) -> Term {
        let fraction = self.extract(number, 0, from.fraction());
        let shared = from.fraction().min(to.fraction());
        let fraction = self.extract(fraction, from.fraction() - shared, shared);
        let fraction = self.zext(fraction, to.magnitude());
        let by = self.constant(to.magnitude(), u128::from(to.fraction() - shared));
        self.shl(fraction, by)
    }

    /// Cut off toward zero; of what is too large, the largest of the width; of a NaN, zero.
    pub fn float_to_signed(&mut self, format: Format, number: Term, width: u16) -> Term {
        let parts = self.parts(format, number);
        let magnitude = self.whole(&parts, width);
        let minus = self.neg(magnitude);
        let result = self.ite(parts.sign, minus, magnitude);
        let large = self.reaches(format, &parts, width - 1);
        let least = self.constant(width, sign_bit(width));
        let most = self.constant(width, mask(width) >> 1);
        let bound = self.ite(parts.sign, least, most);
        let result = self.ite(large, bound, result);
        let zero = self.constant(width, 0);
        self.ite(parts.nan, zero, result)
    }

    /// Cut off toward zero, the low bits of what is too large or negative; of a NaN, zero.
    pub fn float_to_unsigned(&mut self, format: Format, number: Term, width: u16) -> Term {
        let parts = self.parts(format, number);
        let magnitude = self.whole(&parts, width);
        let minus = self.neg(magnitude);
        let result = self.ite(parts.sign, minus, magnitude);
        let zero = self.constant(width, 0);
        let none = self.or(parts.nan, parts.infinite);
        self.ite(none, zero, result)
    }

    /// The low bits of the magnitude without what is behind the point.
    fn whole(&mut self, parts: &Parts, width: u16) -> Term {
        let wide = width.max(self.width(parts.significand));
        let significand = self.zext(parts.significand, wide);
        let minus = self.neg(parts.scale);
        let (left, right) = (self.sext(parts.scale, wide), self.sext(minus, wide));
        let left = self.shl(significand, left);
        let right = self.lshr(significand, right);
        let nothing = self.constant(SCALE, 0);
        let small = self.slt(parts.scale, nothing);
        let whole = self.ite(small, right, left);
        self.resize_zext(whole, width)
    }

    /// Whether the magnitude is at least 2^`power`, for numbers that are no NaN.
    fn reaches(&mut self, format: Format, parts: &Parts, power: u16) -> Term {
        let power = i128::from(power) - i128::from(format.fraction());
        let power = self.constant(SCALE, unsigned(SCALE, power));
        self.sge(parts.scale, power)
    }
}
