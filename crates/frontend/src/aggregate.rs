//! Structs and arrays in registers, flattened into scalars.
//!
//! A value of type `{i64, [2 x i32]}` is three scalars: its *leaves*, in the order of memory, each
//! with its byte offset. A scalar is its own only leaf, `void` has none.

use std::ops::Range;

use unravel_program::{Operand, Type};

use crate::function::Body;
use crate::llvm::{Opcode, Ty, TypeKind, Value};
use crate::lower::{Lowering, What};

/// A scalar within a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) ty: Type,
    pub(crate) offset: u64,
}

/// Values with more scalars than this (a whole array in a register, which clang never makes) are
/// not flattened.
const MAX_LEAVES: usize = 1024;

impl<'m> Lowering<'m> {
    /// The type of a value that is one scalar. A vector, which occurs where the calling
    /// convention passes `struct { float x, y; }`, is an integer of its width.
    pub(crate) fn scalar(&self, ty: Ty<'m>) -> Result<Type, What> {
        match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => self.int_width(ty).map(Type::Int),
            TypeKind::LLVMPointerTypeKind => Ok(Type::Ptr),
            TypeKind::LLVMFloatTypeKind => Ok(Type::F32),
            TypeKind::LLVMDoubleTypeKind => Ok(Type::F64),
            TypeKind::LLVMVectorTypeKind => self.vector_width(ty).map(Type::Int),
            kind => Err(unsupported_type(kind).into()),
        }
    }

    /// Width of an integer type proper.
    pub(crate) fn int_width(&self, ty: Ty<'m>) -> Result<u16, What> {
        match ty.int_width() {
            Some(width @ 1..=128) => Ok(u16::try_from(width).unwrap_or(128)),
            Some(_) => Err("an integer of more than 128 bits".into()),
            None => Err(unsupported_type(ty.kind()).into()),
        }
    }

    fn vector_width(&self, ty: Ty<'m>) -> Result<u16, What> {
        let too_wide = || What::from("a vector of more than 128 bits");
        let (Some(element), Some(length)) = (ty.element(), ty.length()) else {
            return Err(unsupported_type(ty.kind()).into());
        };
        if element.kind() == TypeKind::LLVMPointerTypeKind {
            return Err("a vector of pointers".into());
        }
        let bits = u64::from(self.scalar(element)?.bits(self.target)).saturating_mul(length);
        u16::try_from(bits).ok().filter(|bits| *bits <= 128).ok_or_else(too_wide)
    }

    /// The scalars of a value of type `ty`.
    pub(crate) fn leaves(&self, ty: Ty<'m>) -> Result<Vec<Leaf>, What> {
        let mut leaves = Vec::new();
        self.collect_leaves(ty, 0, &mut leaves)?;
        Ok(leaves)
    }

    pub(crate) fn leaf_types(&self, ty: Ty<'m>) -> Result<Vec<Type>, What> {
        Ok(self.leaves(ty)?.into_iter().map(|leaf| leaf.ty).collect())
    }

    fn collect_leaves(&self, ty: Ty<'m>, offset: u64, out: &mut Vec<Leaf>) -> Result<(), What> {
        match ty.kind() {
            TypeKind::LLVMVoidTypeKind => {}
            TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind => {
                let count = self.member_count(ty);
                if count > MAX_LEAVES as u64 {
                    return Err("an array as a value".into());
                }
                for index in 0..count {
                    let (member, at) = self.member(ty, index)?;
                    self.collect_leaves(member, offset.wrapping_add(at), out)?;
                }
            }
            _ => out.push(Leaf { ty: self.scalar(ty)?, offset }),
        }
        if out.len() > MAX_LEAVES {
            return Err("an array as a value".into());
        }
        Ok(())
    }

    fn member_count(&self, ty: Ty<'m>) -> u64 {
        ty.length().or_else(|| Some(ty.members()?.len() as u64)).unwrap_or(0)
    }

    /// Type and byte offset of a member of a struct or an element of an array.
    fn member(&self, ty: Ty<'m>, index: u64) -> Result<(Ty<'m>, u64), What> {
        let odd = || What::from("an aggregate of unknown layout");
        if let Some(element) = ty.element() {
            let size = self.layout.size(element).ok_or_else(odd)?;
            return Ok((element, size.wrapping_mul(index)));
        }
        let at = usize::try_from(index).map_err(|_| odd())?;
        let member = ty.members().and_then(|it| it.get(at).copied()).ok_or_else(odd)?;
        Ok((member, self.layout.member_offset(ty, at).ok_or_else(odd)?))
    }

    /// Which leaves of `ty` the indices of an `extractvalue` or `insertvalue` select.
    fn selected(&self, ty: Ty<'m>, indices: &[u32]) -> Result<Range<usize>, What> {
        let (mut ty, mut start) = (ty, 0);
        for index in indices {
            for before in 0..u64::from(*index) {
                start += self.leaves(self.member(ty, before)?.0)?.len();
            }
            ty = self.member(ty, u64::from(*index))?.0;
        }
        Ok(start..start + self.leaves(ty)?.len())
    }
}

impl<'m> Body<'_, 'm> {
    /// The leaves of an `extractvalue` or `insertvalue`, which need no instruction.
    pub(crate) fn rearranged(&mut self, value: Value<'m>) -> Result<Vec<Operand>, What> {
        let missing = || What::from("a malformed aggregate");
        let aggregate = value.operand(0).ok_or_else(missing)?;
        let ty = aggregate.ty().ok_or_else(missing)?;
        let range = self.cx.selected(ty, &value.indices())?;
        let mut leaves = self.operands(aggregate)?;
        if value.opcode() == Some(Opcode::LLVMExtractValue) {
            return leaves.get(range).map(<[Operand]>::to_vec).ok_or_else(missing);
        }
        let inserted = self.operands(value.operand(1).ok_or_else(missing)?)?;
        if range.end > leaves.len() || inserted.len() != range.len() {
            return Err(missing());
        }
        leaves.splice(range, inserted);
        Ok(leaves)
    }
}

fn unsupported_type(kind: TypeKind) -> &'static str {
    match kind {
        TypeKind::LLVMX86_FP80TypeKind => "a `long double` value",
        TypeKind::LLVMFP128TypeKind | TypeKind::LLVMPPC_FP128TypeKind => "a 128-bit float",
        TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => "a 16-bit float",
        TypeKind::LLVMVectorTypeKind | TypeKind::LLVMScalableVectorTypeKind => "a vector operation",
        TypeKind::LLVMX86_MMXTypeKind | TypeKind::LLVMX86_AMXTypeKind => "an MMX or AMX value",
        _ => "a value of an unknown type",
    }
}
