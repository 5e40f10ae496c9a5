//! What particular instructions say: memory accesses, calls, comparisons.

use inkwell::llvm_sys::core::{
    LLVMGetAlignment, LLVMGetAllocatedType, LLVMGetAtomicRMWBinOp, LLVMGetCallSiteEnumAttribute,
    LLVMGetCalledFunctionType, LLVMGetCalledValue, LLVMGetCmpXchgFailureOrdering,
    LLVMGetCmpXchgSuccessOrdering, LLVMGetEnumAttributeAtIndex, LLVMGetEnumAttributeKindForName,
    LLVMGetEnumAttributeValue, LLVMGetFCmpPredicate, LLVMGetGEPSourceElementType,
    LLVMGetICmpPredicate, LLVMGetIndices, LLVMGetInlineAsmAsmString,
    LLVMGetInlineAsmConstraintString, LLVMGetNSW, LLVMGetNUW, LLVMGetNumArgOperands,
    LLVMGetNumIndices, LLVMGetOrdering, LLVMGetTailCallKind, LLVMGetTypeAttributeValue,
    LLVMGetVolatile, LLVMGetWeak, LLVMIsAAllocaInst, LLVMIsAAtomicCmpXchgInst,
    LLVMIsAAtomicRMWInst, LLVMIsABinaryOperator, LLVMIsACallBrInst, LLVMIsACallInst,
    LLVMIsAFenceInst, LLVMIsAInlineAsm, LLVMIsAInvokeInst, LLVMIsALoadInst, LLVMIsAStoreInst,
    LLVMIsTypeAttribute,
};
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAttributeFunctionIndex, LLVMTailCallKind};
use unravel_program::Ordering;

use super::{IntPredicate, Opcode, RealPredicate, Ty, Value, text_of};

pub(crate) use inkwell::llvm_sys::LLVMAtomicRMWBinOp as RmwKind;

/// Inline assembly at a call.
pub(crate) struct InlineAsm {
    /// The instructions.
    pub(crate) template: String,
    /// Operands, LLVM's notation: `=r,0,~{memory}`.
    pub(crate) constraints: String,
}

impl<'m> Value<'m> {
    /// Type of the object that an `alloca` makes.
    pub(crate) fn allocated_type(self) -> Option<Ty<'m>> {
        // SAFETY: it is an alloca.
        self.is(LLVMIsAAllocaInst)
            .then(|| unsafe { Ty::new(LLVMGetAllocatedType(self.raw())) })
            .flatten()
    }

    /// Whether a load or store is volatile.
    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: it is a load or a store.
        (self.is(LLVMIsALoadInst) || self.is(LLVMIsAStoreInst))
            && unsafe { LLVMGetVolatile(self.raw()) != 0 }
    }

    /// Ordering of a load, store, fence or read-modify-write; `None` if it is not atomic.
    pub(crate) fn ordering(self) -> Option<Ordering> {
        let tests = [LLVMIsALoadInst, LLVMIsAStoreInst, LLVMIsAAtomicRMWInst, LLVMIsAFenceInst];
        // SAFETY: it is one of the four.
        tests
            .into_iter()
            .any(|test| self.is(test))
            .then(|| ordering(unsafe { LLVMGetOrdering(self.raw()) }))
            .flatten()
    }

    /// Orderings of a compare-and-swap on success and failure, and whether it is weak.
    pub(crate) fn exchange(self) -> Option<(Ordering, Ordering, bool)> {
        if !self.is(LLVMIsAAtomicCmpXchgInst) {
            return None;
        }
        // SAFETY: it is a cmpxchg.
        let (success, failure, weak) = unsafe {
            (
                LLVMGetCmpXchgSuccessOrdering(self.raw()),
                LLVMGetCmpXchgFailureOrdering(self.raw()),
                LLVMGetWeak(self.raw()) != 0,
            )
        };
        Some((ordering(success)?, ordering(failure)?, weak))
    }

    pub(crate) fn rmw_kind(self) -> Option<RmwKind> {
        // SAFETY: it is an atomicrmw.
        self.is(LLVMIsAAtomicRMWInst).then(|| unsafe { LLVMGetAtomicRMWBinOp(self.raw()) })
    }

    /// Whether a fence orders only against a signal handler of the same thread. LLVM 19's
    /// `LLVMIsAtomicSingleThread` takes every instruction for a read-modify-write, so the printed
    /// form is asked.
    pub(crate) fn is_single_thread_fence(self) -> bool {
        self.is(LLVMIsAFenceInst) && self.printed().contains("syncscope(\"singlethread\")")
    }

    pub(crate) fn int_predicate(self) -> Option<IntPredicate> {
        // SAFETY: it is an integer comparison.
        (self.opcode()? == Opcode::LLVMICmp).then(|| unsafe { LLVMGetICmpPredicate(self.raw()) })
    }

    pub(crate) fn real_predicate(self) -> Option<RealPredicate> {
        // SAFETY: it is a floating point comparison.
        (self.opcode()? == Opcode::LLVMFCmp).then(|| unsafe { LLVMGetFCmpPredicate(self.raw()) })
    }

    /// Whether signed wrap-around of an arithmetic instruction is undefined.
    pub(crate) fn no_signed_wrap(self) -> bool {
        let wraps = matches!(
            self.opcode(),
            Some(Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl)
        );
        // SAFETY: these opcodes have the flag.
        wraps && self.is(LLVMIsABinaryOperator) && unsafe { LLVMGetNSW(self.raw()) != 0 }
    }

    /// Whether a left shift is of a signed number: clang gives shifts no flags, so both together
    /// are our mark ([`super::Module::mark_signed_shifts`]), or an optimizer's word that a number
    /// that is not negative keeps its value.
    pub(crate) fn is_signed_shift(self) -> bool {
        // SAFETY: a shift has the flag.
        self.opcode() == Some(Opcode::LLVMShl)
            && self.no_signed_wrap()
            && unsafe { LLVMGetNUW(self.raw()) != 0 }
    }

    /// What a load or store is known to be aligned to.
    pub(crate) fn access_align(self) -> Option<u64> {
        // SAFETY: it is a load or a store.
        (self.is(LLVMIsALoadInst) || self.is(LLVMIsAStoreInst))
            .then(|| u64::from(unsafe { LLVMGetAlignment(self.raw()) }))
    }

    /// Type that a `getelementptr` steps through.
    pub(crate) fn gep_source(self) -> Option<Ty<'m>> {
        // SAFETY: it is a getelementptr, instruction or constant.
        (self.opcode()? == Opcode::LLVMGetElementPtr)
            .then(|| unsafe { Ty::new(LLVMGetGEPSourceElementType(self.raw())) })
            .flatten()
    }

    /// Indices of `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        let opcodes = [Some(Opcode::LLVMExtractValue), Some(Opcode::LLVMInsertValue)];
        if !opcodes.contains(&self.opcode()) {
            return Vec::new();
        }
        // SAFETY: it is one of the two, and LLVM gives pointer and length of its indices.
        unsafe {
            let count = LLVMGetNumIndices(self.raw()) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw()), count).to_vec()
        }
    }

    /// What a call calls.
    pub(crate) fn called(self) -> Option<Value<'m>> {
        // SAFETY: it is a call.
        self.is(LLVMIsACallInst)
            .then(|| unsafe { Value::new(LLVMGetCalledValue(self.raw())) })
            .flatten()
    }

    /// Type of the function that a call calls.
    pub(crate) fn called_type(self) -> Option<Ty<'m>> {
        // SAFETY: it is a call.
        self.is(LLVMIsACallInst)
            .then(|| unsafe { Ty::new(LLVMGetCalledFunctionType(self.raw())) })
            .flatten()
    }

    /// Arguments of a call.
    pub(crate) fn args(self) -> Vec<Value<'m>> {
        if !self.is(LLVMIsACallInst) {
            return Vec::new();
        }
        // SAFETY: it is a call.
        let count = unsafe { LLVMGetNumArgOperands(self.raw()) };
        (0..count).filter_map(|index| self.operand(index)).collect()
    }

    /// Whether it calls something, an `invoke` included.
    pub(crate) fn is_call(self) -> bool {
        [LLVMIsACallInst, LLVMIsAInvokeInst, LLVMIsACallBrInst].into_iter().any(|it| self.is(it))
    }

    /// What a call of any kind calls.
    pub(crate) fn callee(self) -> Option<Value<'m>> {
        // SAFETY: it is a call.
        self.is_call().then(|| unsafe { Value::new(LLVMGetCalledValue(self.raw())) }).flatten()
    }

    /// Arguments of a call of any kind.
    pub(crate) fn arguments(self) -> Vec<Value<'m>> {
        if !self.is_call() {
            return Vec::new();
        }
        // SAFETY: it is a call.
        let count = unsafe { LLVMGetNumArgOperands(self.raw()) };
        (0..count).filter_map(|index| self.operand(index)).collect()
    }

    /// Whether nothing may stand between a call and the `return` after it.
    pub(crate) fn must_be_last(self) -> bool {
        // SAFETY: it is a call.
        self.is(LLVMIsACallInst)
            && unsafe { LLVMGetTailCallKind(self.raw()) }
                == LLVMTailCallKind::LLVMTailCallKindMustTail
    }

    /// Type of the object behind a parameter that the caller copied for the callee.
    pub(crate) fn byval_parameter(self, index: u32) -> Option<Ty<'m>> {
        if !self.is_function() {
            return None;
        }
        // SAFETY: it is a function; a missing attribute is null; the attribute is checked to carry
        // a type. Attribute index 0 is the result.
        unsafe {
            let attribute =
                LLVMGetEnumAttributeAtIndex(self.raw(), index + 1, attribute_kind("byval"));
            if attribute.is_null() || LLVMIsTypeAttribute(attribute) == 0 {
                return None;
            }
            Ty::new(LLVMGetTypeAttributeValue(attribute))
        }
    }

    /// Whether a function has an attribute.
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        let (kind, index) = (attribute_kind(name), LLVMAttributeFunctionIndex);
        // SAFETY: it is a function; a missing attribute is null.
        self.is_function()
            && unsafe { !LLVMGetEnumAttributeAtIndex(self.raw(), index, kind).is_null() }
    }

    /// Type of the object that argument `index` of a call passes by value behind a pointer.
    pub(crate) fn byval_argument(self, index: u32) -> Option<Ty<'m>> {
        if !self.is_call() {
            return None;
        }
        // SAFETY: it is a call; a missing attribute is null; the attribute is checked to carry
        // a type. Attribute index 0 is the result.
        unsafe {
            let attribute =
                LLVMGetCallSiteEnumAttribute(self.raw(), index + 1, attribute_kind("byval"));
            if attribute.is_null() || LLVMIsTypeAttribute(attribute) == 0 {
                return None;
            }
            Ty::new(LLVMGetTypeAttributeValue(attribute))
        }
    }

    /// What argument `index` of a call, a pointer, is known to be aligned to.
    pub(crate) fn argument_align(self, index: u32) -> u64 {
        if !self.is(LLVMIsACallInst) {
            return 1;
        }
        // SAFETY: it is a call; a missing attribute is null; `align` carries a number. Attribute
        // index 0 is the result.
        unsafe {
            let kind = attribute_kind("align");
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw(), index + 1, kind);
            if attribute.is_null() { 1 } else { LLVMGetEnumAttributeValue(attribute) }
        }
    }

    /// Whether a function is marked as returning twice, like `setjmp`.
    pub(crate) fn returns_twice(self) -> bool {
        let kind = attribute_kind("returns_twice");
        let index = LLVMAttributeFunctionIndex;
        // SAFETY: it is a function; a missing attribute is null.
        self.is_function()
            && unsafe { !LLVMGetEnumAttributeAtIndex(self.raw(), index, kind).is_null() }
    }

    pub(crate) fn inline_asm(self) -> Option<InlineAsm> {
        if !self.is(LLVMIsAInlineAsm) {
            return None;
        }
        let (mut template_length, mut constraints_length) = (0, 0);
        // SAFETY: it is inline assembly; LLVM gives pointers and lengths.
        unsafe {
            let template = LLVMGetInlineAsmAsmString(self.raw(), &raw mut template_length);
            let constraints =
                LLVMGetInlineAsmConstraintString(self.raw(), &raw mut constraints_length);
            Some(InlineAsm {
                template: text_of(template, template_length),
                constraints: text_of(constraints, constraints_length),
            })
        }
    }
}

pub(super) fn attribute_kind(name: &str) -> u32 {
    // SAFETY: pointer and length describe `name`.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// `None` for an access that is not atomic.
fn ordering(raw: LLVMAtomicOrdering) -> Option<Ordering> {
    match raw {
        LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic => None,
        LLVMAtomicOrdering::LLVMAtomicOrderingUnordered
        | LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic => Some(Ordering::Relaxed),
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquire => Some(Ordering::Acquire),
        LLVMAtomicOrdering::LLVMAtomicOrderingRelease => Some(Ordering::Release),
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease => Some(Ordering::AcquireRelease),
        LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent => {
            Some(Ordering::SequentiallyConsistent)
        }
    }
}
