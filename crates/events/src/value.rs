//! A value: bits, and the object that a pointer points into.

use unravel_term::{Term, Terms};

/// Width of a provenance.
pub const PROVENANCE: u16 = 16;

/// The provenance of what was never written: accessing memory through it is an error.
pub const UNDEFINED: u128 = 0xffff;

/// Bits with a provenance. Numbers have provenance 0; the provenance of a pointer is the number
/// of its object plus one, so that an access off the end of one object never hits the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The bits: for a pointer its address.
    pub bits: Term,
    /// The object, as a term of [`PROVENANCE`] bits.
    pub provenance: Term,
}

impl Value {
    /// A number.
    pub fn number(terms: &mut Terms, bits: Term) -> Value {
        Value { bits, provenance: terms.constant(PROVENANCE, 0) }
    }

    /// `condition ? self : other`.
    #[must_use]
    pub fn or_else(self, terms: &mut Terms, condition: Term, other: Value) -> Value {
        if self == other {
            return self;
        }
        Value {
            bits: terms.ite(condition, self.bits, other.bits),
            provenance: terms.ite(condition, self.provenance, other.provenance),
        }
    }
}
