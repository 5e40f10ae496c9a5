//! Arithmetic, conversions, comparisons and addresses: what happens inside a thread.

use std::sync::Arc;

use unravel_kinds::{Undefined, Unmodelled, ViolationKind};
use unravel_program::{BinaryOp, CastOp, CompareOp, Op, Operand, Type};

use crate::arith;
use crate::choice::InputSource;
use crate::exec::{Exec, Result};
use crate::float;
use crate::layout::{self, small_tags};
use crate::memory::ObjectId;
use crate::note::Note;
use crate::value::{Value, mask, signed};

impl Exec<'_, '_> {
    pub fn arithmetic(&mut self, op: &Op) -> Result<()> {
        match *op {
            Op::Binary { dst, op, width, lhs, rhs, no_signed_wrap } => {
                let value = self.binary(op, width, lhs, rhs, no_signed_wrap)?;
                self.set(dst, value);
            }
            Op::Compare { dst, op, ty, lhs, rhs } => {
                let width = self.width(ty);
                let (a, b) = (self.forced(lhs, width)?, self.forced(rhs, width)?);
                let holds = self.compare(op, width, a, b)?;
                self.set(dst, holds.into());
            }
            Op::Bits { dst, overflow, op, width, ref args } => {
                let mut bits = Vec::with_capacity(args.len());
                for &arg in args {
                    bits.push(self.forced(arg, width)?.bits);
                }
                let (result, wrapped) = arith::bits(op, width, &bits);
                self.set(dst, Value::int(result));
                if let Some(overflow) = overflow {
                    self.set(overflow, wrapped.into());
                }
            }
            Op::Cast { dst, op, from, to, value } => {
                let value = self.cast(op, from, to, value)?;
                self.set(dst, value);
            }
            _ => {}
        }
        Ok(())
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        width: u16,
        lhs: Operand,
        rhs: Operand,
        no_signed_wrap: bool,
    ) -> Result<Value> {
        let (a, b) = (self.operand(lhs, width), self.operand(rhs, width));
        if let Some(value) = crate::partial::binary(op, width, a, b) {
            return Ok(value);
        }
        let (a, b) = (self.forced(lhs, width)?, self.forced(rhs, width)?);
        let (result, undefined) = arith::binary(op, width, a.bits, b.bits, no_signed_wrap);
        if let Some(undefined) = undefined {
            self.undefined_arithmetic(undefined)?;
        }
        let address = result.unwrap_or(0) as u64;
        let provenance = crate::partial::provenance(op, a, b);
        let provenance = provenance.filter(|&id| !self.reaches_another(id, address));
        if provenance.is_none() && uses_address_as_number(op, a, b) {
            self.note_address();
        }
        Ok(Value { bits: result.unwrap_or(0), undef: 0, provenance })
    }

    /// Whether integer arithmetic led from one object into another (a list linked by exclusive
    /// or): then the number leads to where it points.
    fn reaches_another(&self, id: ObjectId, address: u64) -> bool {
        let inside = self.state.object(id).is_none_or(|object| {
            address.checked_sub(object.base).is_some_and(|offset| offset <= object.size())
        });
        !inside && self.state.find(address).is_some()
    }

    fn undefined_arithmetic(&mut self, undefined: Undefined) -> Result<()> {
        let traps = matches!(undefined, Undefined::DivisionByZero | Undefined::DivisionOverflow);
        let kind = ViolationKind::Undefined(undefined);
        if traps {
            return self.violation(kind);
        }
        self.soft_violation(kind, Vec::new());
        Ok(())
    }

    /// Which addresses there are is one of many possible choices.
    fn note_address(&mut self) {
        let what = Unmodelled::AddressAsNumber;
        self.notes.insert(Note::Unsupported { site: self.site(), what });
    }

    /// Compares two values; addresses of different objects by where these lie.
    fn compare(&mut self, op: CompareOp, width: u16, a: Value, b: Value) -> Result<bool> {
        if let Some((first, second)) = layout::question(op, a, b) {
            if !self.is_within(first, a) || !self.is_within(second, b) {
                self.note_address();
            }
            return Ok(layout::answer(op, self.is_below(first, second)?));
        }
        // Null, and constants such as `(void *)-1`, are no object's address.
        let known = |value: Value| {
            value.provenance.is_some() || value.bits < 4096 || value.bits > 0xffff_f000
        };
        // Pointers into one object, and pointers beside null or a masked zero, have one answer.
        let same = a.provenance == b.provenance;
        if !(same || small_tags(a, b) || known(a) && known(b)) {
            self.note_address();
        }
        Ok(arith::compare(op, width, a.bits, b.bits))
    }

    /// Whether the first object lies below the second: a choice, made when it is first asked for.
    fn is_below(&mut self, first: ObjectId, second: ObjectId) -> Result<bool> {
        if let Some(below) = self.state.layout.is_below(first, second) {
            return Ok(below);
        }
        let below = self.input(1, InputSource::Layout(first, second))? == 0;
        let (low, high) = if below { (first, second) } else { (second, first) };
        Arc::make_mut(&mut self.state.layout).put_below(low, high);
        Ok(below)
    }

    /// Whether an address is one of its object or just behind it, not a masked or rounded one;
    /// that of an object that is gone is taken to be.
    fn is_within(&self, id: ObjectId, value: Value) -> bool {
        self.state.object(id).is_none_or(|object| {
            let offset = value.bits.checked_sub(u128::from(object.base));
            offset.is_some_and(|offset| offset <= u128::from(object.size()))
        })
    }

    fn cast(&mut self, op: CastOp, from: Type, to: Type, value: Operand) -> Result<Value> {
        let (from_width, to_width) = (self.width(from), self.width(to));
        let value = match op {
            CastOp::Truncate
            | CastOp::ZeroExtend
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast => {
                let mut value = self.operand(value, from_width);
                value.bits &= mask(to_width);
                value.undef &= mask(to_width);
                if op == CastOp::Truncate && to_width < self.width(Type::Ptr) {
                    value.provenance = None;
                }
                value
            }
            CastOp::SignExtend => {
                let value = self.forced(value, from_width)?;
                let bits = signed(value.bits, from_width).cast_unsigned() & mask(to_width);
                value.with_bits(bits)
            }
            _ => {
                let bits = self.forced(value, from_width)?.bits;
                if !float::cast_fits(op, from, to_width, bits) {
                    self.undefined_arithmetic(Undefined::Conversion)?;
                }
                Value::int(float::cast(op, from, to, bits).unwrap_or(0) & mask(to_width))
            }
        };
        Ok(value)
    }

    pub fn floating(&mut self, op: &Op) -> Result<()> {
        match *op {
            Op::Float { dst, op, ty, ref args } => {
                let width = self.width(ty);
                let mut bits = Vec::with_capacity(args.len());
                for &arg in args {
                    bits.push(self.forced(arg, width)?.bits);
                }
                self.set(dst, Value::int(float::operate(op, ty, &bits)));
            }
            Op::FloatCompare { dst, op, ty, lhs, rhs } => {
                let width = self.width(ty);
                let (a, b) = (self.forced(lhs, width)?, self.forced(rhs, width)?);
                self.set(dst, float::compare(op, ty, a.bits, b.bits).into());
            }
            _ => {}
        }
        Ok(())
    }

    pub fn offset(&mut self, op: &Op) -> Result<()> {
        let Op::Offset { dst, base, constant, terms } = op else { return Ok(()) };
        let width = self.width(Type::Ptr);
        let base = self.operand(*base, width);
        let mut delta = i128::from(*constant);
        for term in terms {
            let index = self.forced(term.index, term.width)?;
            delta = delta.wrapping_add(signed(index.bits, term.width) * i128::from(term.scale));
        }
        let bits = base.bits.wrapping_add(delta.cast_unsigned()) & mask(width);
        self.set(*dst, base.with_bits(bits));
        Ok(())
    }
}

/// Whether a result without provenance depends on where objects lie: not if both are in one
/// object and subtracted.
fn uses_address_as_number(op: BinaryOp, a: Value, b: Value) -> bool {
    let same = a.provenance == b.provenance;
    (a.provenance.is_some() || b.provenance.is_some()) && !(op == BinaryOp::Sub && same)
}
