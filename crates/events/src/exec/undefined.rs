//! Undefined arithmetic that the machine does not trap on (property `ub`): signed overflow,
//! shifts by too much or of negative numbers, and conversions of floats that do not fit. It is found, and the thread goes on with what the machine computes, as in the
//! interpreter.

use unravel_interp::{Property, float};
use unravel_kinds::Unmodelled;
use unravel_program::{BinaryOp, BitsOp, CastOp, Type};
use unravel_term::Term;

use super::Executor;
use super::bits::exact;
use crate::graph::FindingKind;
use crate::state::State;

/// Operands and result of an operation.
pub(super) struct Operation {
    pub op: BinaryOp,
    pub width: u16,
    pub operands: (Term, Term),
    pub result: Term,
    pub no_signed_wrap: bool,
}

impl Executor<'_> {
    /// Finds what is undefined about an operation, if that is checked.
    pub(super) fn find_undefined(&mut self, state: &State, it: &Operation) {
        if !self.config.properties.has(Property::Ub) {
            return;
        }
        let undefined = match it.op {
            BinaryOp::Shl | BinaryOp::SignedShl | BinaryOp::LShr | BinaryOp::AShr => {
                Some(self.bad_shift(it))
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if it.no_signed_wrap => self.wraps(it),
            _ => return,
        };
        let Some(undefined) = undefined else {
            let what = Unmodelled::WideOverflow;
            return self.remark(state, FindingKind::Unsupported(what));
        };
        let guard = self.terms().and(state.guard, undefined);
        self.find(guard, FindingKind::Violation(Property::Ub), state);
    }

    /// Whether a signed result does not fit; `None` for numbers too wide to tell.
    fn wraps(&mut self, it: &Operation) -> Option<Term> {
        let op = match it.op {
            BinaryOp::Add => BitsOp::SAddOverflow,
            BinaryOp::Sub => BitsOp::SSubOverflow,
            _ => BitsOp::SMulOverflow,
        };
        let (a, b) = it.operands;
        exact(self.terms(), op, it.width, a, b).map(|(_, wraps)| wraps)
    }

    /// A shift by the width or more, or a signed one that loses bits or is of a negative number.
    fn bad_shift(&mut self, it: &Operation) -> Term {
        let (a, b) = it.operands;
        let terms = self.terms();
        let width = terms.constant(it.width, u128::from(it.width));
        let in_range = terms.ult(b, width);
        let far = terms.not(in_range);
        let is_signed = it.op == BinaryOp::SignedShl;
        if !is_signed && (it.op != BinaryOp::Shl || !it.no_signed_wrap) {
            return far;
        }
        let back = terms.ashr(it.result, b);
        let mut lost = terms.ne(back, a);
        if is_signed {
            let zero = terms.constant(it.width, 0);
            let negative = terms.slt(a, zero);
            lost = terms.or(lost, negative);
        }
        terms.or(far, lost)
    }

    /// Finds a conversion of a float that does not fit, if that is checked.
    pub(super) fn find_unfit(
        &mut self,
        state: &State,
        op: CastOp,
        (from, to): (Type, Type),
        bits: Term,
    ) {
        if !self.config.properties.has(Property::Ub) {
            return;
        }
        let width = self.width(to);
        let Some((low, inclusive, high)) = float::cast_range(op, from, width) else { return };
        let fits = self.within(from, bits, (low, inclusive, high));
        let unfit = self.terms().not(fits);
        let guard = self.terms().and(state.guard, unfit);
        self.find(guard, FindingKind::Violation(Property::Ub), state);
    }
}
