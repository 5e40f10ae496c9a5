//! Arithmetic, comparisons, conversions and addresses as terms.

use unravel_interp::Property;
use unravel_kinds::Unmodelled;
use unravel_program::{BinaryOp, CastOp, CompareOp, Op, Operand, RmwOp, Type};
use unravel_term::{Term, Terms};

use super::Executor;
use super::float::modify;
use super::undefined::Operation;
use crate::graph::FindingKind;
use crate::state::State;
use crate::value::{PROVENANCE, UNDEFINED, Value};

impl Executor<'_> {
    pub fn arithmetic(&mut self, state: &mut State, op: &Op) {
        match op {
            Op::Binary { dst, op, width, lhs, rhs, no_signed_wrap } => {
                let a = self.forced(state, *lhs, *width);
                let b = self.forced(state, *rhs, *width);
                let value = self.binary(state, *op, *width, a, b);
                let (operands, result) = ((a.bits, b.bits), value.bits);
                let (op, width, no_signed_wrap) = (*op, *width, *no_signed_wrap);
                let operation = Operation { op, width, operands, result, no_signed_wrap };
                self.find_undefined(state, &operation);
                self.set(state, *dst, value);
            }
            Op::Compare { dst, op, ty, lhs, rhs } => {
                let width = self.width(*ty);
                let a = self.forced(state, *lhs, width);
                let b = self.forced(state, *rhs, width);
                let mut result = compare(self.terms(), *op, a.bits, b.bits);
                if let Some((holds, asked)) = self.compare_places(state, *op, (a, *lhs), (b, *rhs))
                {
                    result = self.terms().ite(asked, holds, result);
                }
                self.note_number_order(state, a, b);
                self.set_number(state, *dst, result);
            }
            Op::Cast { dst, op, from, to, value } => {
                let cast = self.cast(state, *op, *from, *to, *value);
                self.set(state, *dst, cast);
            }
            Op::Offset { dst, base, constant, terms } => {
                let width = self.pointer_bits();
                let base = self.operand(state, *base, width);
                let shift = self.terms().constant(width, i128::from(*constant).cast_unsigned());
                let mut bits = self.terms().add(base.bits, shift);
                for term in terms {
                    let index = self.number(state, term.index, term.width);
                    let index = self.terms().resize_sext(index, width);
                    let scale = i128::from(term.scale).cast_unsigned();
                    let scale = self.terms().constant(width, scale);
                    let product = self.terms().mul(index, scale);
                    bits = self.terms().add(bits, product);
                }
                self.set(state, *dst, Value { bits, ..base });
            }
            Op::Float { dst, op, ty, args } => {
                let Some(bits) = self.float(state, *op, *ty, args) else {
                    let what = Unmodelled::FloatingPoint;
                    return self.unsupported(state, what);
                };
                self.set_number(state, *dst, bits);
            }
            Op::FloatCompare { dst, op, ty, lhs, rhs } => {
                let bits = self.float_compare(state, *op, *ty, *lhs, *rhs);
                self.set_number(state, *dst, bits);
            }
            _ => {}
        }
    }

    fn binary(&mut self, state: &mut State, op: BinaryOp, width: u16, a: Value, b: Value) -> Value {
        let bits = match op {
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                self.divide(state, op, width, a.bits, b.bits)
            }
            BinaryOp::Shl | BinaryOp::SignedShl | BinaryOp::LShr | BinaryOp::AShr => {
                shift(self.terms(), op, width, a.bits, b.bits)
            }
            _ => simple(self.terms(), op, a.bits, b.bits),
        };
        let provenance = self.binary_provenance(state, op, a, b);
        Value { bits, provenance }
    }

    /// The machine traps on a division by zero or `MIN / -1`.
    fn divide(&mut self, state: &mut State, op: BinaryOp, width: u16, a: Term, b: Term) -> Term {
        let terms = self.terms();
        let zero = terms.constant(width, 0);
        let mut traps = terms.eq(b, zero);
        if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
            let minus_one = terms.constant(width, u128::MAX);
            let least = terms.constant(width, 1 << (width - 1));
            let (x, y) = (terms.eq(b, minus_one), terms.eq(a, least));
            let overflow = terms.and(x, y);
            traps = terms.or(traps, overflow);
        }
        self.violation(state, Property::Ub, traps);
        let terms = self.terms();
        match op {
            BinaryOp::UDiv => terms.udiv(a, b),
            BinaryOp::SDiv => terms.sdiv(a, b),
            BinaryOp::URem => terms.urem(a, b),
            _ => terms.srem(a, b),
        }
    }

    /// What a result still points into: a pointer plus, minus or masked with a number. The
    /// difference of two pointers into one object is a number; anything else depends on where
    /// objects lie.
    fn binary_provenance(&mut self, state: &State, op: BinaryOp, a: Value, b: Value) -> Term {
        let none = self.terms().constant(PROVENANCE, 0);
        if a.provenance == none && b.provenance == none {
            return none;
        }
        let terms = self.terms();
        let (x, y) = (terms.eq(a.provenance, none), terms.eq(b.provenance, none));
        let (fine, provenance) = match op {
            BinaryOp::Add | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                (terms.or(x, y), terms.ite(x, b.provenance, a.provenance))
            }
            BinaryOp::Sub => {
                let same = terms.eq(a.provenance, b.provenance);
                (terms.or(y, same), terms.ite(y, a.provenance, none))
            }
            _ => (terms.and(x, y), none),
        };
        self.note_address(state, fine);
        provenance
    }

    fn note_address(&mut self, state: &State, fine: Term) {
        let terms = self.terms();
        let noted = terms.not(fine);
        let guard = terms.and(state.guard, noted);
        if !self.terms().is_false(guard) {
            let kind = FindingKind::Unsupported(Unmodelled::AddressAsNumber);
            let at = State { guard, ..state.clone() };
            self.remark(&at, kind);
        }
    }

    /// How the address of an object compares with a number that may be another's, is one of many
    /// possible choices.
    fn note_number_order(&mut self, state: &State, a: Value, b: Value) {
        let terms = self.terms();
        let none = terms.constant(PROVENANCE, 0);
        if a.provenance == none && b.provenance == none {
            return;
        }
        let same = terms.eq(a.provenance, b.provenance);
        let (x, y) = (is_known(terms, a), is_known(terms, b));
        let known = terms.and(x, y);
        let fine = terms.or(same, known);
        self.note_address(state, fine);
    }

    fn cast(
        &mut self,
        state: &mut State,
        op: CastOp,
        from: Type,
        to: Type,
        value: Operand,
    ) -> Value {
        let (from_width, to_width) = (self.width(from), self.width(to));
        let pointer = self.pointer_bits();
        match op {
            CastOp::Truncate
            | CastOp::ZeroExtend
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast => {
                let value = self.operand(state, value, from_width);
                let bits = self.terms().resize_zext(value.bits, to_width);
                if to_width < pointer {
                    let undefined = self.terms().as_const(value.provenance) == Some(UNDEFINED);
                    let kept = if undefined { UNDEFINED } else { 0 };
                    let provenance = self.terms().constant(PROVENANCE, kept);
                    return Value { bits, provenance };
                }
                Value { bits, ..value }
            }
            CastOp::SignExtend => {
                let value = self.forced(state, value, from_width);
                let bits = self.terms().resize_sext(value.bits, to_width);
                Value { bits, ..value }
            }
            _ => {
                let bits = self.number(state, value, from_width);
                self.find_unfit(state, op, (from, to), bits);
                let Some(result) = self.float_cast(op, from, to, bits) else {
                    self.unsupported(state, Unmodelled::Conversion);
                    return self.constant(to_width, 0);
                };
                Value::number(self.terms(), result)
            }
        }
    }

    /// The new value of an atomic read-modify-write.
    pub fn modify(&mut self, op: RmwOp, ty: Type, old: Term, operand: Term) -> Term {
        let terms = self.terms();
        match op {
            RmwOp::Exchange => operand,
            RmwOp::Add => terms.add(old, operand),
            RmwOp::Sub => terms.sub(old, operand),
            RmwOp::And => terms.and(old, operand),
            RmwOp::Nand => {
                let both = terms.and(old, operand);
                terms.not(both)
            }
            RmwOp::Or => terms.or(old, operand),
            RmwOp::Xor => terms.xor(old, operand),
            RmwOp::Max => {
                let less = terms.slt(old, operand);
                terms.ite(less, operand, old)
            }
            RmwOp::Min => {
                let less = terms.slt(old, operand);
                terms.ite(less, old, operand)
            }
            RmwOp::UMax => {
                let less = terms.ult(old, operand);
                terms.ite(less, operand, old)
            }
            RmwOp::UMin => {
                let less = terms.ult(old, operand);
                terms.ite(less, old, operand)
            }
            RmwOp::FAdd | RmwOp::FSub => modify(terms, op, ty, old, operand),
        }
    }
}

/// A pointer, or a number that is certainly no object's address.
fn is_known(terms: &mut Terms, value: Value) -> Term {
    let width = terms.width(value.bits);
    let none = terms.constant(PROVENANCE, 0);
    let pointer = terms.ne(value.provenance, none);
    let page = terms.constant(width, 4096);
    let small = terms.ult(value.bits, page);
    let top = terms.constant(width, 0xffff_f000);
    let large = terms.ult(top, value.bits);
    terms.or_all(&[pointer, small, large])
}

fn simple(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Term {
    match op {
        BinaryOp::Add => terms.add(a, b),
        BinaryOp::Sub => terms.sub(a, b),
        BinaryOp::Mul => terms.mul(a, b),
        BinaryOp::And => terms.and(a, b),
        BinaryOp::Or => terms.or(a, b),
        _ => terms.xor(a, b),
    }
}

/// x86 takes the amount of a shift modulo 32 or 64.
fn shift(terms: &mut Terms, op: BinaryOp, width: u16, a: Term, b: Term) -> Term {
    let modulus = if width > 32 { 64 } else { 32 };
    let limit = terms.constant(width, u128::from(width));
    let beyond = terms.ule(limit, b);
    let mask = terms.constant(width, modulus - 1);
    let cut = terms.and(b, mask);
    let by = terms.ite(beyond, cut, b);
    match op {
        BinaryOp::Shl | BinaryOp::SignedShl => terms.shl(a, by),
        BinaryOp::LShr => terms.lshr(a, by),
        _ => terms.ashr(a, by),
    }
}

pub(super) fn compare(terms: &mut Terms, op: CompareOp, a: Term, b: Term) -> Term {
    match op {
        CompareOp::Eq => terms.eq(a, b),
        CompareOp::Ne => terms.ne(a, b),
        CompareOp::Ult => terms.ult(a, b),
        CompareOp::Ule => terms.ule(a, b),
        CompareOp::Ugt => terms.ugt(a, b),
        CompareOp::Uge => terms.uge(a, b),
        CompareOp::Slt => terms.slt(a, b),
        CompareOp::Sle => terms.sle(a, b),
        CompareOp::Sgt => terms.sgt(a, b),
        CompareOp::Sge => terms.sge(a, b),
    }
}
