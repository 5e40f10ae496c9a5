//! Library functions that are instructions here: `memcpy`, `sqrt`, and in `atomic` those like
//! `__atomic_load_16`.
//!
//! clang itself turns most calls of them into intrinsics or instructions; what arrives here is
//! the rest (`-fno-builtin`, calls through pointers, wide atomics).

use unravel_program::{FloatOp, Op, Operand, Ordering, Reg, Type};

use crate::function::Body;
use crate::intrinsic::unit;
use crate::lower::What;

/// Arguments of a call with their types.
pub(crate) type Args<'a> = &'a [(Type, Operand)];

impl Body<'_, '_> {
    /// Lowers a call of a function without a body, if it is one of these.
    pub(crate) fn runtime(
        &mut self,
        name: &str,
        args: Args<'_>,
        results: &[Reg],
    ) -> Result<bool, What> {
        if let Some(call) = memory_function(name) {
            return Ok(self.memory_function(call, args, results));
        }
        if let Some((op, arity)) = math_function(name) {
            return Ok(self.math_function(op, arity, args, results));
        }
        if name == "__sync_synchronize" {
            self.emit(Op::Fence { ordering: Ordering::SequentiallyConsistent });
            return Ok(true);
        }
        if !name.starts_with("__atomic_") && !name.starts_with("__sync_") {
            return Ok(false);
        }
        match self.atomic_function(name, args, results) {
            Some(()) => Ok(true),
            None => Err(format!("the atomic function `{name}`").into()),
        }
    }

    fn memory_function(&mut self, call: MemoryCall, args: Args<'_>, results: &[Reg]) -> bool {
        let at = |index: usize| args.get(index).copied();
        let (Some((Type::Ptr, to)), Some(second), Some((Type::Int(width), length))) =
            (at(call.to), at(call.other.unwrap_or(call.to)), at(call.length))
        else {
            return false;
        };
        let pointer = Type::Int(self.cx.target.pointer_bits());
        let length = self.converted(length, Type::Int(width), pointer);
        match (call.kind, call.other) {
            (Kind::Copy { may_overlap }, _) => {
                let unit = unit(1, length);
                self.emit(Op::MemoryCopy { to, from: second.1, length, may_overlap, unit });
            }
            (Kind::Set, Some(_)) => {
                let byte = self.converted(second.1, second.0, Type::Int(8));
                let unit = unit(1, length);
                self.emit(Op::MemorySet { to, byte, length, unit });
            }
            (Kind::Set, None) => {
                let (byte, unit) = (Operand::Int(0), unit(1, length));
                self.emit(Op::MemorySet { to, byte, length, unit });
            }
        }
        self.return_value(to, Type::Ptr, results);
        true
    }

    fn math_function(
        &mut self,
        op: FloatOp,
        arity: usize,
        args: Args<'_>,
        results: &[Reg],
    ) -> bool {
        let ([dst], Some((ty @ (Type::F32 | Type::F64), _))) = (results, args.first().copied())
        else {
            return false;
        };
        if args.len() != arity || args.iter().any(|(it, _)| *it != ty) {
            return false;
        }
        let args = args.iter().map(|(_, operand)| *operand).collect();
        self.emit(Op::Float { dst: *dst, op, ty, args });
        true
    }

    /// Gives a value of type `ty` to the call's result, if it has one.
    pub(crate) fn return_value(&mut self, value: Operand, ty: Type, results: &[Reg]) {
        let [dst] = results else { return };
        let value = self.converted(value, ty, self.type_of(*dst));
        self.emit(Op::Copy { dst: *dst, value });
    }
}

/// Positions of the arguments of a function that copies or fills memory.
#[derive(Clone, Copy)]
struct MemoryCall {
    kind: Kind,
    to: usize,
    /// The source or the byte; without one the byte is 0.
    other: Option<usize>,
    length: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Copy { may_overlap: bool },
    Set,
}

fn memory_function(name: &str) -> Option<MemoryCall> {
    let copy = |may_overlap, to, from| MemoryCall {
        kind: Kind::Copy { may_overlap },
        to,
        other: Some(from),
        length: 2,
    };
    let set = |other, length| MemoryCall { kind: Kind::Set, to: 0, other, length };
    Some(match name {
        "memcpy" | "__memcpy_chk" => copy(false, 0, 1),
        "memmove" | "__memmove_chk" => copy(true, 0, 1),
        "bcopy" => copy(true, 1, 0),
        "memset" | "__memset_chk" => set(Some(1), 2),
        "bzero" | "explicit_bzero" => set(None, 1),
        _ => return None,
    })
}

/// The operation of a function of `<math.h>`, with its number of operands.
fn math_function(name: &str) -> Option<(FloatOp, usize)> {
    Some(match name.strip_suffix('f').unwrap_or(name) {
        "fabs" => (FloatOp::Abs, 1),
        "floor" => (FloatOp::Floor, 1),
        "ceil" => (FloatOp::Ceil, 1),
        "trunc" => (FloatOp::Trunc, 1),
        "round" => (FloatOp::Round, 1),
        "rint" | "nearbyint" => (FloatOp::Rint, 1),
        "fmin" => (FloatOp::Min, 2),
        "fmax" => (FloatOp::Max, 2),
        // Of the models: `fmod` itself sets `errno`, too.
        "__unravel_fmod" => (FloatOp::Rem, 2),
        "copysign" => (FloatOp::CopySign, 2),
        "fma" => (FloatOp::MulAdd, 3),
        _ => return None,
    })
}
