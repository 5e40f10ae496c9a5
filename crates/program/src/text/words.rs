//! The words of the text form: one table per enum, for printing and parsing alike.

use std::fmt;

use crate::ir::{
    BinaryOp, BitsOp, CastOp, CompareOp, FloatCompareOp, FloatOp, Ordering, RmwOp, Type,
};
use crate::names::Shape;

/// An enum whose variants are words.
pub(super) trait Words: Copy + 'static {
    /// What the words are, for messages.
    const NOUN: &'static str;
    /// All variants with their words.
    const ALL: &'static [(Self, &'static str)];

    fn word(self) -> &'static str;

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(value, _)| *value)
    }
}

/// The match is made from the same list as the table, so the compiler misses no variant.
macro_rules! words {
    ($name:ident, $noun:literal, { $($variant:ident $word:literal)* }) => {
        impl Words for $name {
            const NOUN: &'static str = $noun;
            const ALL: &'static [(Self, &'static str)] = &[$(($name::$variant, $word)),*];

            fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }
    };
}

words!(Ordering, "a memory ordering", {
    Relaxed "relaxed"
    Acquire "acquire"
    Release "release"
    AcquireRelease "acq_rel"
    SequentiallyConsistent "seq_cst"
});

words!(BinaryOp, "an integer operation", {
    Add "add"
    Sub "sub"
    Mul "mul"
    UDiv "udiv"
    SDiv "sdiv"
    URem "urem"
    SRem "srem"
    Shl "shl"
    SignedShl "sshl"
    LShr "lshr"
    AShr "ashr"
    And "and"
    Or "or"
    Xor "xor"
});

words!(CompareOp, "a comparison", {
    Eq "eq"
    Ne "ne"
    Ult "ult"
    Ule "ule"
    Ugt "ugt"
    Uge "uge"
    Slt "slt"
    Sle "sle"
    Sgt "sgt"
    Sge "sge"
});

words!(BitsOp, "an operation on bits", {
    PopCount "popcount"
    LeadingZeros "leading_zeros"
    TrailingZeros "trailing_zeros"
    ByteSwap "byteswap"
    BitReverse "bitreverse"
    FunnelShiftLeft "funnel_shl"
    FunnelShiftRight "funnel_shr"
    Abs "abs"
    SMin "smin"
    SMax "smax"
    UMin "umin"
    UMax "umax"
    SAddOverflow "sadd_overflow"
    UAddOverflow "uadd_overflow"
    SSubOverflow "ssub_overflow"
    USubOverflow "usub_overflow"
    SMulOverflow "smul_overflow"
    UMulOverflow "umul_overflow"
    SAddSat "sadd_sat"
    UAddSat "uadd_sat"
    SSubSat "ssub_sat"
    USubSat "usub_sat"
});

words!(CastOp, "a cast", {
    Truncate "trunc"
    ZeroExtend "zext"
    SignExtend "sext"
    PtrToInt "ptrtoint"
    IntToPtr "inttoptr"
    Bitcast "bitcast"
    FloatToSigned "fptosi"
    FloatToUnsigned "fptoui"
    SignedToFloat "sitofp"
    UnsignedToFloat "uitofp"
    FloatToFloat "fptofp"
});

words!(FloatOp, "a floating point operation", {
    Add "fadd"
    Sub "fsub"
    Mul "fmul"
    Div "fdiv"
    Rem "frem"
    Neg "fneg"
    Abs "fabs"
    Sqrt "fsqrt"
    Floor "ffloor"
    Ceil "fceil"
    Trunc "ftrunc"
    Round "fround"
    Rint "frint"
    MulAdd "fmuladd"
    Min "fmin"
    Max "fmax"
    CopySign "fcopysign"
});

words!(FloatCompareOp, "a floating point comparison", {
    False "false"
    Oeq "oeq"
    Ogt "ogt"
    Oge "oge"
    Olt "olt"
    Ole "ole"
    One "one"
    Ord "ord"
    Uno "uno"
    Ueq "ueq"
    Ugt "ugt"
    Uge "uge"
    Ult "ult"
    Ule "ule"
    Une "une"
    True "true"
});

words!(RmwOp, "a read-modify-write operation", {
    Exchange "xchg"
    Add "add"
    Sub "sub"
    And "and"
    Nand "nand"
    Or "or"
    Xor "xor"
    Max "max"
    Min "min"
    UMax "umax"
    UMin "umin"
    FAdd "fadd"
    FSub "fsub"
});

/// The shapes that have no parts.
pub(super) const SHAPES: &[(Shape, &str)] = &[
    (Shape::Signed, "signed"),
    (Shape::Unsigned, "unsigned"),
    (Shape::Bool, "bool"),
    (Shape::Char, "char"),
    (Shape::Float, "float"),
    (Shape::Pointer, "pointer"),
    (Shape::Opaque, "opaque"),
];

/// The types other than integers.
const TYPES: &[(Type, &str)] = &[(Type::Ptr, "ptr"), (Type::F32, "f32"), (Type::F64, "f64")];

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = TYPES.iter().find(|(ty, _)| ty == self);
        match (self, word) {
            (Type::Int(width), _) => write!(f, "i{width}"),
            (_, Some((_, word))) => f.write_str(word),
            (_, None) => Err(fmt::Error),
        }
    }
}

/// The type that a word names.
pub(super) fn type_named(word: &str) -> Option<Type> {
    if let Some((ty, _)) = TYPES.iter().find(|(_, known)| *known == word) {
        return Some(*ty);
    }
    word.strip_prefix('i')?.parse().ok().map(Type::Int)
}

/// Whether a name can stand without quotes.
pub(super) fn is_word(name: &str) -> bool {
    name.starts_with(begins_word) && name.chars().all(continues_word)
}

/// Whether a character can be the first of a word.
pub(super) fn begins_word(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '.' | '$')
}

/// Whether a character can be in a word.
pub(super) fn continues_word(c: char) -> bool {
    begins_word(c) || c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn listed<T: Words>() -> impl Iterator<Item = &'static str> {
        T::ALL.iter().map(|(_, word)| *word)
    }

    #[test]
    fn every_word_that_begins_an_instruction_means_one_thing() {
        let words: Vec<_> = listed::<BinaryOp>()
            .chain(listed::<BitsOp>())
            .chain(listed::<CastOp>())
            .chain(listed::<FloatOp>())
            .collect();
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
    }

    #[test]
    fn types_have_names() {
        for ty in [Type::Int(1), Type::Int(128), Type::Ptr, Type::F32, Type::F64] {
            assert_eq!(type_named(&ty.to_string()), Some(ty));
        }
        assert_eq!(type_named("i"), None);
        assert_eq!(type_named("i99999"), None);
        assert_eq!(type_named("int"), None);
    }
}
