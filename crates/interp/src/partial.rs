//! Arithmetic that can go on with arbitrary bits, and what it does to provenance.
//!
//! Bit-fields are written by masking a word whose other bits were never written; a time read from
//! a clock gets an offset added. Neither depends on the arbitrary bits, so neither may turn them
//! into an input.

use unravel_program::BinaryOp;

use crate::memory::ObjectId;
use crate::value::{Value, mask};

/// The result where it can be told bit by bit although an operand has arbitrary bits.
/// `None`: compute as usual, with the arbitrary bits decided.
#[must_use]
pub fn binary(op: BinaryOp, width: u16, a: Value, b: Value) -> Option<Value> {
    if a.is_defined() && b.is_defined() {
        return None;
    }
    let value = |bits: u128, undef: u128| {
        let undef = undef & mask(width);
        Value { bits: bits & mask(width) & !undef, undef, provenance: None }
    };
    match op {
        // A bit of the result is known if both are, or if one forces it.
        BinaryOp::And => {
            let zero = !(a.bits | a.undef) | !(b.bits | b.undef);
            Some(value(a.bits & b.bits, (a.undef | b.undef) & !zero))
        }
        BinaryOp::Or => {
            let one = a.bits & !a.undef | b.bits & !b.undef;
            Some(value(a.bits | b.bits, (a.undef | b.undef) & !one))
        }
        BinaryOp::Shl | BinaryOp::SignedShl | BinaryOp::LShr
            if b.is_defined() && b.bits < u128::from(width) =>
        {
            let by = b.bits as u32;
            let shift = |bits: u128| if op == BinaryOp::LShr { bits >> by } else { bits << by };
            Some(value(shift(a.bits), shift(a.undef)))
        }
        // An arbitrary value plus a known one is again any value.
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor if all_arbitrary(a, b, width) => {
            Some(Value::undefined(width))
        }
        _ => None,
    }
}

fn all_arbitrary(a: Value, b: Value, width: u16) -> bool {
    a.undef == mask(width) && b.is_defined() || b.undef == mask(width) && a.is_defined()
}

/// The object a result still points into: of a pointer plus, minus or masked with a number.
#[must_use]
pub fn provenance(op: BinaryOp, a: Value, b: Value) -> Option<ObjectId> {
    match (op, a.provenance, b.provenance) {
        (BinaryOp::Add | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, Some(p), None)
        | (BinaryOp::Add | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, None, Some(p))
        | (BinaryOp::Sub, Some(p), None) => Some(p),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_field_write_leaves_the_other_bits_arbitrary() {
        let word = Value::undefined(8);
        let cleared = binary(BinaryOp::And, 8, word, Value::int(0xf8)).expect("partial");
        let set = binary(BinaryOp::Or, 8, cleared, Value::int(0x05)).expect("partial");
        assert_eq!((set.bits, set.undef), (0x05, 0xf8));
        let field = binary(BinaryOp::And, 8, set, Value::int(0x07)).expect("partial");
        assert_eq!((field.bits, field.undef), (0x05, 0));
    }
}
