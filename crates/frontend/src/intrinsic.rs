//! LLVM's intrinsic functions.

use unravel_program::{
    Access, BinaryOp, BitsOp, CompareOp, FloatOp, Op, Operand, Ordering, Primitive, Type, WORD,
};

use crate::function::Body;
use crate::llvm::Value;
use crate::lower::What;

/// What an intrinsic does.
#[derive(Clone, Copy)]
enum Meaning {
    /// Nothing that could be observed.
    Nothing,
    /// Its result is its first argument.
    First,
    /// Its result is 0.
    Zero,
    /// Nothing is known about the size of an object: 0 or −1 as the second argument says.
    ObjectSize,
    /// `memcpy`, or `memmove` if true.
    Copy(bool),
    Set,
    /// An integer operation with so many operands; further arguments are hints.
    Bits(BitsOp, usize),
    /// An integer operation with a second result.
    Overflow(BitsOp),
    /// A floating point operation with so many operands.
    Float(FloatOp, usize),
    /// `a * b + c`, rounded twice as the target does that has no fused instruction.
    MulAdd,
    /// Whether a number is of one of some classes.
    FloatClass,
    /// A fence between threads.
    Fence,
    /// Fails the program.
    Trap,
    /// `llvm.dbg.value`.
    Variable,
    /// A block begins, or ends if false, that declares a local.
    BlockLocal(bool),
    /// `va_start`.
    ArgumentsBegin,
    /// `va_copy`.
    ArgumentsCopy,
    /// Not modelled.
    Unsupported(&'static str),
}

impl<'m> Body<'_, 'm> {
    /// Lowers a call of `llvm.NAME`.
    pub(crate) fn intrinsic(&mut self, at: Value<'m>, name: &str) -> Result<(), What> {
        match meaning(name) {
            Some(Meaning::Nothing) => Ok(()),
            Some(Meaning::First) => {
                let value = self.operand_of(at, 0)?;
                self.copy_to(at, value)
            }
            Some(Meaning::Zero) => self.copy_to(at, Operand::Int(0)),
            Some(Meaning::ObjectSize) => self.object_size(at),
            Some(Meaning::Copy(may_overlap)) => self.memory_copy(at, may_overlap),
            Some(Meaning::Set) => self.memory_set(at),
            Some(Meaning::Bits(BitsOp::Abs, _)) if is_exact(at) => self.exact_abs(at),
            Some(Meaning::Bits(op, arity)) => self.bits(at, op, arity),
            Some(Meaning::Overflow(op)) => self.overflow(at, op),
            Some(Meaning::Float(op, arity)) => self.float_call(at, op, arity),
            Some(Meaning::MulAdd) => self.mul_add(at),
            Some(Meaning::FloatClass) => self.float_class(at),
            Some(Meaning::Fence) => {
                self.emit(Op::Fence { ordering: Ordering::SequentiallyConsistent });
                Ok(())
            }
            Some(Meaning::Trap) => {
                let trap = Primitive::named("__builtin_trap").ok_or("a trap")?;
                self.library(trap, Vec::new(), &[])
            }
            Some(Meaning::Variable) => self.variable(at),
            Some(Meaning::BlockLocal(begins)) => self.block_local(at, begins),
            Some(Meaning::ArgumentsBegin) => self.arguments_begin(at),
            Some(Meaning::ArgumentsCopy) => self.arguments_copy(at),
            Some(Meaning::Unsupported(what)) => Err(what.into()),
            None => Err(format!("LLVM intrinsic `llvm.{name}`").into()),
        }
    }

    fn copy_to(&mut self, at: Value<'m>, value: Operand) -> Result<(), What> {
        let dst = self.result(at)?;
        self.emit(Op::Copy { dst, value });
        Ok(())
    }

    /// Fills a `va_list` so that all arguments are found in memory, as if there were none in registers.
    fn arguments_begin(&mut self, at: Value<'m>) -> Result<(), What> {
        let further = self.further.ok_or("a list of variable arguments")?;
        let list = self.operand_of(at, 0)?;
        if self.cx.target.pointer_bytes == 4 {
            self.store_in(list, 0, Type::Ptr, Operand::Reg(further));
            return Ok(());
        }
        // System V ABI, AMD64, 3.5.7: past the registers for integers, then for floats.
        self.store_in(list, 0, Type::Int(32), Operand::Int(48));
        self.store_in(list, 4, Type::Int(32), Operand::Int(176));
        self.store_in(list, 8, Type::Ptr, Operand::Reg(further));
        self.store_in(list, 16, Type::Ptr, Operand::Int(0));
        Ok(())
    }

    fn store_in(&mut self, base: Operand, constant: i64, ty: Type, value: Operand) {
        let dst = self.fresh(Type::Ptr);
        self.emit(Op::Offset { dst, base, constant, terms: Vec::new() });
        let (address, access) = (Operand::Reg(dst), Access::Plain);
        self.emit(Op::Store { ty, address, value, access });
    }

    fn arguments_copy(&mut self, at: Value<'m>) -> Result<(), What> {
        let (to, from) = (self.operand_of(at, 0)?, self.operand_of(at, 1)?);
        let pointer = self.cx.target.pointer_bytes;
        let length = Operand::Int(if pointer == 4 { 4 } else { 24 });
        self.emit(Op::MemoryCopy { to, from, length, may_overlap: false, unit: pointer });
        Ok(())
    }

    /// A local that lives in registers got a value; for reports only, so nothing can go wrong.
    fn variable(&mut self, at: Value<'m>) -> Result<(), What> {
        let Some((value, name)) = self.cx.debug.assigned(at) else { return Ok(()) };
        let Some(Ok(ty)) = value.ty().map(|ty| self.cx.scalar(ty)) else { return Ok(()) };
        match self.operand(value) {
            Ok(Operand::Undef) | Err(_) => {}
            Ok(value) => self.emit(Op::Variable { name, value, ty }),
        }
        Ok(())
    }

    fn object_size(&mut self, at: Value<'m>) -> Result<(), What> {
        let width = self.int_width(at)?;
        let is_minimum = at.operand(1).and_then(|it| it.int_bits()) == Some(1);
        let unknown = if is_minimum { 0 } else { crate::constant::mask(width) };
        self.copy_to(at, Operand::Int(unknown))
    }

    /// A number of bytes, of pointer width.
    fn length(&mut self, at: Value<'m>, index: u32) -> Result<Operand, What> {
        let value = at.operand(index).ok_or("a malformed call")?;
        let width = self.int_width(value)?;
        let value = self.operand(value)?;
        let pointer = Type::Int(self.cx.target.pointer_bits());
        Ok(self.converted(value, Type::Int(width), pointer))
    }

    fn memory_copy(&mut self, at: Value<'m>, may_overlap: bool) -> Result<(), What> {
        let (to, from) = (self.operand_of(at, 0)?, self.operand_of(at, 1)?);
        let length = self.length(at, 2)?;
        let unit = unit(at.argument_align(0).min(at.argument_align(1)), length);
        self.emit(Op::MemoryCopy { to, from, length, may_overlap, unit });
        Ok(())
    }

    fn memory_set(&mut self, at: Value<'m>) -> Result<(), What> {
        let (to, byte) = (self.operand_of(at, 0)?, self.operand_of(at, 1)?);
        let length = self.length(at, 2)?;
        let unit = unit(at.argument_align(0), length);
        self.emit(Op::MemorySet { to, byte, length, unit });
        Ok(())
    }

    fn first_operands(&mut self, at: Value<'m>, count: usize) -> Result<Vec<Operand>, What> {
        (0u32..).take(count).map(|index| self.operand_of(at, index)).collect()
    }

    fn bits(&mut self, at: Value<'m>, op: BitsOp, arity: usize) -> Result<(), What> {
        let width = self.int_width(at)?;
        let dst = self.result(at)?;
        let args = self.first_operands(at, arity)?;
        self.emit(Op::Bits { dst, overflow: None, op, width, args });
        Ok(())
    }

    /// `abs` of C, which is undefined where the result does not fit: the larger of a number and its
    /// negation, which must not wrap.
    fn exact_abs(&mut self, at: Value<'m>) -> Result<(), What> {
        let width = self.int_width(at)?;
        let (dst, value) = (self.result(at)?, self.operand_of(at, 0)?);
        let (condition, otherwise) = (self.fresh(Type::Int(1)), self.fresh(Type::Int(width)));
        let (ty, zero) = (Type::Int(width), Operand::Int(0));
        self.emit(Op::Compare { dst: condition, op: CompareOp::Slt, ty, lhs: value, rhs: zero });
        self.emit(Op::Binary {
            dst: otherwise,
            op: BinaryOp::Sub,
            width,
            lhs: zero,
            rhs: value,
            no_signed_wrap: true,
        });
        let (condition, then) = (Operand::Reg(condition), Operand::Reg(otherwise));
        self.emit(Op::Select { dst, condition, then, otherwise: value });
        Ok(())
    }

    fn overflow(&mut self, at: Value<'m>, op: BitsOp) -> Result<(), What> {
        let width = self.int_width(at.operand(0).ok_or("a malformed call")?)?;
        let results = self.results(at);
        let [dst, overflow] = results[..] else { return Err("a malformed call".into()) };
        let args = self.first_operands(at, 2)?;
        self.emit(Op::Bits { dst, overflow: Some(overflow), op, width, args });
        Ok(())
    }

    fn float_call(&mut self, at: Value<'m>, op: FloatOp, arity: usize) -> Result<(), What> {
        let ty = self.float_type(at)?;
        let dst = self.result(at)?;
        let args = self.first_operands(at, arity)?;
        self.emit(Op::Float { dst, op, ty, args });
        Ok(())
    }

    fn mul_add(&mut self, at: Value<'m>) -> Result<(), What> {
        let ty = self.float_type(at)?;
        let dst = self.result(at)?;
        let (a, b, c) = (self.operand_of(at, 0)?, self.operand_of(at, 1)?, self.operand_of(at, 2)?);
        let product = self.fresh(ty);
        self.emit(Op::Float { dst: product, op: FloatOp::Mul, ty, args: vec![a, b] });
        self.emit(Op::Float { dst, op: FloatOp::Add, ty, args: vec![Operand::Reg(product), c] });
        Ok(())
    }
}

/// Whether `llvm.abs` has no result for the least number: not with `-fwrapv`.
fn is_exact(at: Value<'_>) -> bool {
    at.operand(1).and_then(Value::int_bits) == Some(1)
}

/// How many bytes are copied in one step: as many as both ends are aligned to, since C copies a
/// structure member by member for all that other threads may know. Bytes go one by one if they are
/// few; a larger buffer of them goes by words, or its copy would have too many steps.
pub(crate) fn unit(align: u64, length: Operand) -> u8 {
    match (align, length) {
        (2.., _) => u8::try_from(align).unwrap_or(WORD).min(WORD),
        (_, Operand::Int(..=8)) => 1,
        _ => WORD,
    }
}

/// Whether an intrinsic has a meaning here.
pub(crate) fn is_known(name: &str) -> bool {
    !matches!(meaning(name), None | Some(Meaning::Unsupported(_)))
}

/// Looks a name up without the types at its end: `memcpy.p0.p0.i64` is `memcpy`.
fn meaning(name: &str) -> Option<Meaning> {
    let mut base = name;
    loop {
        if let Some(meaning) = hint(base).or_else(|| compute(base)) {
            return Some(meaning);
        }
        base = base.rsplit_once('.')?.0;
    }
}

/// Intrinsics about the program rather than of it, and those that are not modelled.
fn hint(base: &str) -> Option<Meaning> {
    Some(match base {
        "dbg.value" => Meaning::Variable,
        "lifetime.start" => Meaning::BlockLocal(true),
        "lifetime.end" => Meaning::BlockLocal(false),
        "dbg"
        | "assume"
        | "donothing"
        | "va_end"
        | "prefetch"
        | "stackrestore"
        | "var.annotation"
        | "codeview.annotation"
        | "invariant.end"
        | "sideeffect"
        | "pseudoprobe"
        | "experimental.noalias.scope.decl"
        | "x86.sse2.pause"
        | "clear_cache" => Meaning::Nothing,
        "expect"
        | "expect.with.probability"
        | "threadlocal.address"
        | "annotation"
        | "ptr.annotation"
        | "launder.invariant.group"
        | "strip.invariant.group"
        | "ssa.copy"
        | "arithmetic.fence" => Meaning::First,
        "is.constant" | "stacksave" | "invariant.start" => Meaning::Zero,
        "objectsize" => Meaning::ObjectSize,
        "trap" | "debugtrap" | "ubsantrap" => Meaning::Trap,
        "x86.sse2.mfence" => Meaning::Fence,
        "va_start" => Meaning::ArgumentsBegin,
        "va_copy" => Meaning::ArgumentsCopy,
        "eh.sjlj.setjmp" => Meaning::Unsupported("setjmp"),
        "eh.sjlj.longjmp" => Meaning::Unsupported("longjmp"),
        "memcpy.element.unordered.atomic"
        | "memmove.element.unordered.atomic"
        | "memset.element.unordered.atomic" => Meaning::Unsupported("an element-wise atomic copy"),
        _ => return None,
    })
}

/// Intrinsics that compute or copy.
fn compute(base: &str) -> Option<Meaning> {
    use Meaning::{Bits, Float, Overflow};
    Some(match base {
        "memcpy" | "memcpy.inline" => Meaning::Copy(false),
        "memmove" => Meaning::Copy(true),
        "memset" | "memset.inline" => Meaning::Set,
        "ctpop" => Bits(BitsOp::PopCount, 1),
        "ctlz" => Bits(BitsOp::LeadingZeros, 1),
        "cttz" => Bits(BitsOp::TrailingZeros, 1),
        "bswap" => Bits(BitsOp::ByteSwap, 1),
        "bitreverse" => Bits(BitsOp::BitReverse, 1),
        "abs" => Bits(BitsOp::Abs, 1),
        "fshl" => Bits(BitsOp::FunnelShiftLeft, 3),
        "fshr" => Bits(BitsOp::FunnelShiftRight, 3),
        "smin" => Bits(BitsOp::SMin, 2),
        "smax" => Bits(BitsOp::SMax, 2),
        "umin" => Bits(BitsOp::UMin, 2),
        "umax" => Bits(BitsOp::UMax, 2),
        "sadd.sat" => Bits(BitsOp::SAddSat, 2),
        "uadd.sat" => Bits(BitsOp::UAddSat, 2),
        "ssub.sat" => Bits(BitsOp::SSubSat, 2),
        "usub.sat" => Bits(BitsOp::USubSat, 2),
        "sadd.with.overflow" => Overflow(BitsOp::SAddOverflow),
        "uadd.with.overflow" => Overflow(BitsOp::UAddOverflow),
        "ssub.with.overflow" => Overflow(BitsOp::SSubOverflow),
        "usub.with.overflow" => Overflow(BitsOp::USubOverflow),
        "smul.with.overflow" => Overflow(BitsOp::SMulOverflow),
        "umul.with.overflow" => Overflow(BitsOp::UMulOverflow),
        "fabs" => Float(FloatOp::Abs, 1),
        "sqrt" => Float(FloatOp::Sqrt, 1),
        "floor" => Float(FloatOp::Floor, 1),
        "ceil" => Float(FloatOp::Ceil, 1),
        "trunc" => Float(FloatOp::Trunc, 1),
        "round" => Float(FloatOp::Round, 1),
        "rint" | "nearbyint" | "roundeven" => Float(FloatOp::Rint, 1),
        "fma" => Float(FloatOp::MulAdd, 3),
        "fmuladd" => Meaning::MulAdd,
        "is.fpclass" => Meaning::FloatClass,
        "minnum" => Float(FloatOp::Min, 2),
        "maxnum" => Float(FloatOp::Max, 2),
        "copysign" => Float(FloatOp::CopySign, 2),
        _ => return None,
    })
}
