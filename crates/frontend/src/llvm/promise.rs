//! What the compiler was promised: flags, attributes and metadata that let the optimizer change
//! what a program without undefined behaviour cannot observe.

use inkwell::llvm_sys::core::{
    LLVMAddAttributeAtIndex, LLVMCanValueUseFastMathFlags, LLVMConstArray2, LLVMConstInt,
    LLVMConstNamedStruct, LLVMConstNull, LLVMConstStructInContext, LLVMConstVector,
    LLVMCountParams, LLVMCreateEnumAttribute, LLVMDisposeValueMetadataEntries, LLVMGetElementType,
    LLVMGetFirstGlobalIFunc, LLVMGetGlobalIFuncResolver, LLVMGetLinkage, LLVMGetMDKindIDInContext,
    LLVMGetMetadata, LLVMGetNextGlobalIFunc, LLVMGetNumArgOperands, LLVMGetNumOperands,
    LLVMGetOperand, LLVMGetTypeContext, LLVMHasMetadata,
    LLVMInstructionGetAllMetadataOtherThanDebugLoc, LLVMInt64TypeInContext,
    LLVMIsAAtomicCmpXchgInst, LLVMIsAConstantArray, LLVMIsAConstantStruct, LLVMIsAConstantVector,
    LLVMIsAGetElementPtrInst, LLVMIsALoadInst, LLVMIsAStoreInst, LLVMIsLiteralStruct,
    LLVMIsPackedStruct, LLVMIsUndef, LLVMMDNodeInContext2, LLVMMetadataAsValue,
    LLVMRemoveCallSiteEnumAttribute, LLVMRemoveEnumAttributeAtIndex,
    LLVMRemoveStringAttributeAtIndex, LLVMSetExact, LLVMSetFastMathFlags, LLVMSetInitializer,
    LLVMSetIsDisjoint, LLVMSetIsInBounds, LLVMSetLinkage, LLVMSetMetadata, LLVMSetNNeg, LLVMSetNSW,
    LLVMSetNUW, LLVMTypeOf, LLVMValueAsMetadata, LLVMValueMetadataEntriesGetKind,
};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex, LLVMLinkage};

use super::call::attribute_kind;
use super::{Layout, Module, Opcode, Value};

/// Attributes of functions that promise something about memory or progress.
const OF_FUNCTIONS: &[&str] = &[
    "memory",
    "willreturn",
    "nofree",
    "nosync",
    "norecurse",
    "mustprogress",
    "speculatable",
    "nocallback",
    "optnone",
];

/// Attributes of parameters and results that promise something about a value.
const OF_VALUES: &[&str] = &[
    "nonnull",
    "noundef",
    "noalias",
    "nocapture",
    "nofree",
    "readonly",
    "readnone",
    "writeonly",
    "writable",
    "returned",
    "dereferenceable",
    "dereferenceable_or_null",
    "range",
    "nofpclass",
];

/// What `-ffast-math` notes about a function.
const NOTES: &[&str] = &[
    "unsafe-fp-math",
    "no-infs-fp-math",
    "no-nans-fp-math",
    "no-signed-zeros-fp-math",
    "approx-func-fp-math",
];

/// Metadata that says something about the source and promises nothing.
const HARMLESS: &[&str] = &["dbg", "prof", "srcloc", "nosanitize", super::SITE];

fn kind_of(context: LLVMContextRef, name: &str) -> u32 {
    let length = u32::try_from(name.len()).unwrap_or(0);
    // SAFETY: pointer and length describe `name`.
    unsafe { LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), length) }
}

impl<'m> Value<'m> {
    /// Drops `nsw`, `nuw`, `exact`, `nneg`, `disjoint`, `inbounds` and fast-math flags.
    pub(crate) fn drop_flags(self) {
        if !self.is_instruction() {
            return;
        }
        let raw = self.raw();
        // SAFETY: each flag is only touched on instructions of the opcodes that have it.
        unsafe {
            match self.opcode() {
                Some(
                    Opcode::LLVMAdd
                    | Opcode::LLVMSub
                    | Opcode::LLVMMul
                    | Opcode::LLVMShl
                    | Opcode::LLVMTrunc,
                ) => {
                    LLVMSetNSW(raw, 0);
                    LLVMSetNUW(raw, 0);
                }
                Some(Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMLShr | Opcode::LLVMAShr) => {
                    LLVMSetExact(raw, 0)
                }
                Some(Opcode::LLVMOr) => LLVMSetIsDisjoint(raw, 0),
                Some(Opcode::LLVMZExt | Opcode::LLVMUIToFP) => LLVMSetNNeg(raw, 0),
                _ => {}
            }
            if self.is(LLVMIsAGetElementPtrInst) {
                LLVMSetIsInBounds(raw, 0);
            }
            if LLVMCanValueUseFastMathFlags(raw) != 0 {
                LLVMSetFastMathFlags(raw, 0);
            }
        }
    }

    /// Drops metadata that promises something: types of memory, ranges, loops that end.
    pub(crate) fn drop_metadata(self, layout: Layout<'m>) {
        if !self.is_instruction() {
            return;
        }
        let context = layout.context();
        let harmless: Vec<u32> = HARMLESS.iter().map(|name| kind_of(context, name)).collect();
        let mut count = 0;
        // SAFETY: it is an instruction; the entries are ours to free, the indices in range.
        unsafe {
            if LLVMHasMetadata(self.raw()) == 0 {
                return;
            }
            let entries =
                LLVMInstructionGetAllMetadataOtherThanDebugLoc(self.raw(), &raw mut count);
            let kinds: Vec<u32> = (0..u32::try_from(count).unwrap_or(0))
                .map(|index| LLVMValueMetadataEntriesGetKind(entries, index))
                .collect();
            LLVMDisposeValueMetadataEntries(entries);
            for kind in kinds.into_iter().filter(|kind| !harmless.contains(kind)) {
                LLVMSetMetadata(self.raw(), kind, std::ptr::null_mut());
            }
        }
    }

    /// Drops attributes of a function, or of a call.
    pub(crate) fn drop_attributes(self) {
        let indices = |count: u32| LLVMAttributeReturnIndex..=count;
        let remove: unsafe extern "C" fn(LLVMValueRef, u32, u32);
        let count;
        if self.is_function() {
            // SAFETY: it is a function.
            count = unsafe { LLVMCountParams(self.raw()) };
            remove = LLVMRemoveEnumAttributeAtIndex;
        } else if self.is_call() {
            // SAFETY: it is a call.
            count = unsafe { LLVMGetNumArgOperands(self.raw()) };
            remove = LLVMRemoveCallSiteEnumAttribute;
        } else {
            return;
        }
        for name in OF_FUNCTIONS {
            // SAFETY: `remove` is the one for its kind; a missing attribute is no error.
            unsafe { remove(self.raw(), LLVMAttributeFunctionIndex, attribute_kind(name)) };
        }
        for name in OF_VALUES {
            let kind = attribute_kind(name);
            for index in indices(count) {
                // SAFETY: as above, and the index is the result's or a parameter's.
                unsafe { remove(self.raw(), index, kind) };
            }
        }
    }

    /// Drops what `-ffast-math` noted about a function.
    pub(crate) fn drop_notes(self) {
        if !self.is_function() {
            return;
        }
        for name in NOTES {
            let length = u32::try_from(name.len()).unwrap_or(0);
            let index = LLVMAttributeFunctionIndex;
            // SAFETY: it is a function; pointer and length describe the name.
            unsafe {
                LLVMRemoveStringAttributeAtIndex(self.raw(), index, name.as_ptr().cast(), length);
            }
        }
    }

    /// Gives a function an attribute that has no value.
    pub(super) fn add_function_attribute(self, name: &str, context: LLVMContextRef) {
        if self.is_function() {
            // SAFETY: it is a function, the attribute one without a value.
            unsafe {
                let attribute = LLVMCreateEnumAttribute(context, attribute_kind(name), 0);
                LLVMAddAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, attribute);
            }
        }
    }

    /// Whether the body of a function is only there to be inlined: another unit has it, too.
    pub(crate) fn is_copy_for_inlining(self) -> bool {
        // SAFETY: it is a function.
        self.is_function()
            && unsafe { LLVMGetLinkage(self.raw()) } == LLVMLinkage::LLVMAvailableExternallyLinkage
    }

    /// Lets a function be seen by its unit only.
    pub(crate) fn make_internal(self) {
        if self.is_function() {
            // SAFETY: it is a function.
            unsafe { LLVMSetLinkage(self.raw(), LLVMLinkage::LLVMInternalLinkage) };
        }
    }

    /// Gives a global variable another initial value.
    pub(crate) fn set_initializer(self, value: Value<'m>) {
        if self.initializer().is_some_and(|old| old.ty() == value.ty()) {
            // SAFETY: it is a global variable, and the value is of the old one's type.
            unsafe { LLVMSetInitializer(self.raw(), value.raw()) };
        }
    }

    /// A constant with zeros where it has no value; `None` if there is nothing to change.
    pub(crate) fn defined(self) -> Option<Value<'m>> {
        // SAFETY: it is a constant; what is built is of its type and of its context.
        unsafe { Value::new(defined(self.raw())?) }
    }

    /// Numbers an instruction.
    pub(crate) fn set_site(self, layout: Layout<'m>, number: u64) {
        if !self.is_instruction() {
            return;
        }
        let context = layout.context();
        // SAFETY: it is an instruction; the node is of its context.
        unsafe {
            let constant = LLVMConstInt(LLVMInt64TypeInContext(context), number, 0);
            let mut entry = LLVMValueAsMetadata(constant);
            let node = LLVMMDNodeInContext2(context, &raw mut entry, 1);
            let node = LLVMMetadataAsValue(context, node);
            LLVMSetMetadata(self.raw(), kind_of(context, super::SITE), node);
        }
    }

    /// The number of an instruction.
    pub(crate) fn site(self, layout: Layout<'m>) -> Option<u64> {
        if !self.is_instruction() {
            return None;
        }
        // SAFETY: it is an instruction; a node that is missing is null; operands are checked.
        let number = unsafe {
            if LLVMHasMetadata(self.raw()) == 0 {
                return None;
            }
            let node = LLVMGetMetadata(self.raw(), kind_of(layout.context(), super::SITE));
            if node.is_null() || LLVMGetNumOperands(node) != 1 {
                return None;
            }
            Value::new(LLVMGetOperand(node, 0))?
        };
        number.int_bits().and_then(|bits| u64::try_from(bits).ok())
    }

    /// Whether an instruction reads or writes memory that other threads may order against.
    pub(crate) fn is_atomic(self) -> bool {
        self.is(LLVMIsAAtomicCmpXchgInst)
            || self.opcode() == Some(Opcode::LLVMAtomicRMW)
            || ((self.is(LLVMIsALoadInst) || self.is(LLVMIsAStoreInst))
                && self.ordering().is_some())
    }
}

/// A constant without undefined parts, if it has some.
///
/// # Safety
/// `constant` is a live value.
unsafe fn defined(constant: LLVMValueRef) -> Option<LLVMValueRef> {
    // SAFETY: the caller vouches for the value; elements are only asked of aggregates.
    unsafe {
        let ty = LLVMTypeOf(constant);
        if LLVMIsUndef(constant) != 0 {
            return Some(LLVMConstNull(ty));
        }
        let is_struct = !LLVMIsAConstantStruct(constant).is_null();
        let is_array = !LLVMIsAConstantArray(constant).is_null();
        let is_vector = !LLVMIsAConstantVector(constant).is_null();
        if !is_struct && !is_array && !is_vector {
            return None;
        }
        let count = u32::try_from(LLVMGetNumOperands(constant)).ok()?;
        let mut is_changed = false;
        let mut parts = Vec::new();
        for index in 0..count {
            let part = LLVMGetOperand(constant, index);
            let other = defined(part);
            is_changed |= other.is_some();
            parts.push(other.unwrap_or(part));
        }
        if !is_changed {
            return None;
        }
        Some(if is_array {
            LLVMConstArray2(LLVMGetElementType(ty), parts.as_mut_ptr(), u64::from(count))
        } else if is_vector {
            LLVMConstVector(parts.as_mut_ptr(), count)
        } else if LLVMIsLiteralStruct(ty) != 0 {
            let packed = LLVMIsPackedStruct(ty);
            LLVMConstStructInContext(LLVMGetTypeContext(ty), parts.as_mut_ptr(), count, packed)
        } else {
            LLVMConstNamedStruct(ty, parts.as_mut_ptr(), count)
        })
    }
}

impl Module<'_> {
    /// Functions that choose another one while the program is loaded.
    pub(crate) fn resolvers(&self) -> Vec<Value<'_>> {
        let mut found = Vec::new();
        // SAFETY: the list is the module's own; the resolver is one of its functions.
        unsafe {
            let mut at = LLVMGetFirstGlobalIFunc(self.raw());
            while !at.is_null() {
                found.extend(Value::new(LLVMGetGlobalIFuncResolver(at)));
                at = LLVMGetNextGlobalIFunc(at);
            }
        }
        found
    }
}
