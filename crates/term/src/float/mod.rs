//! IEEE 754 numbers as terms: what an operation does to the bits of its operands.
//!
//! A number of a [`Format`] is a term of its width. Each operation takes its operands apart
//! ([`parts`]), computes exactly on integers wide enough to lose nothing, or with a sticky bit for
//! what is lost, and rounds once, to nearest, ties to even ([`round`]). The rest is cases: NaN,
//! infinity, zero. Operands that are constants fold to the bits that the processor computes, which
//! is how the tests compare the two, and NaNs are those of SSE: the first operand that is one, made
//! quiet, else the negative quiet one.
//!
//! # Cost
//! For doubles, in bits that are added: a sum about 150 and three shifts, a product 53 × 53, a
//! quotient 55 × 54. A comparison is one of integers.

mod arith;
mod compare;
mod convert;
mod parts;
mod round;

/// How many bits of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Of the exponent.
    pub exponent: u16,
    /// Of the significand, with the leading one that is not written.
    pub precision: u16,
}

/// `float`.
pub const SINGLE: Format = Format { exponent: 8, precision: 24 };

/// `double`.
pub const DOUBLE: Format = Format { exponent: 11, precision: 53 };

/// Width of exponents while they are computed with: wide enough for any sum of a few.
const SCALE: u16 = 16;

impl Format {
    /// Of the whole number.
    #[must_use]
    pub fn width(self) -> u16 {
        self.exponent + self.precision
    }

    /// Of what follows the leading one.
    fn fraction(self) -> u16 {
        self.precision - 1
    }

    /// Of the number without its sign.
    fn magnitude(self) -> u16 {
        self.width() - 1
    }

    fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    fn infinity(self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction()
    }

    /// The bit that makes a NaN quiet.
    fn quiet(self) -> u128 {
        1 << (self.fraction() - 1)
    }

    /// What an operation gives that has no result.
    fn nan(self) -> u128 {
        (1 << self.magnitude()) | self.infinity() | self.quiet()
    }
}
