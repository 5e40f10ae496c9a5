//! Values: constants, globals, functions and instructions.

use std::ffi::c_char;
use std::marker::PhantomData;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::{
    LLVMAliasGetAliasee, LLVMConstBitCast, LLVMConstIntGetZExtValue, LLVMCountParams,
    LLVMGetAggregateElement, LLVMGetAlignment, LLVMGetAsString, LLVMGetConstOpcode,
    LLVMGetFirstUse, LLVMGetInitializer, LLVMGetInstructionOpcode, LLVMGetLinkage, LLVMGetNextUse,
    LLVMGetNumOperands, LLVMGetOperand, LLVMGetParam, LLVMGetTypeContext, LLVMGetUser,
    LLVMGetValueKind, LLVMGetValueName2, LLVMGlobalGetValueType, LLVMIntTypeInContext,
    LLVMIsAAllocaInst, LLVMIsAConstantDataArray, LLVMIsAConstantExpr, LLVMIsAFunction,
    LLVMIsAGlobalAlias, LLVMIsAGlobalValue, LLVMIsAGlobalVariable, LLVMIsAInstruction, LLVMIsAUser,
    LLVMIsConstantString, LLVMIsDeclaration, LLVMIsGlobalConstant, LLVMIsThreadLocal,
    LLVMPrintValueToString, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::LLVMValueRef;

use super::{Opcode, Ty, TypeKind, ValueKind, take_message, text_of};

/// A value of LLVM IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'m>(LLVMValueRef, PhantomData<&'m ()>);

/// Who sees a global symbol, as far as linking cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    /// Seen by all files; two definitions conflict.
    Strong,
    /// Seen by all files; gives way to another definition.
    Weak,
    /// Seen by one file only.
    Local,
}

impl<'m> Value<'m> {
    /// # Safety
    /// `raw` is null or a value that lives for `'m`.
    pub(super) unsafe fn new(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Value(raw, PhantomData))
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.0
    }

    /// Whether one of LLVM's `LLVMIsA…` tests holds.
    pub(super) fn is(self, test: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef) -> bool {
        // SAFETY: the tests accept any live value.
        unsafe { !test(self.0).is_null() }
    }

    /// LLVM calls every kind it does not know an instruction; see [`Value::is_instruction`].
    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: a handle is a live value.
        unsafe { LLVMGetValueKind(self.0) }
    }

    pub(crate) fn is_instruction(self) -> bool {
        self.is(LLVMIsAInstruction)
    }

    pub(crate) fn ty(self) -> Option<Ty<'m>> {
        // SAFETY: a handle is a live value, its type lives as long.
        unsafe { Ty::new(LLVMTypeOf(self.0)) }
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: LLVM gives a pointer into the value's name and its length.
        unsafe {
            let text: *const c_char = LLVMGetValueName2(self.0, &raw mut length);
            text_of(text, length)
        }
    }

    /// The value as LLVM prints it.
    pub(crate) fn printed(self) -> String {
        // SAFETY: a handle is a live value; the text is handed over to us.
        unsafe { take_message(LLVMPrintValueToString(self.0)) }
    }

    pub(crate) fn operand_count(self) -> u32 {
        if !self.is(LLVMIsAUser) {
            return 0;
        }
        // SAFETY: it has operands.
        u32::try_from(unsafe { LLVMGetNumOperands(self.0) }).unwrap_or(0)
    }

    pub(crate) fn operand(self, index: u32) -> Option<Value<'m>> {
        // SAFETY: the index is checked; a missing operand is null.
        (index < self.operand_count())
            .then(|| unsafe { Value::new(LLVMGetOperand(self.0, index)) })
            .flatten()
    }

    /// What uses it: instructions and constants, metadata not included. An instruction that uses it
    /// twice comes twice.
    pub(crate) fn uses(self) -> Vec<Value<'m>> {
        let mut users = Vec::new();
        // SAFETY: the uses of a live value are live; the list ends in null.
        unsafe {
            let mut at = LLVMGetFirstUse(self.0);
            while !at.is_null() {
                users.extend(Value::new(LLVMGetUser(at)));
                at = LLVMGetNextUse(at);
            }
        }
        users
    }

    /// Opcode of an instruction or a constant expression.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        if self.is(LLVMIsAInstruction) {
            // SAFETY: it is an instruction.
            return Some(unsafe { LLVMGetInstructionOpcode(self.0) });
        }
        // SAFETY: it is a constant expression.
        self.is(LLVMIsAConstantExpr).then(|| unsafe { LLVMGetConstOpcode(self.0) })
    }

    /// Bits of a constant integer of at most 128 bits.
    pub(crate) fn int_bits(self) -> Option<u128> {
        if self.kind() != ValueKind::LLVMConstantIntValueKind {
            return None;
        }
        match self.ty()?.int_width()? {
            // SAFETY: a constant integer of at most 64 bits.
            0..=64 => Some(unsafe { LLVMConstIntGetZExtValue(self.0) }.into()),
            width @ 65..=128 => wide_bits(&self.printed(), width),
            _ => None,
        }
    }

    /// Bits of a constant `float` or `double`.
    pub(crate) fn float_bits(self) -> Option<u128> {
        if self.kind() != ValueKind::LLVMConstantFPValueKind {
            return None;
        }
        let width = match self.ty()?.kind() {
            TypeKind::LLVMFloatTypeKind => 32,
            TypeKind::LLVMDoubleTypeKind => 64,
            _ => return None,
        };
        // SAFETY: a floating point constant cast to an integer of its width folds to a constant
        // integer of the same context.
        let bits = unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            Value::new(LLVMConstBitCast(self.0, LLVMIntTypeInContext(context, width)))
        };
        bits?.int_bits()
    }

    /// Bytes of a constant of a float type that has no arithmetic here: `long double`, 16 bits.
    pub(crate) fn odd_float_bytes(self) -> Option<Vec<u8>> {
        let bytes = match self.ty()?.kind() {
            TypeKind::LLVMX86_FP80TypeKind => 10,
            TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => 2,
            _ => return None,
        };
        // Printed as `x86_fp80 0xK3FFF8000000000000000`, the letter saying the type.
        let printed = self.printed();
        let digits = printed.split("0x").nth(1)?.get(1..)?;
        let bits = u128::from_str_radix(digits, 16).ok()?;
        Some(bits.to_le_bytes().get(..bytes)?.to_vec())
    }

    /// Element of a constant struct, array or vector (also of `zeroinitializer` and `undef`).
    pub(crate) fn element(self, index: u64) -> Option<Value<'m>> {
        let index = u32::try_from(index).ok()?;
        let is_aggregate = matches!(
            self.kind(),
            ValueKind::LLVMConstantArrayValueKind
                | ValueKind::LLVMConstantStructValueKind
                | ValueKind::LLVMConstantVectorValueKind
                | ValueKind::LLVMConstantAggregateZeroValueKind
                | ValueKind::LLVMConstantDataArrayValueKind
                | ValueKind::LLVMConstantDataVectorValueKind
                | ValueKind::LLVMUndefValueValueKind
                | ValueKind::LLVMPoisonValueKind
        );
        // `undef` may be of any type, but only these have elements.
        let has_elements = matches!(
            self.ty()?.kind(),
            TypeKind::LLVMStructTypeKind
                | TypeKind::LLVMArrayTypeKind
                | TypeKind::LLVMVectorTypeKind
        );
        // SAFETY: a constant aggregate; an index out of range gives null.
        (is_aggregate && has_elements)
            .then(|| unsafe { Value::new(LLVMGetAggregateElement(self.0, index)) })
            .flatten()
    }

    /// Bytes of a constant array of bytes.
    pub(crate) fn string_bytes(self) -> Option<Vec<u8>> {
        // SAFETY: `LLVMIsConstantString` accepts data arrays; LLVM then gives pointer and length.
        unsafe {
            if !self.is(LLVMIsAConstantDataArray) || LLVMIsConstantString(self.0) == 0 {
                return None;
            }
            let mut length = 0;
            let text = LLVMGetAsString(self.0, &raw mut length).cast::<u8>();
            Some(std::slice::from_raw_parts(text, length).to_vec())
        }
    }

    /// What an alias stands for.
    pub(crate) fn aliasee(self) -> Option<Value<'m>> {
        // SAFETY: it is an alias.
        self.is(LLVMIsAGlobalAlias)
            .then(|| unsafe { Value::new(LLVMAliasGetAliasee(self.0)) })
            .flatten()
    }

    pub(crate) fn is_function(self) -> bool {
        self.is(LLVMIsAFunction)
    }

    /// Whether a global symbol has no definition in the module.
    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: it is a global symbol.
        self.is(LLVMIsAGlobalValue) && unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub(crate) fn linkage(self) -> Linkage {
        if !self.is(LLVMIsAGlobalValue) {
            return Linkage::Local;
        }
        // SAFETY: it is a global symbol.
        match unsafe { LLVMGetLinkage(self.0) } {
            LLVMLinkage::LLVMExternalLinkage => Linkage::Strong,
            LLVMLinkage::LLVMInternalLinkage
            | LLVMLinkage::LLVMPrivateLinkage
            | LLVMLinkage::LLVMAppendingLinkage => Linkage::Local,
            _ => Linkage::Weak,
        }
    }

    /// Type of what a global symbol holds: of a function its function type.
    pub(crate) fn value_type(self) -> Option<Ty<'m>> {
        // SAFETY: it is a global symbol.
        self.is(LLVMIsAGlobalValue)
            .then(|| unsafe { Ty::new(LLVMGlobalGetValueType(self.0)) })
            .flatten()
    }

    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        // SAFETY: it is a global variable; null if it has no initial value.
        self.is(LLVMIsAGlobalVariable)
            .then(|| unsafe { Value::new(LLVMGetInitializer(self.0)) })
            .flatten()
    }

    pub(crate) fn is_constant_global(self) -> bool {
        // SAFETY: it is a global variable.
        self.is(LLVMIsAGlobalVariable) && unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: it is a global variable.
        self.is(LLVMIsAGlobalVariable) && unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// Alignment in bytes of a global variable or an `alloca`, if given.
    pub(crate) fn alignment(self) -> Option<u64> {
        if !self.is(LLVMIsAGlobalVariable) && !self.is(LLVMIsAAllocaInst) {
            return None;
        }
        // SAFETY: it is one of the two.
        Some(u64::from(unsafe { LLVMGetAlignment(self.0) })).filter(|align| *align > 0)
    }

    /// Parameters of a function.
    pub(crate) fn params(self) -> Vec<Value<'m>> {
        if !self.is_function() {
            return Vec::new();
        }
        // SAFETY: it is a function, and the indices are in range.
        unsafe {
            let count = LLVMCountParams(self.0);
            (0..count).filter_map(|index| Value::new(LLVMGetParam(self.0, index))).collect()
        }
    }
}

/// Parses `i128 -5`: the C interface gives only the low 64 bits of a constant.
fn wide_bits(printed: &str, width: u32) -> Option<u128> {
    let number: i128 = printed.split_whitespace().nth(1)?.parse().ok()?;
    let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
    Some(number.cast_unsigned() & mask)
}
