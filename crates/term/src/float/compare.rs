//! Comparisons. All are false of a NaN.

use super::Format;
use crate::{Term, Terms};

impl Terms {
    /// Whether one of the two is NaN.
    pub fn float_unordered(&mut self, format: Format, a: Term, b: Term) -> Term {
        let (a, b) = (self.is_nan(format, a), self.is_nan(format, b));
        self.or(a, b)
    }

    /// `a == b`.
    pub fn float_eq(&mut self, format: Format, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        let zeros = self.both_zero(format, a, b);
        let equal = self.or(same, zeros);
        self.unless_nan(format, a, b, equal)
    }

    /// `a < b`.
    pub fn float_lt(&mut self, format: Format, a: Term, b: Term) -> Term {
        let sign_a = self.extract(a, format.magnitude(), 1);
        let sign_b = self.extract(b, format.magnitude(), 1);
        let below = self.ult(a, b);
        // Negative numbers are in the other order; of different signs, the negative one is less.
        let above = self.ult(b, a);
        let same = self.ite(sign_a, above, below);
        let differ = self.xor(sign_a, sign_b);
        let less = self.ite(differ, sign_a, same);
        let zeros = self.both_zero(format, a, b);
        let zeros = self.not(zeros);
        let less = self.and(less, zeros);
        self.unless_nan(format, a, b, less)
    }

    fn unless_nan(&mut self, format: Format, a: Term, b: Term, holds: Term) -> Term {
        let unordered = self.float_unordered(format, a, b);
        let ordered = self.not(unordered);
        self.and(ordered, holds)
    }

    fn is_nan(&mut self, format: Format, number: Term) -> Term {
        let magnitude = self.extract(number, 0, format.magnitude());
        let infinity = self.constant(format.magnitude(), format.infinity());
        self.ult(infinity, magnitude)
    }

    fn both_zero(&mut self, format: Format, a: Term, b: Term) -> Term {
        let either = self.or(a, b);
        let magnitude = self.extract(either, 0, format.magnitude());
        self.is_zero(magnitude)
    }
}
