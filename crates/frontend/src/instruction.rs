//! Instructions that compute: arithmetic, comparisons, conversions, addresses.

use unravel_program::{
    BinaryOp, CastOp, CompareOp, FloatCompareOp, FloatOp, OffsetTerm, Op, Operand, Reg, Type,
};

use crate::constant::mask;
use crate::function::Body;
use crate::llvm::{IntPredicate, Opcode, RealPredicate, TypeKind, Value};
use crate::lower::What;

impl<'m> Body<'_, 'm> {
    /// Lowers an instruction other than a terminator.
    pub(crate) fn instruction(&mut self, at: Value<'m>) -> Result<(), What> {
        let Some(opcode) = at.opcode() else { return Err("a malformed instruction".into()) };
        match opcode {
            Opcode::LLVMPHI => Ok(()),
            Opcode::LLVMExtractValue | Opcode::LLVMInsertValue => {
                let leaves = self.rearranged(at)?;
                self.define(at, leaves);
                Ok(())
            }
            Opcode::LLVMAlloca => self.alloca(at),
            Opcode::LLVMLoad => self.load(at),
            Opcode::LLVMStore => self.store(at),
            Opcode::LLVMAtomicRMW => self.read_modify_write(at),
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(at),
            Opcode::LLVMFence => self.fence(at),
            Opcode::LLVMCall => self.call(at),
            Opcode::LLVMFreeze => self.freeze(at),
            Opcode::LLVMSelect => self.select(at),
            Opcode::LLVMVAArg => Err("a list of variable arguments".into()),
            Opcode::LLVMLandingPad | Opcode::LLVMCleanupPad | Opcode::LLVMCatchPad => {
                Err("exception handling".into())
            }
            _ => {
                let value = self.operation(at)?;
                self.define(at, vec![value]);
                Ok(())
            }
        }
    }

    /// Lowers an instruction or constant expression that computes one scalar from others.
    pub(crate) fn operation(&mut self, at: Value<'m>) -> Result<Operand, What> {
        let Some(opcode) = at.opcode() else { return Err("a malformed instruction".into()) };
        match opcode {
            Opcode::LLVMGetElementPtr => return self.offset(at),
            Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast => return self.reinterpret(at, opcode),
            _ => {}
        }
        match (opcode, binary_op(opcode), float_op(opcode)) {
            (Opcode::LLVMICmp, ..) => self.compare(at),
            (Opcode::LLVMFCmp, ..) => self.float_compare(at),
            (_, Some(op), _) => self.binary(at, op),
            (_, _, Some((op, arity))) => self.float(at, op, arity),
            _ => self.cast(at, opcode),
        }
    }

    /// Emits an instruction with one result.
    pub(crate) fn compute(&mut self, ty: Type, op: impl FnOnce(Reg) -> Op) -> Operand {
        let dst = self.fresh(ty);
        self.emit(op(dst));
        Operand::Reg(dst)
    }

    /// Width of a value that is an integer proper, not a vector.
    pub(crate) fn int_width(&self, value: Value<'m>) -> Result<u16, What> {
        let ty = value.ty().ok_or_else(|| What::from("a malformed value"))?;
        self.cx.int_width(ty)
    }

    /// `F32` or `F64`, for a value that is no vector.
    pub(crate) fn float_type(&self, value: Value<'m>) -> Result<Type, What> {
        let ty = value.ty().ok_or_else(|| What::from("a malformed value"))?;
        match ty.kind() {
            TypeKind::LLVMFloatTypeKind => Ok(Type::F32),
            TypeKind::LLVMDoubleTypeKind => Ok(Type::F64),
            TypeKind::LLVMVectorTypeKind => Err("a vector operation".into()),
            _ => self.cx.scalar(ty).and(Err("a float of an unknown type".into())),
        }
    }

    fn first(&self, at: Value<'m>) -> Result<Value<'m>, What> {
        at.operand(0).ok_or_else(|| What::from("a malformed instruction"))
    }

    fn binary(&mut self, at: Value<'m>, op: BinaryOp) -> Result<Operand, What> {
        let width = self.int_width(at)?;
        let (lhs, rhs) = (self.operand_of(at, 0)?, self.operand_of(at, 1)?);
        let is_signed_shift = at.is_signed_shift();
        let op = if is_signed_shift { BinaryOp::SignedShl } else { op };
        let no_signed_wrap = at.no_signed_wrap() && !is_signed_shift;
        let result = |dst| Op::Binary { dst, op, width, lhs, rhs, no_signed_wrap };
        Ok(self.compute(Type::Int(width), result))
    }

    fn float(&mut self, at: Value<'m>, op: FloatOp, arity: u32) -> Result<Operand, What> {
        let ty = self.float_type(at)?;
        let args = (0..arity).map(|index| self.operand_of(at, index)).collect::<Result<_, _>>()?;
        Ok(self.compute(ty, |dst| Op::Float { dst, op, ty, args }))
    }

    fn compare(&mut self, at: Value<'m>) -> Result<Operand, What> {
        let first = self.first(at)?;
        let is_pointer = first.ty().is_some_and(|ty| ty.address_space().is_some());
        let ty = if is_pointer { Type::Ptr } else { Type::Int(self.int_width(first)?) };
        let op = at.int_predicate().map(compare_op).ok_or("a malformed comparison")?;
        let (lhs, rhs) = (self.operand_of(at, 0)?, self.operand_of(at, 1)?);
        Ok(self.compute(Type::Int(1), |dst| Op::Compare { dst, op, ty, lhs, rhs }))
    }

    fn float_compare(&mut self, at: Value<'m>) -> Result<Operand, What> {
        let ty = self.float_type(self.first(at)?)?;
        let op = at.real_predicate().map(float_compare_op).ok_or("a malformed comparison")?;
        let (lhs, rhs) = (self.operand_of(at, 0)?, self.operand_of(at, 1)?);
        Ok(self.compute(Type::Int(1), |dst| Op::FloatCompare { dst, op, ty, lhs, rhs }))
    }

    fn freeze(&mut self, at: Value<'m>) -> Result<(), What> {
        let values = self.operands(self.first(at)?)?;
        for (dst, value) in self.results(at).into_iter().zip(values) {
            self.emit(Op::Copy { dst, value });
        }
        Ok(())
    }

    fn select(&mut self, at: Value<'m>) -> Result<(), What> {
        let condition = self.first(at)?;
        if self.int_width(condition)? != 1 {
            return Err("a malformed selection".into());
        }
        let condition = self.operand(condition)?;
        let odd = || What::from("a malformed selection");
        let then = self.operands(at.operand(1).ok_or_else(odd)?)?;
        let otherwise = self.operands(at.operand(2).ok_or_else(odd)?)?;
        for ((dst, then), otherwise) in self.results(at).into_iter().zip(then).zip(otherwise) {
            self.emit(Op::Select { dst, condition, then, otherwise });
        }
        Ok(())
    }

    fn offset(&mut self, at: Value<'m>) -> Result<Operand, What> {
        if at.ty().is_none_or(|ty| ty.address_space().is_none()) {
            return Err("a vector operation".into());
        }
        let steps = self.cx.steps(at)?;
        let base = self.operand(steps.base)?;
        let mut terms = Vec::new();
        for (index, scale) in steps.terms {
            let width = self.int_width(index)?;
            terms.push(OffsetTerm { index: self.operand(index)?, width, scale });
        }
        let constant = steps.constant;
        if constant == 0 && terms.is_empty() {
            return Ok(base);
        }
        Ok(self.compute(Type::Ptr, |dst| Op::Offset { dst, base, constant, terms }))
    }

    fn cast(&mut self, at: Value<'m>, opcode: Opcode) -> Result<Operand, What> {
        let inner = self.first(at)?;
        let int = |body: &Self, value| body.int_width(value).map(Type::Int);
        let (op, from, to) = match opcode {
            Opcode::LLVMTrunc => (CastOp::Truncate, int(self, inner)?, int(self, at)?),
            Opcode::LLVMZExt => (CastOp::ZeroExtend, int(self, inner)?, int(self, at)?),
            Opcode::LLVMSExt => (CastOp::SignExtend, int(self, inner)?, int(self, at)?),
            Opcode::LLVMFPToSI => (CastOp::FloatToSigned, self.float_type(inner)?, int(self, at)?),
            Opcode::LLVMFPToUI => {
                (CastOp::FloatToUnsigned, self.float_type(inner)?, int(self, at)?)
            }
            Opcode::LLVMSIToFP => (CastOp::SignedToFloat, int(self, inner)?, self.float_type(at)?),
            Opcode::LLVMUIToFP => {
                (CastOp::UnsignedToFloat, int(self, inner)?, self.float_type(at)?)
            }
            Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => {
                (CastOp::FloatToFloat, self.float_type(inner)?, self.float_type(at)?)
            }
            Opcode::LLVMExtractElement | Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector => {
                return Err("a vector operation".into());
            }
            _ => return Err("an instruction of an unknown kind".into()),
        };
        let value = self.operand(inner)?;
        Ok(self.cast_to(op, value, from, to))
    }

    /// Conversions that keep the bits, those between addresses and integers of any width too.
    fn reinterpret(&mut self, at: Value<'m>, opcode: Opcode) -> Result<Operand, What> {
        let inner = self.first(at)?;
        let odd = || What::from("a malformed conversion");
        let from = self.cx.scalar(inner.ty().ok_or_else(odd)?)?;
        let to = self.cx.scalar(at.ty().ok_or_else(odd)?)?;
        let bits = |ty: Type| ty.bits(self.cx.target);
        if opcode == Opcode::LLVMBitCast && bits(from) != bits(to) {
            return Err(odd());
        }
        let is_vector = |value: Value<'_>| {
            value.ty().is_some_and(|ty| ty.kind() == TypeKind::LLVMVectorTypeKind)
        };
        if opcode != Opcode::LLVMBitCast && (is_vector(at) || is_vector(inner)) {
            return Err("a vector operation".into());
        }
        let value = self.operand(inner)?;
        Ok(self.converted(value, from, to))
    }

    /// A value of one scalar type as one of another: same bits, with zeros added or high bits
    /// dropped where the widths differ.
    pub(crate) fn converted(&mut self, value: Operand, from: Type, to: Type) -> Operand {
        let pointer = Type::Int(self.cx.target.pointer_bits());
        let (from_bits, to_bits) = (from.bits(self.cx.target), to.bits(self.cx.target));
        if from == to || value == Operand::Undef {
            return value;
        }
        if let Operand::Int(bits) = value {
            return Operand::Int(bits & mask(from_bits) & mask(to_bits));
        }
        match (from, to) {
            (Type::Int(_), Type::Int(_)) => {
                let op = if from_bits < to_bits { CastOp::ZeroExtend } else { CastOp::Truncate };
                self.cast_to(op, value, from, to)
            }
            (Type::Ptr, _) => {
                let value = self.cast_to(CastOp::PtrToInt, value, Type::Ptr, pointer);
                self.converted(value, pointer, to)
            }
            (_, Type::Ptr) => {
                let value = self.converted(value, from, pointer);
                self.cast_to(CastOp::IntToPtr, value, pointer, Type::Ptr)
            }
            _ if from_bits == to_bits => self.cast_to(CastOp::Bitcast, value, from, to),
            (Type::Int(_), _) => {
                let value = self.converted(value, from, Type::Int(to_bits));
                self.cast_to(CastOp::Bitcast, value, Type::Int(to_bits), to)
            }
            _ => {
                let bits = Type::Int(from_bits);
                let value = self.cast_to(CastOp::Bitcast, value, from, bits);
                self.converted(value, bits, to)
            }
        }
    }

    fn cast_to(&mut self, op: CastOp, value: Operand, from: Type, to: Type) -> Operand {
        self.compute(to, |dst| Op::Cast { dst, op, from, to, value })
    }
}

fn binary_op(opcode: Opcode) -> Option<BinaryOp> {
    Some(match opcode {
        Opcode::LLVMAdd => BinaryOp::Add,
        Opcode::LLVMSub => BinaryOp::Sub,
        Opcode::LLVMMul => BinaryOp::Mul,
        Opcode::LLVMUDiv => BinaryOp::UDiv,
        Opcode::LLVMSDiv => BinaryOp::SDiv,
        Opcode::LLVMURem => BinaryOp::URem,
        Opcode::LLVMSRem => BinaryOp::SRem,
        Opcode::LLVMShl => BinaryOp::Shl,
        Opcode::LLVMLShr => BinaryOp::LShr,
        Opcode::LLVMAShr => BinaryOp::AShr,
        Opcode::LLVMAnd => BinaryOp::And,
        Opcode::LLVMOr => BinaryOp::Or,
        Opcode::LLVMXor => BinaryOp::Xor,
        _ => return None,
    })
}

/// The operation, with its number of operands.
fn float_op(opcode: Opcode) -> Option<(FloatOp, u32)> {
    Some(match opcode {
        Opcode::LLVMFAdd => (FloatOp::Add, 2),
        Opcode::LLVMFSub => (FloatOp::Sub, 2),
        Opcode::LLVMFMul => (FloatOp::Mul, 2),
        Opcode::LLVMFDiv => (FloatOp::Div, 2),
        Opcode::LLVMFRem => (FloatOp::Rem, 2),
        Opcode::LLVMFNeg => (FloatOp::Neg, 1),
        _ => return None,
    })
}

fn compare_op(predicate: IntPredicate) -> CompareOp {
    match predicate {
        IntPredicate::LLVMIntEQ => CompareOp::Eq,
        IntPredicate::LLVMIntNE => CompareOp::Ne,
        IntPredicate::LLVMIntUGT => CompareOp::Ugt,
        IntPredicate::LLVMIntUGE => CompareOp::Uge,
        IntPredicate::LLVMIntULT => CompareOp::Ult,
        IntPredicate::LLVMIntULE => CompareOp::Ule,
        IntPredicate::LLVMIntSGT => CompareOp::Sgt,
        IntPredicate::LLVMIntSGE => CompareOp::Sge,
        IntPredicate::LLVMIntSLT => CompareOp::Slt,
        IntPredicate::LLVMIntSLE => CompareOp::Sle,
    }
}

fn float_compare_op(predicate: RealPredicate) -> FloatCompareOp {
    match predicate {
        RealPredicate::LLVMRealPredicateFalse => FloatCompareOp::False,
        RealPredicate::LLVMRealOEQ => FloatCompareOp::Oeq,
        RealPredicate::LLVMRealOGT => FloatCompareOp::Ogt,
        RealPredicate::LLVMRealOGE => FloatCompareOp::Oge,
        RealPredicate::LLVMRealOLT => FloatCompareOp::Olt,
        RealPredicate::LLVMRealOLE => FloatCompareOp::Ole,
        RealPredicate::LLVMRealONE => FloatCompareOp::One,
        RealPredicate::LLVMRealORD => FloatCompareOp::Ord,
        RealPredicate::LLVMRealUNO => FloatCompareOp::Uno,
        RealPredicate::LLVMRealUEQ => FloatCompareOp::Ueq,
        RealPredicate::LLVMRealUGT => FloatCompareOp::Ugt,
        RealPredicate::LLVMRealUGE => FloatCompareOp::Uge,
        RealPredicate::LLVMRealULT => FloatCompareOp::Ult,
        RealPredicate::LLVMRealULE => FloatCompareOp::Ule,
        RealPredicate::LLVMRealUNE => FloatCompareOp::Une,
        RealPredicate::LLVMRealPredicateTrue => FloatCompareOp::True,
    }
}
