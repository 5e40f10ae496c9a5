//! Types and their layout in memory.

use std::marker::PhantomData;

use inkwell::llvm_sys::core::{
    LLVMCountParamTypes, LLVMCountStructElementTypes, LLVMGetArrayLength2, LLVMGetElementType,
    LLVMGetIntTypeWidth, LLVMGetParamTypes, LLVMGetPointerAddressSpace, LLVMGetReturnType,
    LLVMGetTypeKind, LLVMGetVectorSize, LLVMIsFunctionVarArg, LLVMIsOpaqueStruct,
    LLVMStructGetTypeAtIndex, LLVMTypeIsSized,
};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMTypeRef};
use inkwell::llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMByteOrder, LLVMByteOrdering,
    LLVMOffsetOfElement, LLVMPointerSize, LLVMSizeOfTypeInBits, LLVMStoreSizeOfType,
    LLVMTargetDataRef,
};

use super::TypeKind;

/// A type of LLVM IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Ty<'m>(LLVMTypeRef, PhantomData<&'m ()>);

impl<'m> Ty<'m> {
    /// # Safety
    /// `raw` is null or a type whose context lives for `'m`.
    pub(super) unsafe fn new(raw: LLVMTypeRef) -> Option<Self> {
        (!raw.is_null()).then_some(Ty(raw, PhantomData))
    }

    pub(super) fn raw(self) -> LLVMTypeRef {
        self.0
    }

    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: a handle is a live type.
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// Width of an integer type.
    pub(crate) fn int_width(self) -> Option<u32> {
        // SAFETY: the kind is checked.
        (self.kind() == TypeKind::LLVMIntegerTypeKind)
            .then(|| unsafe { LLVMGetIntTypeWidth(self.0) })
    }

    /// Address space of a pointer type; 0 is ordinary memory.
    pub(crate) fn address_space(self) -> Option<u32> {
        // SAFETY: the kind is checked.
        (self.kind() == TypeKind::LLVMPointerTypeKind)
            .then(|| unsafe { LLVMGetPointerAddressSpace(self.0) })
    }

    /// Number of elements of an array or vector of fixed size.
    pub(crate) fn length(self) -> Option<u64> {
        match self.kind() {
            // SAFETY: the kind is checked.
            TypeKind::LLVMArrayTypeKind => Some(unsafe { LLVMGetArrayLength2(self.0) }),
            // SAFETY: the kind is checked.
            TypeKind::LLVMVectorTypeKind => Some(unsafe { LLVMGetVectorSize(self.0) }.into()),
            _ => None,
        }
    }

    /// Type of the elements of an array or vector.
    pub(crate) fn element(self) -> Option<Ty<'m>> {
        // SAFETY: arrays and vectors of fixed size have an element type, of the same context.
        self.length().and_then(|_| unsafe { Ty::new(LLVMGetElementType(self.0)) })
    }

    /// Types of the members of a struct; `None` for another type or a struct without a body.
    pub(crate) fn members(self) -> Option<Vec<Ty<'m>>> {
        if self.kind() != TypeKind::LLVMStructTypeKind {
            return None;
        }
        // SAFETY: it is a struct, and the indices are in range.
        unsafe {
            if LLVMIsOpaqueStruct(self.0) != 0 {
                return None;
            }
            let count = LLVMCountStructElementTypes(self.0);
            (0..count).map(|index| Ty::new(LLVMStructGetTypeAtIndex(self.0, index))).collect()
        }
    }

    /// Result and parameter types of a function type, and whether it takes more.
    pub(crate) fn function(self) -> Option<(Ty<'m>, Vec<Ty<'m>>, bool)> {
        if self.kind() != TypeKind::LLVMFunctionTypeKind {
            return None;
        }
        // SAFETY: it is a function type, and the buffer has as many places as it has parameters.
        unsafe {
            let mut params = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.0) as usize];
            LLVMGetParamTypes(self.0, params.as_mut_ptr());
            let params = params.into_iter().map(|raw| Ty::new(raw)).collect::<Option<_>>()?;
            Some((Ty::new(LLVMGetReturnType(self.0))?, params, LLVMIsFunctionVarArg(self.0) != 0))
        }
    }

    fn is_sized(self) -> bool {
        // SAFETY: a handle is a live type.
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }
}

/// Sizes, alignments and offsets on the machine that a module is for.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'m> {
    raw: LLVMTargetDataRef,
    context: LLVMContextRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Layout<'m> {
    /// # Safety
    /// `raw` and `context` live for `'m`.
    pub(super) unsafe fn new(raw: LLVMTargetDataRef, context: LLVMContextRef) -> Self {
        Layout { raw, context, module: PhantomData }
    }

    pub(super) fn context(self) -> LLVMContextRef {
        self.context
    }

    pub(crate) fn is_little_endian(self) -> bool {
        // SAFETY: a handle is a live layout.
        unsafe { LLVMByteOrder(self.raw) == LLVMByteOrdering::LLVMLittleEndian }
    }

    pub(crate) fn pointer_bytes(self) -> u32 {
        // SAFETY: a handle is a live layout.
        unsafe { LLVMPointerSize(self.raw) }
    }

    /// Bytes from one element of an array of `ty` to the next.
    pub(crate) fn size(self, ty: Ty<'m>) -> Option<u64> {
        // SAFETY: the size of a scalable vector is not a number; every other sized type has one.
        (ty.is_sized() && !self.is_scalable(ty))
            .then(|| unsafe { LLVMABISizeOfType(self.raw, ty.0) })
    }

    /// Bytes that a load or store of a value of `ty` touches.
    pub(crate) fn store_size(self, ty: Ty<'m>) -> Option<u64> {
        // SAFETY: as for `size`.
        (ty.is_sized() && !self.is_scalable(ty))
            .then(|| unsafe { LLVMStoreSizeOfType(self.raw, ty.0) })
    }

    /// Bits of a value of `ty`.
    pub(crate) fn bits(self, ty: Ty<'m>) -> Option<u64> {
        // SAFETY: as for `size`.
        (ty.is_sized() && !self.is_scalable(ty))
            .then(|| unsafe { LLVMSizeOfTypeInBits(self.raw, ty.0) })
    }

    pub(crate) fn align(self, ty: Ty<'m>) -> u64 {
        if !ty.is_sized() {
            return 1;
        }
        // SAFETY: the type is sized.
        unsafe { LLVMABIAlignmentOfType(self.raw, ty.0) }.into()
    }

    /// Byte offset of member `index` of a struct.
    pub(crate) fn member_offset(self, ty: Ty<'m>, index: usize) -> Option<u64> {
        if index >= ty.members()?.len() || !ty.is_sized() || self.is_scalable(ty) {
            return None;
        }
        let index = u32::try_from(index).ok()?;
        // SAFETY: a sized struct without scalable members has a layout, the index is in range.
        Some(unsafe { LLVMOffsetOfElement(self.raw, ty.0, index) })
    }

    fn is_scalable(self, ty: Ty<'m>) -> bool {
        match ty.kind() {
            TypeKind::LLVMScalableVectorTypeKind | TypeKind::LLVMTargetExtTypeKind => true,
            TypeKind::LLVMArrayTypeKind => ty.element().is_some_and(|it| self.is_scalable(it)),
            TypeKind::LLVMStructTypeKind => {
                ty.members().is_some_and(|it| it.into_iter().any(|ty| self.is_scalable(ty)))
            }
            _ => false,
        }
    }
}
