//! Undefined arithmetic that the machine does not trap on (property `ub`): signed overflow, and
//! shifts by too much. It is found, and the thread goes on with what the machine computes, as in the
//! interpreter.

use unravel_interp::Property;
use unravel_kinds::Unmodelled;
use unravel_program::{BinaryOp, BitsOp};
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
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => Some(self.bad_shift(it)),
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

    /// A shift by the width or more, or a signed one that loses bits.
    fn bad_shift(&mut self, it: &Operation) -> Term {
        let (a, b) = it.operands;
        let terms = self.terms();
        let width = terms.constant(it.width, u128::from(it.width));
        let in_range = terms.ult(b, width);
        let far = terms.not(in_range);
        if it.op != BinaryOp::Shl || !it.no_signed_wrap {
            return far;
        }
        let back = terms.ashr(it.result, b);
        let lost = terms.ne(back, a);
        terms.or(far, lost)
    }
}
