//! Constants, and constant expressions folded with the layout of the target.

use unravel_kinds::Untranslated;
use unravel_program::library::is_library_variable;
use unravel_program::{Operand, Type};

use crate::function::Body;
use crate::llvm::{Opcode, Ty, TypeKind, Value, ValueKind};
use crate::lower::{Lowering, What};

/// How deep constant expressions may nest; clang's do so by a few levels.
const DEPTH: usize = 200;

/// Steps of a `getelementptr`: base, fixed bytes, and variable indices with their scales.
pub(crate) struct Steps<'m> {
    pub(crate) base: Value<'m>,
    pub(crate) constant: i64,
    pub(crate) terms: Vec<(Value<'m>, i64)>,
}

/// The low `width` bits.
pub(crate) fn mask(width: u16) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The low `width` bits of `bits`, as a signed number.
pub(crate) fn sign_extend(bits: u128, width: u16) -> i128 {
    let shift = 128 - u32::from(width.clamp(1, 128));
    (bits << shift).cast_signed() >> shift
}

/// Whether a variable is defined in no file, and not by the C library either.
fn is_missing(global: Value<'_>) -> bool {
    global.is_declaration() && !is_library_variable(&global.name())
}

impl<'m> Lowering<'m> {
    /// A constant scalar as one operand; `None` if it is none, or has no value before run time.
    pub(crate) fn fold(&mut self, value: Value<'m>) -> Option<Operand> {
        self.fold_within(value, DEPTH)
    }

    fn fold_within(&mut self, value: Value<'m>, depth: usize) -> Option<Operand> {
        let depth = depth.checked_sub(1)?;
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind => value.int_bits().map(Operand::Int),
            ValueKind::LLVMConstantFPValueKind => value.float_bits().map(Operand::Int),
            ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind => Some(Operand::Int(0)),
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {
                Some(Operand::Undef)
            }
            ValueKind::LLVMGlobalVariableValueKind if is_missing(value) => None,
            ValueKind::LLVMGlobalVariableValueKind => {
                self.globals.get(&value).map(|id| Operand::Global(*id, 0))
            }
            ValueKind::LLVMFunctionValueKind => {
                Some(Operand::Function(self.function_address(value)))
            }
            ValueKind::LLVMGlobalAliasValueKind => self.fold_within(value.aliasee()?, depth),
            ValueKind::LLVMConstantVectorValueKind | ValueKind::LLVMConstantDataVectorValueKind => {
                self.fold_vector(value, depth)
            }
            ValueKind::LLVMConstantExprValueKind => self.fold_expression(value, depth),
            _ => None,
        }
    }

    /// A vector is the integer that its elements make, the first in the low bits.
    fn fold_vector(&mut self, value: Value<'m>, depth: usize) -> Option<Operand> {
        let ty = value.ty()?;
        let width = self.scalar(ty.element()?).ok()?.bits(self.target);
        let mut bits = 0;
        for index in 0..ty.length().filter(|length| *length <= 128)? {
            let element = match self.fold_within(value.element(index)?, depth)? {
                Operand::Int(bits) => bits,
                Operand::Undef => 0,
                _ => return None,
            };
            bits |= element.checked_shl(u32::from(width) * u32::try_from(index).ok()?)?;
        }
        Some(Operand::Int(bits))
    }

    fn fold_expression(&mut self, value: Value<'m>, depth: usize) -> Option<Operand> {
        let opcode = value.opcode()?;
        let to = self.scalar(value.ty()?).ok()?;
        match opcode {
            Opcode::LLVMGetElementPtr => self.fold_address(value, depth),
            Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMTrunc
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast => {
                let inner = value.operand(0)?;
                let from = self.scalar(inner.ty()?).ok()?;
                let folded = self.fold_within(inner, depth)?;
                self.fold_cast(folded, from, to)
            }
            _ => {
                let left = self.fold_within(value.operand(0)?, depth)?;
                let right = self.fold_within(value.operand(1)?, depth)?;
                fold_binary(opcode, left, right, to.bits(self.target))
            }
        }
    }

    /// Zero-extends or truncates; an address stays one only at its full width.
    fn fold_cast(&self, value: Operand, from: Type, to: Type) -> Option<Operand> {
        let (from, to) = (from.bits(self.target), to.bits(self.target));
        match value {
            Operand::Int(bits) => Some(Operand::Int(bits & mask(from) & mask(to))),
            Operand::Undef => Some(Operand::Undef),
            _ => (from == to).then_some(value),
        }
    }

    fn fold_address(&mut self, value: Value<'m>, depth: usize) -> Option<Operand> {
        let steps = self.steps(value).ok()?;
        if !steps.terms.is_empty() {
            return None;
        }
        let base = self.fold_within(steps.base, depth)?;
        self.displaced(base, steps.constant)
    }

    /// A constant address plus some bytes.
    pub(crate) fn displaced(&self, base: Operand, bytes: i64) -> Option<Operand> {
        match base {
            Operand::Global(id, offset) => Some(Operand::Global(id, offset.wrapping_add(bytes))),
            Operand::Int(address) => {
                let sum = address.wrapping_add(i128::from(bytes).cast_unsigned());
                Some(Operand::Int(sum & mask(self.target.pointer_bits())))
            }
            other => (bytes == 0).then_some(other),
        }
    }

    /// Takes a `getelementptr` apart.
    pub(crate) fn steps(&self, value: Value<'m>) -> Result<Steps<'m>, What> {
        let odd = || "address arithmetic on a type of unknown size".to_owned();
        let mut at: Option<Ty<'m>> = value.gep_source();
        let base = value.operand(0).ok_or_else(odd)?;
        let mut steps = Steps { base, constant: 0, terms: Vec::new() };
        for (position, index) in
            (1..value.operand_count()).filter_map(|it| value.operand(it)).enumerate()
        {
            let ty = at.ok_or_else(odd)?;
            // The first index steps over whole objects, the others into them.
            let (element, size) = match position {
                0 => (Some(ty), self.layout.size(ty)),
                _ if ty.members().is_some() => {
                    let member =
                        index.int_bits().and_then(|it| usize::try_from(it).ok()).ok_or_else(odd)?;
                    let offset = self.layout.member_offset(ty, member).ok_or_else(odd)?;
                    steps.constant = steps.constant.wrapping_add(offset.cast_signed());
                    at = ty.members().and_then(|it| it.get(member).copied());
                    continue;
                }
                _ => (ty.element(), ty.element().and_then(|it| self.layout.size(it))),
            };
            steps.add(index, size.ok_or_else(odd)?.cast_signed());
            at = element;
        }
        Ok(steps)
    }
}

impl<'m> Steps<'m> {
    fn add(&mut self, index: Value<'m>, scale: i64) {
        let width = index.ty().and_then(|ty| ty.int_width()).and_then(|it| u16::try_from(it).ok());
        match (index.int_bits(), width) {
            (Some(bits), Some(width)) => {
                #[allow(clippy::cast_possible_truncation, reason = "addresses wrap around")]
                let index = sign_extend(bits, width) as i64;
                self.constant = self.constant.wrapping_add(index.wrapping_mul(scale));
            }
            _ => self.terms.push((index, scale)),
        }
    }
}

fn fold_binary(opcode: Opcode, left: Operand, right: Operand, width: u16) -> Option<Operand> {
    #[allow(clippy::cast_possible_truncation, reason = "offsets wrap around")]
    let offset = |bits: u128| sign_extend(bits, width) as i64;
    match (opcode, left, right) {
        (_, Operand::Int(left), Operand::Int(right)) => {
            let bits = match opcode {
                Opcode::LLVMAdd => left.wrapping_add(right),
                Opcode::LLVMSub => left.wrapping_sub(right),
                Opcode::LLVMMul => left.wrapping_mul(right),
                Opcode::LLVMXor => left ^ right,
                Opcode::LLVMAnd => left & right,
                Opcode::LLVMOr => left | right,
                Opcode::LLVMShl => left.checked_shl(u32::try_from(right).ok()?)?,
                _ => return None,
            };
            Some(Operand::Int(bits & mask(width)))
        }
        (Opcode::LLVMAdd, Operand::Global(id, at), Operand::Int(bits))
        | (Opcode::LLVMAdd, Operand::Int(bits), Operand::Global(id, at)) => {
            Some(Operand::Global(id, at.wrapping_add(offset(bits))))
        }
        (Opcode::LLVMSub, Operand::Global(id, at), Operand::Int(bits)) => {
            Some(Operand::Global(id, at.wrapping_sub(offset(bits))))
        }
        (Opcode::LLVMSub, Operand::Global(id, left), Operand::Global(other, right))
            if id == other =>
        {
            let difference = i128::from(left.wrapping_sub(right)).cast_unsigned();
            Some(Operand::Int(difference & mask(width)))
        }
        _ => None,
    }
}

impl<'m> Body<'_, 'm> {
    /// The leaves of a constant; what does not fold is computed here and now.
    pub(crate) fn constant(&mut self, value: Value<'m>) -> Result<Vec<Operand>, What> {
        let odd = || What::from("a malformed constant");
        let ty = value.ty().ok_or_else(odd)?;
        let leaves = self.cx.leaves(ty)?;
        let is_aggregate = ty.members().is_some() || ty.kind() == TypeKind::LLVMArrayTypeKind;
        if !is_aggregate {
            return Ok(vec![self.constant_scalar(value)?]);
        }
        match value.kind() {
            ValueKind::LLVMConstantAggregateZeroValueKind => {
                Ok(vec![Operand::Int(0); leaves.len()])
            }
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {
                Ok(vec![Operand::Undef; leaves.len()])
            }
            _ => {
                let mut operands = Vec::new();
                for element in (0u64..).map_while(|index| value.element(index)) {
                    operands.extend(self.constant(element)?);
                }
                (operands.len() == leaves.len()).then_some(operands).ok_or_else(odd)
            }
        }
    }

    fn constant_scalar(&mut self, value: Value<'m>) -> Result<Operand, What> {
        if let Some(operand) = self.cx.fold(value) {
            return Ok(operand);
        }
        match value.kind() {
            ValueKind::LLVMConstantExprValueKind => self.operation(value),
            ValueKind::LLVMBlockAddressValueKind => Err("the address of a label".into()),
            ValueKind::LLVMGlobalVariableValueKind => {
                Err(Untranslated::MissingVariable(value.name()))
            }
            ValueKind::LLVMGlobalIFuncValueKind => {
                Err(format!("the function `{}` that is chosen at load time", value.name()).into())
            }
            _ => Err("a constant of an unknown kind".into()),
        }
    }
}
