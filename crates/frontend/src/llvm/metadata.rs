//! Debug information, read as generic metadata nodes.
//!
//! The C interface has accessors for little of it, so names and types are taken by operand number.
//! The numbers are those of `llvm/IR/DebugInfoMetadata.h` of LLVM 19, and have names in
//! [`operand`].

use std::marker::PhantomData;

use inkwell::llvm_sys::core::{
    LLVMDisposeValueMetadataEntries, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands,
    LLVMGetMDString, LLVMGetOperand, LLVMGlobalCopyAllMetadata, LLVMIsAGlobalVariable,
    LLVMIsAInstruction, LLVMIsAMDString, LLVMMetadataAsValue, LLVMPrintValueToString,
    LLVMValueAsMetadata, LLVMValueMetadataEntriesGetKind, LLVMValueMetadataEntriesGetMetadata,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMDIFileGetDirectory, LLVMDIFileGetFilename, LLVMDILocationGetColumn,
    LLVMDILocationGetInlinedAt, LLVMDILocationGetLine, LLVMDILocationGetScope, LLVMDIScopeGetFile,
    LLVMDISubprogramGetLine, LLVMDITypeGetFlags, LLVMDITypeGetOffsetInBits,
    LLVMDITypeGetSizeInBits, LLVMDIVariableGetLine, LLVMGetDINodeTag, LLVMGetMetadataKind,
    LLVMGetSubprogram, LLVMInstructionGetDebugLoc,
};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};

use super::{Layout, MetadataKind as Kind, Value, ValueKind, take_message, text_of};

/// Operand numbers of debug information nodes.
pub(crate) mod operand {
    /// File of a type, subprogram or lexical block.
    pub(crate) const FILE: usize = 0;
    /// Enclosing scope of a subprogram, type or lexical block.
    pub(crate) const SCOPE: usize = 1;
    /// Name of a type or subprogram.
    pub(crate) const NAME: usize = 2;
    /// Type behind a pointer, typedef, qualifier, member, array or enumeration.
    pub(crate) const BASE: usize = 3;
    /// Members of a struct, dimensions of an array.
    pub(crate) const ELEMENTS: usize = 4;
    /// Where the storage of a bit-field begins.
    pub(crate) const STORAGE: usize = 4;
    /// Scope of a variable.
    pub(crate) const VARIABLE_SCOPE: usize = 0;
    /// Name of a variable.
    pub(crate) const VARIABLE_NAME: usize = 1;
    /// File of a variable.
    pub(crate) const VARIABLE_FILE: usize = 2;
    /// Type of a variable.
    pub(crate) const VARIABLE_TYPE: usize = 3;
    /// Number of elements of an array dimension.
    pub(crate) const COUNT: usize = 0;
}

/// A metadata node, string or wrapped value.
#[derive(Clone, Copy)]
pub(crate) struct Metadata<'m> {
    raw: LLVMMetadataRef,
    context: LLVMContextRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Metadata<'m> {
    /// # Safety
    /// `raw` is null or metadata that lives in `context`, which lives for `'m`.
    unsafe fn new(raw: LLVMMetadataRef, context: LLVMContextRef) -> Option<Self> {
        (!raw.is_null()).then_some(Metadata { raw, context, module: PhantomData })
    }

    /// Identity of the node, to be used as a key.
    pub(crate) fn key(self) -> usize {
        self.raw.addr()
    }

    pub(crate) fn kind(self) -> Kind {
        // SAFETY: a handle is live metadata.
        unsafe { LLVMGetMetadataKind(self.raw) }
    }

    fn value(self) -> LLVMValueRef {
        // SAFETY: a handle is live metadata of this context.
        unsafe { LLVMMetadataAsValue(self.context, self.raw) }
    }

    fn is_node(self) -> bool {
        !matches!(
            self.kind(),
            Kind::LLVMMDStringMetadataKind
                | Kind::LLVMConstantAsMetadataMetadataKind
                | Kind::LLVMLocalAsMetadataMetadataKind
                | Kind::LLVMDistinctMDOperandPlaceholderMetadataKind
                | Kind::LLVMDIArgListMetadataKind
        )
    }

    /// All operands of a node.
    pub(crate) fn operands(self) -> Vec<Option<Metadata<'m>>> {
        if !self.is_node() {
            return Vec::new();
        }
        let value = self.value();
        // SAFETY: it is a node, and the buffer has as many places as it has operands.
        let values = unsafe {
            let mut values = vec![
                std::ptr::null_mut::<inkwell::llvm_sys::LLVMValue>();
                LLVMGetMDNodeNumOperands(value) as usize
            ];
            LLVMGetMDNodeOperands(value, values.as_mut_ptr());
            values
        };
        values.into_iter().map(|value| self.wrap(value)).collect()
    }

    fn wrap(self, value: LLVMValueRef) -> Option<Metadata<'m>> {
        if value.is_null() {
            return None;
        }
        // SAFETY: operands are live values of the same context.
        unsafe { Metadata::new(LLVMValueAsMetadata(value), self.context) }
    }

    pub(crate) fn operand(self, index: usize) -> Option<Metadata<'m>> {
        self.operands().get(index).copied().flatten()
    }

    /// Text of a metadata string.
    pub(crate) fn text(self) -> Option<String> {
        let value = self.value();
        let mut length = 0;
        // SAFETY: it is a metadata string, of which LLVM gives pointer and length.
        unsafe {
            if LLVMIsAMDString(value).is_null() {
                return None;
            }
            let text = LLVMGetMDString(value, &raw mut length);
            Some(text_of(text, length as usize))
        }
    }

    /// The value that metadata wraps: a constant, or a local in `llvm.dbg.value`.
    pub(crate) fn wrapped(self) -> Option<Value<'m>> {
        let wraps = matches!(
            self.kind(),
            Kind::LLVMConstantAsMetadataMetadataKind | Kind::LLVMLocalAsMetadataMetadataKind
        );
        // SAFETY: operand 0 of metadata that wraps a value is that value.
        wraps.then(|| unsafe { Value::new(LLVMGetOperand(self.value(), 0)) }).flatten()
    }

    /// The node as LLVM prints it: the only way to a basic type's encoding and an expression.
    pub(crate) fn printed(self) -> String {
        // SAFETY: a handle is live metadata; the text is handed over to us.
        unsafe { take_message(LLVMPrintValueToString(self.value())) }
    }

    /// DWARF tag of a type, 0 for anything else.
    pub(crate) fn tag(self) -> u16 {
        // SAFETY: a type has a tag.
        if self.is_type() { unsafe { LLVMGetDINodeTag(self.raw) } } else { 0 }
    }

    fn is_type(self) -> bool {
        matches!(
            self.kind(),
            Kind::LLVMDIBasicTypeMetadataKind
                | Kind::LLVMDIDerivedTypeMetadataKind
                | Kind::LLVMDICompositeTypeMetadataKind
                | Kind::LLVMDISubroutineTypeMetadataKind
        )
    }

    pub(crate) fn type_bits(self) -> u64 {
        // SAFETY: it is a type.
        if self.is_type() { unsafe { LLVMDITypeGetSizeInBits(self.raw) } } else { 0 }
    }

    pub(crate) fn type_offset_bits(self) -> u64 {
        // SAFETY: it is a type.
        if self.is_type() { unsafe { LLVMDITypeGetOffsetInBits(self.raw) } } else { 0 }
    }

    pub(crate) fn is_bit_field(self) -> bool {
        // `LLVMDIFlagBitField` of `llvm-c/DebugInfo.h`.
        const BIT_FIELD: i32 = 1 << 19;
        // SAFETY: it is a type.
        self.is_type() && unsafe { LLVMDITypeGetFlags(self.raw) } & BIT_FIELD != 0
    }

    /// Line of a subprogram or variable, 0 if unknown.
    pub(crate) fn declaration_line(self) -> u32 {
        match self.kind() {
            // SAFETY: it is a subprogram.
            Kind::LLVMDISubprogramMetadataKind => unsafe { LLVMDISubprogramGetLine(self.raw) },
            Kind::LLVMDIGlobalVariableMetadataKind | Kind::LLVMDILocalVariableMetadataKind => {
                // SAFETY: it is a variable.
                unsafe { LLVMDIVariableGetLine(self.raw) }
            }
            _ => 0,
        }
    }

    /// Line and column of a location, 0 if unknown.
    pub(crate) fn position(self) -> Option<(u32, u32)> {
        // SAFETY: it is a location.
        matches!(self.kind(), Kind::LLVMDILocationMetadataKind).then(|| unsafe {
            (LLVMDILocationGetLine(self.raw), LLVMDILocationGetColumn(self.raw))
        })
    }

    /// Scope of a location.
    pub(crate) fn location_scope(self) -> Option<Metadata<'m>> {
        self.position()?;
        // SAFETY: it is a location.
        unsafe { Metadata::new(LLVMDILocationGetScope(self.raw), self.context) }
    }

    /// The call at which a location was inlined.
    pub(crate) fn inlined_at(self) -> Option<Metadata<'m>> {
        self.position()?;
        // SAFETY: it is a location; null if it was not inlined.
        unsafe { Metadata::new(LLVMDILocationGetInlinedAt(self.raw), self.context) }
    }

    /// File of a scope.
    pub(crate) fn scope_file(self) -> Option<Metadata<'m>> {
        let is_scope = matches!(
            self.kind(),
            Kind::LLVMDISubprogramMetadataKind
                | Kind::LLVMDILexicalBlockMetadataKind
                | Kind::LLVMDILexicalBlockFileMetadataKind
                | Kind::LLVMDIFileMetadataKind
        );
        // SAFETY: it is a scope; null if it has no file.
        is_scope
            .then(|| unsafe { Metadata::new(LLVMDIScopeGetFile(self.raw), self.context) })
            .flatten()
    }

    /// Directory and name of a file.
    pub(crate) fn file(self) -> Option<(String, String)> {
        if !matches!(self.kind(), Kind::LLVMDIFileMetadataKind) {
            return None;
        }
        let (mut directory_length, mut name_length) = (0, 0);
        // SAFETY: it is a file; LLVM gives pointers and lengths.
        unsafe {
            let directory = LLVMDIFileGetDirectory(self.raw, &raw mut directory_length);
            let name = LLVMDIFileGetFilename(self.raw, &raw mut name_length);
            Some((
                text_of(directory, directory_length as usize),
                text_of(name, name_length as usize),
            ))
        }
    }
}

impl<'m> Layout<'m> {
    /// Where an instruction stands.
    pub(crate) fn location(self, instruction: Value<'m>) -> Option<Metadata<'m>> {
        // SAFETY: it is an instruction; null if it has no place.
        instruction
            .is(LLVMIsAInstruction)
            .then(|| unsafe {
                Metadata::new(LLVMInstructionGetDebugLoc(instruction.raw()), self.context())
            })
            .flatten()
    }

    /// Debug information of a function.
    pub(crate) fn subprogram(self, function: Value<'m>) -> Option<Metadata<'m>> {
        // SAFETY: it is a function; null if it has none.
        function
            .is_function()
            .then(|| unsafe { Metadata::new(LLVMGetSubprogram(function.raw()), self.context()) })
            .flatten()
    }

    /// Metadata passed as an argument.
    pub(crate) fn argument(self, value: Value<'m>) -> Option<Metadata<'m>> {
        // SAFETY: it is metadata wrapped as a value, of this context.
        (value.kind() == ValueKind::LLVMMetadataAsValueValueKind)
            .then(|| unsafe { Metadata::new(LLVMValueAsMetadata(value.raw()), self.context()) })
            .flatten()
    }

    /// The variable that a global was declared as.
    pub(crate) fn global_variable(self, global: Value<'m>) -> Option<Metadata<'m>> {
        // `LLVMContext::MD_dbg`, fixed in `FixedMetadataKinds.def`.
        const DBG: u32 = 0;
        if !global.is(LLVMIsAGlobalVariable) {
            return None;
        }
        let mut count = 0;
        // SAFETY: it is a global; the entries are ours to free, the indices in range.
        let found = unsafe {
            let entries = LLVMGlobalCopyAllMetadata(global.raw(), &raw mut count);
            let count = u32::try_from(count).unwrap_or(0);
            let found = (0..count)
                .find(|index| LLVMValueMetadataEntriesGetKind(entries, *index) == DBG)
                .and_then(|index| {
                    let raw = LLVMValueMetadataEntriesGetMetadata(entries, index);
                    Metadata::new(raw, self.context())
                });
            LLVMDisposeValueMetadataEntries(entries);
            found
        };
        match found?.kind() {
            Kind::LLVMDIGlobalVariableExpressionMetadataKind => found?.operand(0),
            _ => found,
        }
    }
}
