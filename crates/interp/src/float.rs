//! Floating point on the bits of `f32` and `f64`.
//!
//! Rust computes in the same IEEE formats and rounding as clang's x86-64 code, so the results are
//! those of the compiled program. (With `-m32` clang uses SSE2 as well.)

use unravel_program::{CastOp, FloatCompareOp, FloatOp, RmwOp, Type};

use crate::value::{mask, signed};

/// A float of either width.
#[derive(Clone, Copy)]
enum Float {
    Single(f32),
    Double(f64),
}

fn from_bits(ty: Type, bits: u128) -> Float {
    match ty {
        Type::F32 => Float::Single(f32::from_bits(bits as u32)),
        _ => Float::Double(f64::from_bits(bits as u64)),
    }
}

fn to_bits(value: Float) -> u128 {
    match value {
        Float::Single(value) => u128::from(value.to_bits()),
        Float::Double(value) => u128::from(value.to_bits()),
    }
}

macro_rules! apply {
    ($op:expr, $a:expr, $b:expr, $c:expr) => {
        match $op {
            FloatOp::Add => $a + $b,
            FloatOp::Sub => $a - $b,
            FloatOp::Mul => $a * $b,
            FloatOp::Div => $a / $b,
            FloatOp::Rem => $a % $b,
            FloatOp::Neg => -$a,
            FloatOp::Abs => $a.abs(),
            FloatOp::Sqrt => $a.sqrt(),
            FloatOp::Floor => $a.floor(),
            FloatOp::Ceil => $a.ceil(),
            FloatOp::Trunc => $a.trunc(),
            FloatOp::Round => $a.round(),
            FloatOp::Rint => $a.round_ties_even(),
            FloatOp::MulAdd => $a.mul_add($b, $c),
            FloatOp::Min => $a.min($b),
            FloatOp::Max => $a.max($b),
            FloatOp::CopySign => $a.copysign($b),
        }
    };
}

/// Result bits of an operation on the bits of its arguments.
#[must_use]
pub fn operate(op: FloatOp, ty: Type, args: &[u128]) -> u128 {
    let bits = |index: usize| args.get(index).copied().unwrap_or(0);
    let arg = |index: usize| from_bits(ty, bits(index));
    let result = match (arg(0), arg(1), arg(2)) {
        (Float::Single(a), Float::Single(b), Float::Single(c)) => {
            Float::Single(apply!(op, a, b, c))
        }
        (Float::Double(a), Float::Double(b), Float::Double(c)) => {
            Float::Double(apply!(op, a, b, c))
        }
        // `from_bits` gives one width for one type; this arm keeps the match total.
        (other, _, _) => other,
    };
    let result = to_bits(result);
    match op {
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div if is_nan(ty, result) => {
            nan_of(ty, bits(0), bits(1))
        }
        _ => result,
    }
}

fn is_nan(ty: Type, bits: u128) -> bool {
    as_f64(ty, bits).is_nan()
}

/// The NaN of an operation: of SSE, the first operand that is one, made quiet, else the negative
/// one. A compiler may exchange operands, so this is said here and not left to it.
fn nan_of(ty: Type, a: u128, b: u128) -> u128 {
    let (quiet, none) = match ty {
        Type::F32 => (1 << 22, 0xffc0_0000),
        _ => (1 << 51, 0xfff8 << 48),
    };
    let operand = [a, b].into_iter().find(|&it| is_nan(ty, it));
    operand.map_or(none, |it| it | quiet)
}

/// The new value of an atomic floating point read-modify-write.
#[must_use]
pub fn read_modify_write(op: RmwOp, ty: Type, old: u128, operand: u128) -> u128 {
    let op = if op == RmwOp::FSub { FloatOp::Sub } else { FloatOp::Add };
    operate(op, ty, &[old, operand])
}

/// The number as a double, exactly.
#[must_use]
pub fn as_f64(ty: Type, bits: u128) -> f64 {
    match from_bits(ty, bits) {
        Float::Single(value) => f64::from(value),
        Float::Double(value) => value,
    }
}

/// Whether a comparison holds.
#[must_use]
pub fn compare(op: FloatCompareOp, ty: Type, lhs: u128, rhs: u128) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = as_f64(ty, lhs).partial_cmp(&as_f64(ty, rhs));
    let unordered = order.is_none();
    match op {
        FloatCompareOp::False => false,
        FloatCompareOp::Oeq => order == Some(Equal),
        FloatCompareOp::Ogt => order == Some(Greater),
        FloatCompareOp::Oge => matches!(order, Some(Greater | Equal)),
        FloatCompareOp::Olt => order == Some(Less),
        FloatCompareOp::Ole => matches!(order, Some(Less | Equal)),
        FloatCompareOp::One => matches!(order, Some(Less | Greater)),
        FloatCompareOp::Ord => !unordered,
        FloatCompareOp::Uno => unordered,
        FloatCompareOp::Ueq => unordered || order == Some(Equal),
        FloatCompareOp::Ugt => unordered || order == Some(Greater),
        FloatCompareOp::Uge => unordered || matches!(order, Some(Greater | Equal)),
        FloatCompareOp::Ult => unordered || order == Some(Less),
        FloatCompareOp::Ule => unordered || matches!(order, Some(Less | Equal)),
        FloatCompareOp::Une => unordered || order != Some(Equal),
        FloatCompareOp::True => true,
    }
}

/// A conversion from or to a float; `None` if the kind is not one of these.
#[must_use]
pub fn cast(op: CastOp, from: Type, to: Type, bits: u128) -> Option<u128> {
    let width = |ty: Type| if let Type::Int(width) = ty { width } else { 64 };
    let result = match op {
        CastOp::FloatToSigned => {
            float_to_signed(as_f64(from, bits), width(to)).cast_unsigned() & mask(width(to))
        }
        CastOp::FloatToUnsigned => float_to_unsigned(as_f64(from, bits)) & mask(width(to)),
        CastOp::SignedToFloat => signed_to_float(signed(bits, width(from)), to),
        CastOp::UnsignedToFloat => unsigned_to_float(bits, to),
        CastOp::FloatToFloat => float_to_float(from_bits(from, bits), to),
        _ => return None,
    };
    Some(result)
}

/// The numbers whose integer part fits an integer: those above the first and below the second, or
/// equal to the first if the flag says so. Every bound is a number of the format: where `MIN - 1`
/// is none, no number lies between it and `MIN`.
#[must_use]
pub fn cast_range(op: CastOp, from: Type, width: u16) -> Option<(f64, bool, f64)> {
    let digits = if from == Type::F32 { 24 } else { 53 };
    let power = |exponent: u16| 2f64.powi(i32::from(exponent));
    match op {
        CastOp::FloatToSigned if width <= digits => {
            Some((-power(width - 1) - 1.0, false, power(width - 1)))
        }
        CastOp::FloatToSigned => Some((-power(width - 1), true, power(width - 1))),
        CastOp::FloatToUnsigned => Some((-1.0, false, power(width))),
        _ => None,
    }
}

/// Whether the integer part of a float fits an integer of `width` bits (C11 6.3.1.4); true for
/// other conversions.
#[must_use]
pub fn cast_fits(op: CastOp, from: Type, width: u16, bits: u128) -> bool {
    let value = as_f64(from, bits);
    cast_range(op, from, width).is_none_or(|(low, inclusive, high)| {
        (low < value || inclusive && low == value) && value < high
    })
}

/// Out of range is undefined in C; saturate, as Rust does, at the width of the target.
fn float_to_signed(value: f64, width: u16) -> i128 {
    let max = (mask(width) >> 1).cast_signed();
    (value as i128).clamp(-max - 1, max)
}

/// Out of range is undefined in C; the low bits stay, as after the conversion to a wider integer
/// that compilers write.
fn float_to_unsigned(value: f64) -> u128 {
    if !value.is_finite() {
        return 0;
    }
    let whole = value.abs().trunc();
    let magnitude = if whole < 2f64.powi(53) {
        whole as u128
    } else {
        let bits = whole.to_bits();
        let significand = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
        // At least 2^53, so the exponent is at least that of the last bit.
        let scale = (bits >> 52) as u32 - (1023 + 52);
        significand.checked_shl(scale).unwrap_or(0)
    };
    if value < 0.0 { magnitude.wrapping_neg() } else { magnitude }
}

fn signed_to_float(value: i128, to: Type) -> u128 {
    to_bits(if to == Type::F32 { Float::Single(value as f32) } else { Float::Double(value as f64) })
}

fn unsigned_to_float(value: u128, to: Type) -> u128 {
    to_bits(if to == Type::F32 { Float::Single(value as f32) } else { Float::Double(value as f64) })
}

fn float_to_float(value: Float, to: Type) -> u128 {
    to_bits(match (value, to) {
        (Float::Single(value), Type::F64) => Float::Double(f64::from(value)),
        (Float::Double(value), Type::F32) => Float::Single(value as f32),
        (same, _) => same,
    })
}
