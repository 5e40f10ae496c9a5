//! Changes of a module: new instructions, other operands, attributes that are taken away.
//!
//! Handles stay valid while instructions are added. [`Value::erase`] is the exception: nobody may
//! keep a handle to what was erased.

use std::ffi::CString;

use inkwell::llvm_sys::core::{
    LLVMAddFunction, LLVMAddIncoming, LLVMAddTargetDependentFunctionAttr,
    LLVMAppendModuleInlineAsm, LLVMBuildAlloca, LLVMBuildBitCast, LLVMBuildBr, LLVMBuildCall2,
    LLVMBuildExtractValue, LLVMBuildLShr, LLVMBuildMemCpy, LLVMBuildMemSet, LLVMBuildMul,
    LLVMBuildPhi, LLVMBuildPtrToInt, LLVMBuildTrunc, LLVMBuildZExt, LLVMConstInt, LLVMConstNull,
    LLVMCountIncoming, LLVMCreateBuilderInContext, LLVMDisposeBuilder, LLVMFunctionType,
    LLVMGetBasicBlockParent, LLVMGetIncomingBlock, LLVMGetIncomingValue, LLVMGetInstructionParent,
    LLVMGetNamedFunction, LLVMGetNextInstruction, LLVMInsertBasicBlockInContext,
    LLVMInstructionEraseFromParent, LLVMInt64TypeInContext, LLVMIntTypeInContext, LLVMIsAPHINode,
    LLVMIsATerminatorInst, LLVMPositionBuilderAtEnd, LLVMPositionBuilderBefore,
    LLVMReplaceAllUsesWith, LLVMSetAlignment, LLVMSetOperand, LLVMSetSuccessor, LLVMTypeOf,
    LLVMVoidTypeInContext,
};
use inkwell::llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMBuilderRef, LLVMContextRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef,
};
use std::marker::PhantomData;

use super::{Block, Layout, Ty, TypeKind, Value};

/// Adds instructions to a module.
pub(crate) struct Editor<'m> {
    module: LLVMModuleRef,
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
    layout: Layout<'m>,
    borrowed: PhantomData<&'m ()>,
}

impl Drop for Editor<'_> {
    fn drop(&mut self) {
        // SAFETY: the builder was made by `new` and is freed once.
        unsafe { LLVMDisposeBuilder(self.builder) };
    }
}

impl<'m> Editor<'m> {
    /// # Safety
    /// `module` lives for `'m`, and `layout` is its own.
    pub(super) unsafe fn new(module: LLVMModuleRef, layout: Layout<'m>) -> Self {
        let context = layout.context();
        // SAFETY: the context is live.
        let builder = unsafe { LLVMCreateBuilderInContext(context) };
        Editor { module, context, builder, layout, borrowed: PhantomData }
    }

    /// The data layout of the module.
    pub(crate) fn layout(&self) -> Layout<'m> {
        self.layout
    }

    fn value(&self, raw: LLVMValueRef) -> Option<Value<'m>> {
        // SAFETY: what the builder made lives in the module.
        unsafe { Value::new(raw) }
    }

    fn word(&self) -> LLVMTypeRef {
        // SAFETY: the context is live.
        unsafe { LLVMInt64TypeInContext(self.context) }
    }

    /// Adds what follows before an instruction, and at its place in the source.
    pub(crate) fn before(&self, at: Value<'m>) {
        if at.is_instruction() {
            // SAFETY: it is an instruction that stands in a block.
            unsafe { LLVMPositionBuilderBefore(self.builder, at.raw()) };
        }
    }

    /// Adds what follows after an instruction that is no terminator; false if there is no place.
    pub(crate) fn after(&self, at: Value<'m>) -> bool {
        if !at.is_instruction() {
            return false;
        }
        let mut next = at.raw();
        // SAFETY: the list of a live block; it ends in null.
        unsafe {
            loop {
                next = LLVMGetNextInstruction(next);
                if next.is_null() {
                    return false;
                }
                if LLVMIsAPHINode(next).is_null() {
                    break;
                }
            }
            LLVMPositionBuilderBefore(self.builder, next);
        }
        true
    }

    /// A constant of 64 bits.
    pub(crate) fn number(&self, number: u64) -> Option<Value<'m>> {
        // SAFETY: the type is live.
        self.value(unsafe { LLVMConstInt(self.word(), number, 0) })
    }

    /// The bits of a scalar as 64 bits, with zeros above; `None` if it has more or is no scalar.
    pub(crate) fn bits(&self, value: Value<'m>) -> Option<Value<'m>> {
        let integer = self.integer(value)?;
        let width = integer.ty()?.int_width()?;
        match width {
            // SAFETY: an integer of fewer bits.
            ..64 => self.value(unsafe {
                LLVMBuildZExt(self.builder, integer.raw(), self.word(), c"".as_ptr())
            }),
            64 => Some(integer),
            _ => None,
        }
    }

    /// The low and the high half of a scalar of at most 128 bits.
    pub(crate) fn halves(&self, value: Value<'m>) -> Option<(Value<'m>, Value<'m>)> {
        let integer = self.integer(value)?;
        let width = integer.ty()?.int_width()?;
        if width <= 64 {
            return Some((self.bits(integer)?, self.number(0)?));
        }
        if width > 128 {
            return None;
        }
        // SAFETY: integers of the widths that are said.
        unsafe {
            let wide = LLVMIntTypeInContext(self.context, 128);
            let all = if width < 128 {
                LLVMBuildZExt(self.builder, integer.raw(), wide, c"".as_ptr())
            } else {
                integer.raw()
            };
            let low = LLVMBuildTrunc(self.builder, all, self.word(), c"".as_ptr());
            let by = LLVMConstInt(wide, 64, 0);
            let shifted = LLVMBuildLShr(self.builder, all, by, c"".as_ptr());
            let high = LLVMBuildTrunc(self.builder, shifted, self.word(), c"".as_ptr());
            Some((self.value(low)?, self.value(high)?))
        }
    }

    /// A scalar as an integer of its width.
    fn integer(&self, value: Value<'m>) -> Option<Value<'m>> {
        let ty = value.ty()?;
        let width = match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => return Some(value),
            TypeKind::LLVMPointerTypeKind if ty.address_space() == Some(0) => {
                // SAFETY: a pointer to an integer of its width.
                return self.value(unsafe {
                    LLVMBuildPtrToInt(self.builder, value.raw(), self.word(), c"".as_ptr())
                });
            }
            TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => 16,
            TypeKind::LLVMFloatTypeKind => 32,
            TypeKind::LLVMDoubleTypeKind => 64,
            TypeKind::LLVMVectorTypeKind => {
                u32::try_from(self.layout.bits(ty)?).ok().filter(|bits| *bits <= 128)?
            }
            _ => return None,
        };
        // SAFETY: both have the same number of bits.
        self.value(unsafe {
            let to = LLVMIntTypeInContext(self.context, width);
            LLVMBuildBitCast(self.builder, value.raw(), to, c"".as_ptr())
        })
    }

    /// The lowest byte of an integer, as 64 bits.
    pub(crate) fn byte(&self, value: Value<'m>) -> Option<Value<'m>> {
        let width = value.ty()?.int_width()?;
        // SAFETY: an integer of more than 8 bits is cut.
        let low = unsafe {
            let byte = LLVMIntTypeInContext(self.context, 8);
            match width {
                ..=8 => value.raw(),
                _ => LLVMBuildTrunc(self.builder, value.raw(), byte, c"".as_ptr()),
            }
        };
        self.bits(self.value(low)?)
    }

    /// A number of bytes that an integer says, as 64 bits.
    pub(crate) fn product(&self, count: Value<'m>, size: u64) -> Option<Value<'m>> {
        let count = self.bits(count)?;
        let size = self.number(size)?;
        // SAFETY: both are integers of 64 bits.
        self.value(unsafe { LLVMBuildMul(self.builder, count.raw(), size.raw(), c"".as_ptr()) })
    }

    /// Member `index` of a struct in a register.
    pub(crate) fn member(&self, value: Value<'m>, index: u32) -> Option<Value<'m>> {
        let members = value.ty()?.members()?;
        // SAFETY: it is a struct with that member.
        (members.len() > index as usize)
            .then(|| unsafe {
                LLVMBuildExtractValue(self.builder, value.raw(), index, c"".as_ptr())
            })
            .and_then(|raw| self.value(raw))
    }

    /// A call of a function that returns nothing, declared if it is not. Every argument is a
    /// pointer or an integer of 64 bits.
    pub(crate) fn call(&self, name: &str, args: &[Value<'m>]) -> Option<Value<'m>> {
        let name = CString::new(name).ok()?;
        let mut raw: Vec<LLVMValueRef> = args.iter().map(|it| it.raw()).collect();
        let count = u32::try_from(raw.len()).ok()?;
        // SAFETY: the types are those of the arguments; a function of that name is of the module.
        unsafe {
            let mut types: Vec<LLVMTypeRef> = raw.iter().map(|it| LLVMTypeOf(*it)).collect();
            let result = LLVMVoidTypeInContext(self.context);
            let ty = LLVMFunctionType(result, types.as_mut_ptr(), count, 0);
            let mut function = LLVMGetNamedFunction(self.module, name.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, name.as_ptr(), ty);
                self.value(function)?.add_function_attribute("nounwind", self.context);
            }
            let call =
                LLVMBuildCall2(self.builder, ty, function, raw.as_mut_ptr(), count, c"".as_ptr());
            self.value(call)
        }
    }

    /// A local for an object of type `ty`.
    pub(crate) fn local(&self, ty: Ty<'m>, align: u64) -> Option<Value<'m>> {
        // SAFETY: the builder stands in a block, the type is sized (it has a size).
        let local = unsafe {
            self.layout.size(ty)?;
            let local = LLVMBuildAlloca(self.builder, ty.raw(), c"".as_ptr());
            LLVMSetAlignment(local, u32::try_from(align).ok()?);
            local
        };
        self.value(local)
    }

    /// Copies an object of `size` bytes.
    pub(crate) fn copy(&self, to: Value<'m>, from: Value<'m>, align: u64, size: u64) -> Option<()> {
        let align = u32::try_from(align).ok()?;
        let size = self.number(size)?;
        // SAFETY: both are pointers, since they were operands of that kind.
        unsafe {
            LLVMBuildMemCpy(self.builder, to.raw(), align, from.raw(), align, size.raw());
        }
        Some(())
    }

    /// Fills memory with zeros.
    pub(crate) fn clear(&self, local: Value<'m>, align: u64, size: Value<'m>) -> Option<()> {
        let align = u32::try_from(align).ok()?;
        // SAFETY: a pointer and an integer.
        unsafe {
            let byte = LLVMConstInt(LLVMIntTypeInContext(self.context, 8), 0, 0);
            LLVMBuildMemSet(self.builder, local.raw(), byte, size.raw(), align);
        }
        Some(())
    }

    /// Adds what follows where control comes from an `invoke` that returns, on that way only.
    pub(crate) fn after_invoke(&self, invoke: Value<'m>, only_way: bool) -> Option<()> {
        let target = *invoke.successors().first()?;
        if only_way {
            let first = target.instructions().into_iter().find(|it| !it.is(LLVMIsAPHINode))?;
            self.before(first);
            return Some(());
        }
        // SAFETY: an invoke is a terminator, whose first successor is the block where it returns;
        // the new block leads there, and the φ-nodes there are told.
        unsafe {
            let from = LLVMGetInstructionParent(invoke.raw());
            let between = LLVMInsertBasicBlockInContext(self.context, target.raw(), c"".as_ptr());
            LLVMPositionBuilderAtEnd(self.builder, between);
            let jump = LLVMBuildBr(self.builder, target.raw());
            LLVMSetSuccessor(invoke.raw(), 0, between);
            for phi in target.instructions() {
                if !phi.is(LLVMIsAPHINode) {
                    break;
                }
                self.redirect(phi.raw(), from, between);
            }
            LLVMPositionBuilderBefore(self.builder, jump);
        }
        Some(())
    }

    /// Makes a φ-node anew with another block in place of one. The C interface cannot change it.
    ///
    /// # Safety
    /// `phi` is a φ-node to which no handle is used afterwards; the blocks are live.
    unsafe fn redirect(&self, phi: LLVMValueRef, old: LLVMBasicBlockRef, new: LLVMBasicBlockRef) {
        // SAFETY: the caller vouches for the node; the indices are in range.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, phi);
            let other = LLVMBuildPhi(self.builder, LLVMTypeOf(phi), c"".as_ptr());
            for index in 0..LLVMCountIncoming(phi) {
                let mut value = LLVMGetIncomingValue(phi, index);
                let block = LLVMGetIncomingBlock(phi, index);
                let mut block = if block == old { new } else { block };
                LLVMAddIncoming(other, &raw mut value, &raw mut block, 1);
            }
            LLVMReplaceAllUsesWith(phi, other);
            LLVMInstructionEraseFromParent(phi);
        }
    }

    /// Appends to the file-scope assembly.
    pub(crate) fn append_assembly(&self, text: &str) {
        // SAFETY: pointer and length describe the text.
        unsafe { LLVMAppendModuleInlineAsm(self.module, text.as_ptr().cast(), text.len()) };
    }

    /// Zero of a type that has one.
    pub(crate) fn zero(&self, ty: Ty<'m>) -> Option<Value<'m>> {
        let has_zero = matches!(
            ty.kind(),
            TypeKind::LLVMIntegerTypeKind
                | TypeKind::LLVMPointerTypeKind
                | TypeKind::LLVMHalfTypeKind
                | TypeKind::LLVMBFloatTypeKind
                | TypeKind::LLVMFloatTypeKind
                | TypeKind::LLVMDoubleTypeKind
                | TypeKind::LLVMX86_FP80TypeKind
                | TypeKind::LLVMFP128TypeKind
                | TypeKind::LLVMStructTypeKind
                | TypeKind::LLVMArrayTypeKind
                | TypeKind::LLVMVectorTypeKind
        );
        // SAFETY: the type is live and has a zero.
        has_zero.then(|| unsafe { LLVMConstNull(ty.raw()) }).and_then(|raw| self.value(raw))
    }
}

impl<'m> Value<'m> {
    /// Gives an instruction another operand.
    pub(crate) fn set_operand(self, index: u32, value: Value<'m>) {
        let same_type = self.operand(index).and_then(Value::ty) == value.ty();
        if self.is_instruction() && same_type {
            // SAFETY: the operand exists, and the new one is of its type.
            unsafe { LLVMSetOperand(self.raw(), index, value.raw()) };
        }
    }

    /// Lets another value of the same type stand in its place everywhere.
    pub(crate) fn replace_with(self, other: Value<'m>) {
        if self.ty() == other.ty() {
            // SAFETY: both are live and of one type.
            unsafe { LLVMReplaceAllUsesWith(self.raw(), other.raw()) };
        }
    }

    /// Takes an instruction out that has no uses and is no terminator. No handle to it is used
    /// afterwards.
    pub(crate) fn erase(self) {
        if self.is_instruction() && !self.is(LLVMIsATerminatorInst) && self.uses().is_empty() {
            // SAFETY: it is an instruction without uses, and the caller keeps no handle.
            unsafe { LLVMInstructionEraseFromParent(self.raw()) };
        }
    }

    /// Notes something about a function for the code generator.
    pub(crate) fn set_note(self, name: &std::ffi::CStr, value: &std::ffi::CStr) {
        if self.is_function() {
            // SAFETY: it is a function; the texts end in NUL.
            unsafe {
                LLVMAddTargetDependentFunctionAttr(self.raw(), name.as_ptr(), value.as_ptr());
            }
        }
    }
}

impl<'m> Block<'m> {
    /// All blocks of its function.
    pub(crate) fn siblings(self) -> Vec<Block<'m>> {
        // SAFETY: a live block stands in a function.
        let function = unsafe { Value::new(LLVMGetBasicBlockParent(self.raw())) };
        function.map(Value::blocks).unwrap_or_default()
    }

    /// How many ways lead here: edges, not blocks.
    pub(crate) fn ways_to(self, blocks: &[Block<'m>]) -> usize {
        let ends = blocks.iter().filter_map(|block| block.terminator());
        ends.flat_map(Value::successors).filter(|it| *it == self).count()
    }
}
