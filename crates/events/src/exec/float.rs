//! Floating point as terms. What the interpreter computes with the processor is computed here with
//! gates (`unravel_term::float`), which takes thousands of them where operands are not known: a
//! root, a remainder, a fused product and sum, and the roundings to integers are left to the
//! exploration.

use unravel_interp::float;
use unravel_program::{CastOp, FloatCompareOp, FloatOp, Operand, RmwOp, Type};
use unravel_term::float::{DOUBLE, Format, SINGLE};
use unravel_term::{Term, Terms};

use super::Executor;
use crate::state::State;

impl Executor<'_> {
    /// The result of an operation; `None` if it is unknown and not modelled.
    pub(super) fn float(
        &mut self,
        state: &mut State,
        op: FloatOp,
        ty: Type,
        args: &[Operand],
    ) -> Option<Term> {
        let width = self.width(ty);
        let bits: Vec<Term> = args.iter().map(|&arg| self.number(state, arg, width)).collect();
        let terms = self.terms();
        let known: Vec<u128> = bits.iter().filter_map(|&it| terms.as_const(it)).collect();
        if known.len() == bits.len() {
            return Some(terms.constant(width, float::operate(op, ty, &known)));
        }
        operate(terms, op, format(ty), &bits)
    }

    /// Whether a comparison holds.
    pub(super) fn float_compare(
        &mut self,
        state: &mut State,
        op: FloatCompareOp,
        ty: Type,
        lhs: Operand,
        rhs: Operand,
    ) -> Term {
        let width = self.width(ty);
        let (a, b) = (self.number(state, lhs, width), self.number(state, rhs, width));
        compare(self.terms(), op, format(ty), a, b)
    }

    /// Whether a float lies between two numbers, or is the first if that counts.
    pub(super) fn within(
        &mut self,
        ty: Type,
        bits: Term,
        (low, inclusive, high): (f64, bool, f64),
    ) -> Term {
        let width = self.width(ty);
        let number = |value: f64| match ty {
            Type::F32 => u128::from((value as f32).to_bits()),
            _ => u128::from(value.to_bits()),
        };
        let terms = self.terms();
        let (low, high) = (terms.constant(width, number(low)), terms.constant(width, number(high)));
        let op = if inclusive { FloatCompareOp::Ole } else { FloatCompareOp::Olt };
        let above = compare(terms, op, format(ty), low, bits);
        let below = compare(terms, FloatCompareOp::Olt, format(ty), bits, high);
        terms.and(above, below)
    }

    /// A conversion from or to a float; `None` if it is none.
    pub(super) fn float_cast(
        &mut self,
        op: CastOp,
        from: Type,
        to: Type,
        bits: Term,
    ) -> Option<Term> {
        let width = self.width(to);
        let terms = self.terms();
        Some(match op {
            CastOp::FloatToSigned => terms.float_to_signed(format(from), bits, width),
            CastOp::FloatToUnsigned => terms.float_to_unsigned(format(from), bits, width),
            CastOp::SignedToFloat => terms.float_from_signed(format(to), bits),
            CastOp::UnsignedToFloat => terms.float_from_unsigned(format(to), bits),
            CastOp::FloatToFloat if from == to => bits,
            CastOp::FloatToFloat => terms.float_to_float(format(from), format(to), bits),
            _ => return None,
        })
    }
}

fn format(ty: Type) -> Format {
    if ty == Type::F32 { SINGLE } else { DOUBLE }
}

fn operate(terms: &mut Terms, op: FloatOp, format: Format, args: &[Term]) -> Option<Term> {
    Some(match (op, args) {
        (FloatOp::Add, &[a, b]) => terms.float_add(format, a, b),
        (FloatOp::Sub, &[a, b]) => terms.float_sub(format, a, b),
        (FloatOp::Mul, &[a, b]) => terms.float_mul(format, a, b),
        (FloatOp::Div, &[a, b]) => terms.float_div(format, a, b),
        (FloatOp::Neg, &[a]) => terms.float_neg(format, a),
        (FloatOp::Abs, &[a]) => terms.float_abs(format, a),
        (FloatOp::CopySign, &[a, b]) => terms.float_copy_sign(format, a, b),
        _ => return None,
    })
}

/// The new value of an atomic read-modify-write.
pub(super) fn modify(terms: &mut Terms, op: RmwOp, ty: Type, old: Term, operand: Term) -> Term {
    match op {
        RmwOp::FSub => terms.float_sub(format(ty), old, operand),
        _ => terms.float_add(format(ty), old, operand),
    }
}

fn compare(terms: &mut Terms, op: FloatCompareOp, format: Format, a: Term, b: Term) -> Term {
    use FloatCompareOp as C;
    let ordered = match op {
        C::False | C::True | C::Ord | C::Uno => terms.falsity(),
        C::Oeq | C::Ueq => terms.float_eq(format, a, b),
        C::Olt | C::Ult => terms.float_lt(format, a, b),
        C::Ogt | C::Ugt => terms.float_lt(format, b, a),
        C::Ole | C::Ule => {
            let (less, equal) = (terms.float_lt(format, a, b), terms.float_eq(format, a, b));
            terms.or(less, equal)
        }
        C::Oge | C::Uge => {
            let (less, equal) = (terms.float_lt(format, b, a), terms.float_eq(format, a, b));
            terms.or(less, equal)
        }
        C::One | C::Une => {
            let (less, more) = (terms.float_lt(format, a, b), terms.float_lt(format, b, a));
            terms.or(less, more)
        }
    };
    match op {
        C::True => terms.truth(),
        C::Ord => {
            let unordered = terms.float_unordered(format, a, b);
            terms.not(unordered)
        }
        C::Uno | C::Ueq | C::Ugt | C::Uge | C::Ult | C::Ule | C::Une => {
            let unordered = terms.float_unordered(format, a, b);
            terms.or(unordered, ordered)
        }
        _ => ordered,
    }
}
