//! C types as x86-64 Linux has them, and the conversions between them.

use crate::feature::Feature;
use std::rc::Rc;

/// An integer type; `int8_t` and the like are mere spellings of these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(clippy::enum_variant_names)] // they are the names that C has
pub(crate) enum Int {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    I128,
    U128,
}

impl Int {
    /// Width in bits of the values (1 for `_Bool`).
    pub(crate) fn bits(self) -> u32 {
        match self {
            Int::Bool => 1,
            Int::Char | Int::SChar | Int::UChar => 8,
            Int::Short | Int::UShort => 16,
            Int::Int | Int::UInt => 32,
            Int::Long | Int::ULong | Int::LLong | Int::ULLong => 64,
            Int::I128 | Int::U128 => 128,
        }
    }

    /// Bytes in memory.
    pub(crate) fn size(self) -> u32 {
        self.bits().div_ceil(8)
    }

    pub(crate) fn signed(self) -> bool {
        use Int::{Char, I128, LLong, Long, SChar, Short};
        matches!(self, Char | SChar | Short | Int::Int | Long | LLong | I128)
    }

    /// The conversion rank of C11 6.3.1.1.
    fn rank(self) -> u32 {
        match self {
            Int::Bool => 0,
            Int::Char | Int::SChar | Int::UChar => 1,
            Int::Short | Int::UShort => 2,
            Int::Int | Int::UInt => 3,
            Int::Long | Int::ULong => 4,
            Int::LLong | Int::ULLong => 5,
            Int::I128 | Int::U128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub(crate) fn to_unsigned(self) -> Int {
        match self {
            Int::Char | Int::SChar => Int::UChar,
            Int::Short => Int::UShort,
            Int::Int => Int::UInt,
            Int::Long => Int::ULong,
            Int::LLong => Int::ULLong,
            Int::I128 => Int::U128,
            unsigned => unsigned,
        }
    }

    /// The integer promotion: everything narrower than `int` becomes `int`.
    pub(crate) fn promote(self) -> Int {
        if self.rank() < Int::Int.rank() { Int::Int } else { self }
    }

    /// The standard spelling.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Int::Bool => "_Bool",
            Int::Char => "char",
            Int::SChar => "signed char",
            Int::UChar => "unsigned char",
            Int::Short => "short",
            Int::UShort => "unsigned short",
            Int::Int => "int",
            Int::UInt => "unsigned",
            Int::Long => "long",
            Int::ULong => "unsigned long",
            Int::LLong => "long long",
            Int::ULLong => "unsigned long long",
            Int::I128 => "__int128",
            Int::U128 => "unsigned __int128",
        }
    }

    /// The typedef of <stdint.h> for the type, where there is one.
    pub(crate) fn typedef(self) -> Option<&'static str> {
        match self {
            Int::SChar => Some("int8_t"),
            Int::UChar => Some("uint8_t"),
            Int::Short => Some("int16_t"),
            Int::UShort => Some("uint16_t"),
            Int::Int => Some("int32_t"),
            Int::UInt => Some("uint32_t"),
            Int::Long => Some("int64_t"),
            Int::ULong => Some("uint64_t"),
            _ => None,
        }
    }

    /// A suffix for the names of helper functions of this type.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Int::Long => "long",
            Int::LLong => "llong",
            Int::I128 => "i128",
            _ => "int",
        }
    }

    pub(crate) fn feature(self) -> Feature {
        match self {
            Int::Bool => Feature::Bool,
            Int::Char => Feature::PlainChar,
            Int::SChar => Feature::SignedChar,
            Int::UChar => Feature::UnsignedChar,
            Int::Short => Feature::Short,
            Int::UShort => Feature::UnsignedShort,
            Int::Int => Feature::Int,
            Int::UInt => Feature::UnsignedInt,
            Int::Long => Feature::Long,
            Int::ULong => Feature::UnsignedLong,
            Int::LLong => Feature::LongLong,
            Int::ULLong => Feature::UnsignedLongLong,
            Int::I128 => Feature::Int128,
            Int::U128 => Feature::UnsignedInt128,
        }
    }
}

/// The usual arithmetic conversions of two integer operands (C11 6.3.1.8).
pub(crate) fn usual(a: Int, b: Int) -> Int {
    let (a, b) = (a.promote(), b.promote());
    let (high, low) = if a.rank() >= b.rank() { (a, b) } else { (b, a) };
    if high.rank() == low.rank() {
        return if high.signed() { low } else { high };
    }
    // A signed type of higher rank wins only if it holds all values of the
    // other: `long long` does not hold those of `unsigned long`.
    if high.signed() && !low.signed() && high.bits() == low.bits() {
        return high.to_unsigned();
    }
    high
}

/// A type that an expression can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    Int(Int),
    Float,
    Double,
}

impl Scalar {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scalar::Int(kind) => kind.name(),
            Scalar::Float => "float",
            Scalar::Double => "double",
        }
    }

    pub(crate) fn is_float(self) -> bool {
        !matches!(self, Scalar::Int(_))
    }

    pub(crate) fn size(self) -> u32 {
        match self {
            Scalar::Int(kind) => kind.size(),
            Scalar::Float => 4,
            Scalar::Double => 8,
        }
    }

    /// May any value of `self` be cast to `to` without undefined behaviour?
    pub(crate) fn casts_freely_to(self, to: Scalar) -> bool {
        match (self, to) {
            (Scalar::Int(_), Scalar::Int(_)) | (Scalar::Float, Scalar::Double) => true,
            (Scalar::Int(kind), _) => kind.bits() <= 64,
            _ => self == to,
        }
    }
}

/// The type of a variable or a member.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Type {
    Scalar(Scalar),
    Array(Box<Type>, u32),
    Struct(Rc<StructDef>),
    /// A pointer to the first of at least so many valid elements.
    Pointer(Box<Type>, u32),
}

impl Type {
    pub(crate) fn int(kind: Int) -> Type {
        Type::Scalar(Scalar::Int(kind))
    }

    /// Size and alignment in bytes. Bit-fields count with their whole unit.
    pub(crate) fn layout(&self) -> (u32, u32) {
        match self {
            Type::Scalar(scalar) => (scalar.size(), scalar.size()),
            Type::Pointer(..) => (8, 8),
            Type::Array(element, count) => {
                let (size, align) = element.layout();
                (size * count, align)
            }
            Type::Struct(def) => def.layout(),
        }
    }
}

/// A structure type.
#[derive(PartialEq, Debug)]
pub(crate) struct StructDef {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
}

/// A member of a structure.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The width, for a bit-field.
    pub(crate) bits: Option<u32>,
}

impl StructDef {
    fn layout(&self) -> (u32, u32) {
        let (mut size, mut align) = (0u32, 1);
        for field in &self.fields {
            let (field_size, field_align) = field.ty.layout();
            size = size.next_multiple_of(field_align) + field_size;
            align = align.max(field_align);
        }
        (size.next_multiple_of(align), align)
    }
}

#[cfg(test)]
mod tests {
    use super::{Int, usual};

    #[test]
    fn usual_conversions() {
        assert_eq!(usual(Int::Char, Int::UShort), Int::Int);
        assert_eq!(usual(Int::Int, Int::UInt), Int::UInt);
        assert_eq!(usual(Int::UInt, Int::Long), Int::Long);
        assert_eq!(usual(Int::LLong, Int::ULong), Int::ULLong);
        assert_eq!(usual(Int::I128, Int::ULLong), Int::I128);
    }
}
