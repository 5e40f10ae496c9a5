//! The integer operations behind builtins, as terms.

use unravel_kinds::Unmodelled;
use unravel_program::{BitsOp, Op};
use unravel_term::{Term, Terms};

use super::Executor;
use crate::state::State;

impl Executor<'_> {
    pub fn bit_operation(&mut self, state: &mut State, op: &Op) {
        let Op::Bits { dst, overflow, op, width, args } = op else { return };
        let mut bits = Vec::with_capacity(args.len());
        for &arg in args {
            bits.push(self.number(state, arg, *width));
        }
        let arg = |index: usize| bits.get(index).copied().unwrap_or(bits[0]);
        let (a, b, c) = (arg(0), arg(1), arg(2));
        let Some((result, wrapped)) = operate(self.terms(), *op, *width, a, b, c) else {
            return self.unsupported(
                state,
                Unmodelled::WideBits { operation: format!("{op:?}"), width: *width },
            );
        };
        self.set_number(state, *dst, result);
        if let Some(overflow) = overflow {
            self.set_number(state, *overflow, wrapped);
        }
    }
}

/// The result, and for `…Overflow` whether it wrapped. `None` where the exact result would be
/// wider than terms can be.
fn operate(
    terms: &mut Terms,
    op: BitsOp,
    width: u16,
    a: Term,
    b: Term,
    c: Term,
) -> Option<(Term, Term)> {
    let falsity = terms.falsity();
    let plain = match op {
        BitsOp::PopCount => count(terms, width, a),
        BitsOp::LeadingZeros => leading_zeros(terms, width, a),
        BitsOp::TrailingZeros => {
            let reversed = reverse(terms, width, a, 1);
            leading_zeros(terms, width, reversed)
        }
        BitsOp::ByteSwap => reverse(terms, width, a, 8),
        BitsOp::BitReverse => reverse(terms, width, a, 1),
        BitsOp::FunnelShiftLeft => funnel(terms, width, a, b, c, true)?,
        BitsOp::FunnelShiftRight => funnel(terms, width, a, b, c, false)?,
        BitsOp::Abs => {
            let zero = terms.constant(width, 0);
            let negative = terms.slt(a, zero);
            let flipped = terms.neg(a);
            terms.ite(negative, flipped, a)
        }
        BitsOp::SMin | BitsOp::SMax => {
            let less = terms.slt(a, b);
            if op == BitsOp::SMin { terms.ite(less, a, b) } else { terms.ite(less, b, a) }
        }
        BitsOp::UMin | BitsOp::UMax => {
            let less = terms.ult(a, b);
            if op == BitsOp::UMin { terms.ite(less, a, b) } else { terms.ite(less, b, a) }
        }
        _ => return exact(terms, op, width, a, b),
    };
    Some((plain, falsity))
}

fn bit(terms: &mut Terms, a: Term, index: u16) -> Term {
    terms.extract(a, index, 1)
}

fn count(terms: &mut Terms, width: u16, a: Term) -> Term {
    let mut sum = terms.constant(width, 0);
    for index in 0..width {
        let bit = bit(terms, a, index);
        let bit = terms.resize_zext(bit, width);
        sum = terms.add(sum, bit);
    }
    sum
}

fn leading_zeros(terms: &mut Terms, width: u16, a: Term) -> Term {
    let mut result = terms.constant(width, u128::from(width));
    for index in 0..width {
        let zeros = terms.constant(width, u128::from(width - 1 - index));
        let set = bit(terms, a, index);
        result = terms.ite(set, zeros, result);
    }
    result
}

/// Groups of so many bits in the opposite order.
fn reverse(terms: &mut Terms, width: u16, a: Term, group: u16) -> Term {
    let mut whole: Option<Term> = None;
    for index in (0..width / group).rev() {
        let part = terms.extract(a, index * group, group);
        whole = Some(whole.map_or(part, |low| terms.concat(part, low)));
    }
    whole.unwrap_or(a)
}

fn funnel(
    terms: &mut Terms,
    width: u16,
    high: Term,
    low: Term,
    amount: Term,
    left: bool,
) -> Option<Term> {
    if width > 64 {
        return None;
    }
    let double = width * 2;
    let both = terms.concat(high, low);
    let modulus = terms.constant(width, u128::from(width));
    let amount = terms.urem(amount, modulus);
    let amount = terms.zext(amount, double);
    if left {
        let shifted = terms.shl(both, amount);
        Some(terms.extract(shifted, width, width))
    } else {
        let shifted = terms.lshr(both, amount);
        Some(terms.extract(shifted, 0, width))
    }
}

/// Operations that look at the exact result: wide enough to hold it.
pub(super) fn exact(
    terms: &mut Terms,
    op: BitsOp,
    width: u16,
    a: Term,
    b: Term,
) -> Option<(Term, Term)> {
    use BitsOp as B;
    let multiplies = matches!(op, B::SMulOverflow | B::UMulOverflow);
    let wide = if multiplies { width * 2 } else { width + 1 };
    if wide > 128 {
        return None;
    }
    let signed =
        matches!(op, B::SAddOverflow | B::SSubOverflow | B::SMulOverflow | B::SAddSat | B::SSubSat);
    let (x, y) = if signed {
        (terms.sext(a, wide), terms.sext(b, wide))
    } else {
        (terms.zext(a, wide), terms.zext(b, wide))
    };
    let result = match op {
        B::SAddOverflow | B::UAddOverflow | B::SAddSat | B::UAddSat => terms.add(x, y),
        B::SSubOverflow | B::USubOverflow | B::SSubSat | B::USubSat => terms.sub(x, y),
        _ => terms.mul(x, y),
    };
    let cut = terms.extract(result, 0, width);
    let back = if signed { terms.sext(cut, wide) } else { terms.zext(cut, wide) };
    let wrapped = terms.ne(back, result);
    let limit = match op {
        B::UAddSat => terms.constant(width, u128::MAX),
        B::USubSat => terms.constant(width, 0),
        B::SAddSat | B::SSubSat => {
            let zero = terms.constant(wide, 0);
            let negative = terms.slt(result, zero);
            let least = terms.constant(width, 1 << (width - 1));
            let most = terms.constant(width, (1 << (width - 1)) - 1);
            terms.ite(negative, least, most)
        }
        _ => return Some((cut, wrapped)),
    };
    let saturated = terms.ite(wrapped, limit, cut);
    let falsity = terms.falsity();
    Some((saturated, falsity))
}
