//! A number taken apart.

use super::{Format, SCALE};
use crate::value::unsigned;
use crate::{Term, Terms};

/// A number that is neither infinite nor NaN is ± `significand` × 2^`scale`.
pub(super) struct Parts {
    pub sign: Term,
    pub scale: Term,
    /// With its leading one, if it has it.
    pub significand: Term,
    pub nan: Term,
    pub infinite: Term,
    pub zero: Term,
}

impl Terms {
    pub(super) fn parts(&mut self, format: Format, number: Term) -> Parts {
        let sign = self.extract(number, format.magnitude(), 1);
        let field = self.extract(number, format.fraction(), format.exponent);
        let fraction = self.extract(number, 0, format.fraction());
        let (none, all) = (self.is_zero(field), self.is_all_ones(field));
        let empty = self.is_zero(fraction);
        let normal = self.not(none);
        let significand = self.concat(normal, fraction);
        let filled = self.not(empty);
        Parts {
            sign,
            scale: self.scale(format, field, none),
            significand,
            nan: self.and(all, filled),
            infinite: self.and(all, empty),
            zero: self.and(none, empty),
        }
    }

    /// The exponent of the last bit. Numbers below the least normal one have its exponent.
    fn scale(&mut self, format: Format, field: Term, subnormal: Term) -> Term {
        let field = self.zext(field, SCALE);
        let one = self.constant(SCALE, 1);
        let field = self.ite(subnormal, one, field);
        let last = format.bias() + i128::from(format.fraction());
        self.add_number(field, -last)
    }

    pub(super) fn is_zero(&mut self, term: Term) -> Term {
        let zero = self.constant(self.width(term), 0);
        self.eq(term, zero)
    }

    fn is_all_ones(&mut self, term: Term) -> Term {
        let ones = self.constant(self.width(term), u128::MAX);
        self.eq(term, ones)
    }

    /// Plus a signed constant.
    pub(super) fn add_number(&mut self, term: Term, number: i128) -> Term {
        let width = self.width(term);
        let number = self.constant(width, unsigned(width, number));
        self.add(term, number)
    }

    /// The first operand that is NaN, made quiet; else the NaN of an operation without a result.
    pub(super) fn nan_of(&mut self, format: Format, operands: &[(Term, Term)]) -> Term {
        let quiet = self.constant(format.width(), format.quiet());
        let mut result = self.constant(format.width(), format.nan());
        for &(number, nan) in operands.iter().rev() {
            let number = self.or(number, quiet);
            result = self.ite(nan, number, result);
        }
        result
    }

    /// Infinite, with a sign.
    pub(super) fn infinity(&mut self, format: Format, sign: Term) -> Term {
        let magnitude = self.constant(format.magnitude(), format.infinity());
        self.concat(sign, magnitude)
    }

    /// Zero, with a sign.
    pub(super) fn zero_of(&mut self, format: Format, sign: Term) -> Term {
        let magnitude = self.constant(format.magnitude(), 0);
        self.concat(sign, magnitude)
    }
}
