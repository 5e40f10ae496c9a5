//! Scalar values at run time.

use crate::memory::ObjectId;

/// A scalar: its bits, which of them are arbitrary, and the object it points into.
///
/// Every value may carry a provenance, not only those of pointer type: C code stores pointers in
/// integers, tags them and copies them byte by byte. Arithmetic keeps the provenance where the
/// result still points into the object (`p + 8`, `p & ~1`), and drops it elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The bits, zero above the width; arbitrary bits are 0 here.
    pub bits: u128,
    /// Bits without a particular value (uninitialized memory). They become an input only when
    /// something depends on them, since copying a struct with padding depends on nothing.
    pub undef: u128,
    /// The object whose address this is derived from.
    pub provenance: Option<ObjectId>,
}

/// All ones in the low `width` bits.
#[must_use]
pub fn mask(width: u16) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The low `width` bits, sign-extended.
#[must_use]
pub fn signed(bits: u128, width: u16) -> i128 {
    let shift = 128 - u32::from(width.clamp(1, 128));
    ((bits << shift).cast_signed()) >> shift
}

impl Value {
    /// The zero of every type, also the null pointer.
    pub const ZERO: Value = Value::int(0);

    /// A number.
    #[must_use]
    pub const fn int(bits: u128) -> Value {
        Value { bits, undef: 0, provenance: None }
    }

    /// An address inside an object.
    #[must_use]
    pub const fn pointer(address: u64, object: ObjectId) -> Value {
        Value { bits: address as u128, undef: 0, provenance: Some(object) }
    }

    /// A value of `width` bits about which nothing is known.
    #[must_use]
    pub fn undefined(width: u16) -> Value {
        Value { bits: 0, undef: mask(width), provenance: None }
    }

    /// The value as an address. Pointers have at most 64 bits.
    #[must_use]
    pub fn address(self) -> u64 {
        (self.bits & u128::from(u64::MAX)) as u64
    }

    /// Same provenance, other bits.
    #[must_use]
    pub fn with_bits(self, bits: u128) -> Value {
        Value { bits, ..self }
    }

    /// Whether no bit is arbitrary.
    #[must_use]
    pub fn is_defined(self) -> bool {
        self.undef == 0
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::int(u128::from(truth))
    }
}
