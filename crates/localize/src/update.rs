//! Atomic updates whose operand is marked.

use unravel_program::{Op, Operand, Reg};

/// What an atomic update found, and its operand before and after it was marked.
pub(crate) fn updated(before: &Op, after: &Op) -> Option<(Reg, Operand, Operand)> {
    match (before, after) {
        (Op::ReadModifyWrite { dst, value: old, .. }, Op::ReadModifyWrite { value: new, .. }) => {
            Some((*dst, *old, *new))
        }
        _ => None,
    }
}

/// `++x` of an atomic variable gives what the update found and its operand together, computed once
/// more: if the operand is another there, it is another here.
pub(crate) fn use_operand(op: &mut Op, update: Option<(Reg, Operand, Operand)>) {
    if let (Op::Binary { lhs, rhs, .. }, Some((found, old, new))) = (op, update)
        && *lhs == Operand::Reg(found)
        && *rhs == old
    {
        *rhs = new;
    }
}
