//! Integer arithmetic, as LLVM defines it.

use unravel_kinds::Undefined;
use unravel_program::{BinaryOp, BitsOp, CompareOp, RmwOp};

use crate::value::{mask, signed};

/// A result, and the undefined behaviour met on the way.
///
/// The result is what x86 computes, so that a run can go on where `ub` is not checked; it is
/// `None` where the machine traps.
pub type Outcome = (Option<u128>, Option<Undefined>);

/// `lhs op rhs` on `width` bits.
#[must_use]
pub fn binary(op: BinaryOp, width: u16, lhs: u128, rhs: u128, no_signed_wrap: bool) -> Outcome {
    let cut = |bits: u128| Some(bits & mask(width));
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
            let wraps = no_signed_wrap && signed_overflows(op, width, lhs, rhs);
            (cut(wrapping(op, lhs, rhs)), wraps.then_some(Undefined::SignedOverflow))
        }
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
            divide(op, width, lhs, rhs)
        }
        BinaryOp::Shl | BinaryOp::SignedShl | BinaryOp::LShr | BinaryOp::AShr => {
            shift(op, width, lhs, rhs, no_signed_wrap)
        }
        BinaryOp::And => (cut(lhs & rhs), None),
        BinaryOp::Or => (cut(lhs | rhs), None),
        BinaryOp::Xor => (cut(lhs ^ rhs), None),
    }
}

fn wrapping(op: BinaryOp, lhs: u128, rhs: u128) -> u128 {
    match op {
        BinaryOp::Sub => lhs.wrapping_sub(rhs),
        BinaryOp::Mul => lhs.wrapping_mul(rhs),
        _ => lhs.wrapping_add(rhs),
    }
}

fn signed_overflows(op: BinaryOp, width: u16, lhs: u128, rhs: u128) -> bool {
    let (a, b) = (signed(lhs, width), signed(rhs, width));
    let exact = match op {
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        _ => a.checked_add(b),
    };
    exact.is_none_or(|exact| signed(exact.cast_unsigned(), width) != exact)
}

fn divide(op: BinaryOp, width: u16, lhs: u128, rhs: u128) -> Outcome {
    if rhs == 0 {
        return (None, Some(Undefined::DivisionByZero));
    }
    let (a, b) = (signed(lhs, width), signed(rhs, width));
    let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
    if is_signed && b == -1 && lhs == 1 << (width - 1) {
        return (None, Some(Undefined::DivisionOverflow));
    }
    let bits = match op {
        BinaryOp::UDiv => lhs / rhs,
        BinaryOp::URem => lhs % rhs,
        BinaryOp::SDiv => (a / b).cast_unsigned(),
        _ => (a % b).cast_unsigned(),
    };
    (Some(bits & mask(width)), None)
}

fn shift(op: BinaryOp, width: u16, lhs: u128, rhs: u128, no_signed_wrap: bool) -> Outcome {
    if rhs >= u128::from(width) {
        // x86 takes the amount modulo 32 or 64.
        let modulus = if width > 32 { 64 } else { 32 };
        let (bits, _) = shift_in_range(op, width, lhs, (rhs % modulus) as u32, false);
        return (Some(bits), Some(Undefined::ShiftOutOfRange));
    }
    let signed_shift = op == BinaryOp::SignedShl;
    let exact = no_signed_wrap || signed_shift;
    let (bits, overflow) = shift_in_range(op, width, lhs, rhs as u32, exact);
    let undefined = match (signed_shift, overflow) {
        (true, _) if overflow || signed(lhs, width) < 0 => Some(Undefined::LeftShift),
        (false, true) => Some(Undefined::SignedOverflow),
        _ => None,
    };
    (Some(bits), undefined)
}

fn shift_in_range(
    op: BinaryOp,
    width: u16,
    lhs: u128,
    amount: u32,
    no_signed_wrap: bool,
) -> (u128, bool) {
    let bits = match op {
        BinaryOp::LShr => lhs.checked_shr(amount).unwrap_or(0),
        BinaryOp::AShr => (signed(lhs, width) >> amount.min(127)).cast_unsigned(),
        _ => lhs.checked_shl(amount).unwrap_or(0),
    } & mask(width);
    let overflow = no_signed_wrap
        && matches!(op, BinaryOp::Shl | BinaryOp::SignedShl)
        && signed(bits, width) >> amount.min(127) != signed(lhs, width);
    (bits, overflow)
}

/// Whether a comparison holds.
#[must_use]
pub fn compare(op: CompareOp, width: u16, lhs: u128, rhs: u128) -> bool {
    let (a, b) = (signed(lhs, width), signed(rhs, width));
    match op {
        CompareOp::Eq => lhs == rhs,
        CompareOp::Ne => lhs != rhs,
        CompareOp::Ult => lhs < rhs,
        CompareOp::Ule => lhs <= rhs,
        CompareOp::Ugt => lhs > rhs,
        CompareOp::Uge => lhs >= rhs,
        CompareOp::Slt => a < b,
        CompareOp::Sle => a <= b,
        CompareOp::Sgt => a > b,
        CompareOp::Sge => a >= b,
    }
}

/// The builtins: the result, and for `…Overflow` whether it wrapped.
#[must_use]
pub fn bits(op: BitsOp, width: u16, args: &[u128]) -> (u128, bool) {
    let arg = |index: usize| args.get(index).copied().unwrap_or(0);
    let (a, b) = (arg(0), arg(1));
    let (sa, sb) = (signed(a, width), signed(b, width));
    let plain = match op {
        BitsOp::PopCount => u128::from(a.count_ones()),
        BitsOp::LeadingZeros => u128::from(a.leading_zeros()) - (128 - u128::from(width)),
        BitsOp::TrailingZeros => u128::from(a.trailing_zeros()).min(u128::from(width)),
        BitsOp::ByteSwap => a.swap_bytes() >> (128 - u32::from(width)).min(127),
        BitsOp::BitReverse => a.reverse_bits() >> (128 - u32::from(width)).min(127),
        BitsOp::FunnelShiftLeft => funnel(width, a, b, arg(2), true),
        BitsOp::FunnelShiftRight => funnel(width, a, b, arg(2), false),
        BitsOp::Abs => sa.wrapping_abs().cast_unsigned(),
        BitsOp::SMin => sa.min(sb).cast_unsigned(),
        BitsOp::SMax => sa.max(sb).cast_unsigned(),
        BitsOp::UMin => a.min(b),
        BitsOp::UMax => a.max(b),
        BitsOp::SAddSat => saturate_signed(sa.saturating_add(sb), width),
        BitsOp::SSubSat => saturate_signed(sa.saturating_sub(sb), width),
        BitsOp::UAddSat => a.saturating_add(b).min(mask(width)),
        BitsOp::USubSat => a.saturating_sub(b),
        _ => return with_overflow(op, width, a, b),
    };
    (plain & mask(width), false)
}

fn funnel(width: u16, high: u128, low: u128, amount: u128, left: bool) -> u128 {
    let (w, amount) = (u32::from(width), (amount % u128::from(width)) as u32);
    if amount == 0 {
        return if left { high } else { low };
    }
    let up = if left { amount } else { w - amount };
    high.checked_shl(up).unwrap_or(0) | low.checked_shr(w - up).unwrap_or(0)
}

fn saturate_signed(exact: i128, width: u16) -> u128 {
    let max = (mask(width) >> 1).cast_signed();
    exact.clamp(-max - 1, max).cast_unsigned()
}

fn with_overflow(op: BitsOp, width: u16, a: u128, b: u128) -> (u128, bool) {
    let base = match op {
        BitsOp::SAddOverflow | BitsOp::UAddOverflow => BinaryOp::Add,
        BitsOp::SSubOverflow | BitsOp::USubOverflow => BinaryOp::Sub,
        _ => BinaryOp::Mul,
    };
    let result = wrapping(base, a, b) & mask(width);
    let is_signed =
        matches!(op, BitsOp::SAddOverflow | BitsOp::SSubOverflow | BitsOp::SMulOverflow);
    let overflow = if is_signed {
        signed_overflows(base, width, a, b)
    } else {
        let exact = match base {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            _ => a.checked_mul(b),
        };
        exact.is_none_or(|exact| exact > mask(width))
    };
    (result, overflow)
}

/// The new value of an atomic read-modify-write on integers; `None` for the float operations.
#[must_use]
pub fn read_modify_write(op: RmwOp, width: u16, old: u128, operand: u128) -> Option<u128> {
    let (a, b) = (signed(old, width), signed(operand, width));
    let new = match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Max => a.max(b).cast_unsigned(),
        RmwOp::Min => a.min(b).cast_unsigned(),
        RmwOp::UMax => old.max(operand),
        RmwOp::UMin => old.min(operand),
        RmwOp::FAdd | RmwOp::FSub => return None,
    };
    Some(new & mask(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_overflow_is_seen_and_wraps() {
        let max = 0x7fff_ffff;
        let outcome = binary(BinaryOp::Add, 32, max, 1, true);
        assert_eq!(outcome, (Some(0x8000_0000), Some(Undefined::SignedOverflow)));
        assert_eq!(binary(BinaryOp::Add, 32, max, 1, false), (Some(0x8000_0000), None));
        assert_eq!(
            binary(BinaryOp::Mul, 128, 1 << 127, 2, true).1,
            Some(Undefined::SignedOverflow)
        );
    }

    #[test]
    fn division_traps() {
        assert_eq!(binary(BinaryOp::SDiv, 8, 5, 0, false), (None, Some(Undefined::DivisionByZero)));
        let outcome = binary(BinaryOp::SDiv, 8, 0x80, 0xff, false);
        assert_eq!(outcome, (None, Some(Undefined::DivisionOverflow)));
        assert_eq!(binary(BinaryOp::SRem, 8, 0xf9, 3, false).0, Some(0xff));
    }

    #[test]
    fn shifts_out_of_range_behave_like_the_machine() {
        let outcome = binary(BinaryOp::SignedShl, 32, 1, 31, false);
        assert_eq!(outcome, (Some(0x8000_0000), Some(Undefined::LeftShift)));
        let outcome = binary(BinaryOp::SignedShl, 32, 0xffff_ffff, 1, false);
        assert_eq!(outcome, (Some(0xffff_fffe), Some(Undefined::LeftShift)));
        assert_eq!(binary(BinaryOp::SignedShl, 32, 1, 30, false), (Some(0x4000_0000), None));
        assert_eq!(binary(BinaryOp::Shl, 32, 1, 31, false), (Some(0x8000_0000), None));
        let outcome = binary(BinaryOp::Shl, 32, 1, 33, false);
        assert_eq!(outcome, (Some(2), Some(Undefined::ShiftOutOfRange)));
        assert_eq!(binary(BinaryOp::AShr, 8, 0x80, 3, false).0, Some(0xf0));
    }

    #[test]
    fn builtins_work_on_their_width() {
        assert_eq!(bits(BitsOp::LeadingZeros, 32, &[1]).0, 31);
        assert_eq!(bits(BitsOp::TrailingZeros, 16, &[0]).0, 16);
        assert_eq!(bits(BitsOp::ByteSwap, 16, &[0x1234]).0, 0x3412);
        assert_eq!(bits(BitsOp::FunnelShiftLeft, 8, &[0x81, 0xc0, 1]).0, 0x03);
        assert_eq!(bits(BitsOp::UMulOverflow, 32, &[1 << 20, 1 << 20]), (0, true));
        assert_eq!(bits(BitsOp::SAddSat, 8, &[0x7f, 1]).0, 0x7f);
    }
}
