//! Contexts and modules: reading, linking and the one pass that may run.

use std::cell::RefCell;
use std::ffi::c_void;
use std::mem;

use inkwell::context::Context;
use inkwell::llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use inkwell::llvm_sys::core::{
    LLVMBuildPtrToInt, LLVMContextSetDiagnosticHandler, LLVMCreateBuilderInContext,
    LLVMDeleteFunction, LLVMDisposeBuilder, LLVMDisposeMemoryBuffer, LLVMGetBufferSize,
    LLVMGetBufferStart, LLVMGetDataLayoutStr, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
    LLVMGetEnumAttributeKindForName, LLVMGetFirstFunction, LLVMGetFirstGlobal,
    LLVMGetFirstGlobalAlias, LLVMGetModuleContext, LLVMGetModuleInlineAsm, LLVMGetNextFunction,
    LLVMGetNextGlobal, LLVMGetNextGlobalAlias, LLVMGetNextInstruction,
    LLVMInstructionEraseFromParent, LLVMInt64TypeInContext, LLVMPositionBuilderBefore,
    LLVMRemoveEnumAttributeAtIndex, LLVMReplaceAllUsesWith, LLVMSetIsNewDbgInfoFormat, LLVMSetNSW,
    LLVMSetNUW,
};
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::llvm_sys::prelude::{LLVMDiagnosticInfoRef, LLVMModuleRef, LLVMValueRef};
use inkwell::llvm_sys::target::LLVMGetModuleDataLayout;
use inkwell::llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMDiagnosticSeverity};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::values::AsValueRef as _;

use super::{Editor, Layout, Value, take_message, text_of};
use crate::locals::Locals;
use crate::shifts::{SignedShifts, signed_shifts};

/// An LLVM context, with the errors LLVM reported in it.
///
/// LLVM's own handler prints to the terminal and ends the process on an error, and the one that
/// inkwell installs for linking points into a stack frame that is gone afterwards; so the context
/// gets a handler of its own before anything else happens.
pub(crate) struct Session {
    context: Context,
    errors: Box<RefCell<Vec<String>>>,
}

impl Session {
    pub(crate) fn new() -> Self {
        let session = Session { context: Context::create(), errors: Box::default() };
        let sink: *const RefCell<Vec<String>> = &raw const *session.errors;
        // SAFETY: `sink` is boxed and dropped with the session, after the context (fields are
        // dropped in order of declaration).
        unsafe {
            LLVMContextSetDiagnosticHandler(
                session.context.raw(),
                Some(note_diagnostic),
                sink.cast_mut().cast::<c_void>(),
            );
        }
        session
    }

    /// Reads bitcode or textual IR. The error is LLVM's message.
    pub(crate) fn read(&self, bytes: &[u8], name: &str) -> Result<Module<'_>, String> {
        // `to_c_str` of inkwell would copy a name with a NUL wrongly.
        let name = name.replace('\0', "");
        let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, &name);
        let module = self.context.create_module_from_ir(buffer).map_err(|e| e.to_string())?;
        module.verify().map_err(|error| error.to_string())?;
        let module = Module { module };
        module.use_debug_calls();
        Ok(module)
    }

    /// What something says about bitcode that is read for this alone; `None` if it is not readable.
    pub(crate) fn looked_at<T>(
        &self,
        bytes: &[u8],
        look: impl FnOnce(&Module<'_>) -> T,
    ) -> Option<T> {
        self.read(bytes, "").ok().map(|module| look(&module))
    }

    /// Moves everything of `other` into `module`.
    pub(crate) fn link<'s>(
        &'s self,
        into: &mut Module<'s>,
        other: Module<'s>,
    ) -> Result<(), String> {
        self.errors.borrow_mut().clear();
        // SAFETY: both modules live in this session's context and no handle into them exists, since
        // one is borrowed for change and the other owned; linking destroys `other`, whose
        // destructor is therefore not run.
        let failed = unsafe { LLVMLinkModules2(into.raw(), other.raw()) } != 0;
        mem::forget(other.module);
        if failed { Err(self.errors.borrow().join("; ")) } else { Ok(()) }
    }
}

/// Keeps the text of an error; warnings and remarks of the linker are of no interest.
extern "C" fn note_diagnostic(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: LLVM calls this with a live diagnostic.
    let severity = unsafe { LLVMGetDiagInfoSeverity(info) };
    if sink.is_null() || severity != LLVMDiagnosticSeverity::LLVMDSError {
        return;
    }
    // SAFETY: as above; the description is handed over to us.
    let text = unsafe { take_message(LLVMGetDiagInfoDescription(info)) };
    // SAFETY: `Session::new` registered a boxed cell that outlives the context.
    let errors = unsafe { &*sink.cast::<RefCell<Vec<String>>>() };
    if let Ok(mut errors) = errors.try_borrow_mut() {
        errors.push(text);
    }
}

/// A module of LLVM IR.
pub(crate) struct Module<'s> {
    module: inkwell::module::Module<'s>,
}

impl<'s> Module<'s> {
    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.module.as_mut_ptr()
    }

    /// Promotes locals to registers and turns debug records into the calls `llvm.dbg.*`, which
    /// are the only form that the C interface can read.
    pub(crate) fn prepare(self, keep_locals: bool) -> Result<Self, String> {
        self.drop_optnone();
        if !keep_locals {
            let pins = self.pin_uninitialized();
            let result = self.pass(c"function(mem2reg)");
            for pin in pins {
                // SAFETY: the pin was made below, nothing uses it, and it is erased once.
                unsafe { LLVMInstructionEraseFromParent(pin) };
            }
            result?;
        }
        self.use_debug_calls();
        Ok(self)
    }

    /// Turns debug records into calls.
    fn use_debug_calls(&self) {
        // SAFETY: the module is live; no handle to a debug record or call is kept across this.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw(), 0) };
    }

    /// Gives locals that may be read before they have a value a use that keeps `mem2reg` away.
    fn pin_uninitialized(&self) -> Vec<LLVMValueRef> {
        let layout = self.layout();
        let functions = self.functions().into_iter();
        let locals = functions.flat_map(|it| Locals::new(layout, it).read_uninitialized());
        locals.filter_map(|local| self.pin(local)).collect()
    }

    fn pin(&self, local: Value<'_>) -> Option<LLVMValueRef> {
        // SAFETY: `local` is an `alloca` of this module and stands in a block, so that an
        // instruction follows it; the builder is created and freed here.
        unsafe {
            let next = LLVMGetNextInstruction(local.raw());
            if next.is_null() {
                return None;
            }
            let context = LLVMGetModuleContext(self.raw());
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, next);
            let number = LLVMInt64TypeInContext(context);
            let pin = LLVMBuildPtrToInt(builder, local.raw(), number, c"".as_ptr());
            LLVMDisposeBuilder(builder);
            Some(pin)
        }
    }

    /// What the linker does for `--wrap=NAME`: where a file does not define the function, its calls
    /// go to `__wrap_NAME`, and those of `__real_NAME` to the function.
    pub(crate) fn wrap(self, name: &str) -> Self {
        self.redirect(name, &format!("__wrap_{name}"));
        self.redirect(&format!("__real_{name}"), name);
        self
    }

    /// Lets a function that is only declared stand for another.
    fn redirect(&self, from: &str, to: &str) {
        let Some(function) = self.module.get_function(from) else { return };
        if function.count_basic_blocks() > 0 {
            return;
        }
        match self.module.get_function(to) {
            None => function.as_global_value().set_name(to),
            Some(target) => {
                // SAFETY: both are functions of this module, and no handle to the declaration
                // exists: it is gone afterwards.
                unsafe {
                    LLVMReplaceAllUsesWith(function.as_value_ref(), target.as_value_ref());
                    LLVMDeleteFunction(function.as_value_ref());
                }
            }
        }
    }

    /// Marks left shifts of signed numbers, so that [`Value::is_signed_shift`] knows them.
    pub(crate) fn mark_signed_shifts(&self, known: &SignedShifts) {
        for shift in signed_shifts(self, known) {
            // SAFETY: it is a shift of this module, which has both flags.
            unsafe {
                LLVMSetNSW(shift.raw(), 1);
                LLVMSetNUW(shift.raw(), 1);
            }
        }
    }

    /// Whether a block inside a function declares a local that stays in memory.
    pub(crate) fn has_block_local(&self) -> bool {
        let layout = self.layout();
        self.functions().into_iter().any(|it| Locals::new(layout, it).has_block_local())
    }

    /// `optnone` (which clang gives every function of a `.bc` file compiled at `-O0`) would make
    /// the pass manager skip a function.
    fn drop_optnone(&self) {
        let name = "optnone";
        // SAFETY: the pointer and the length describe `name`.
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        for function in self.functions() {
            let index = LLVMAttributeFunctionIndex;
            // SAFETY: `function` is a function of this module; removing an attribute it does not
            // have does nothing.
            unsafe { LLVMRemoveEnumAttributeAtIndex(function.raw(), index, kind) };
        }
    }

    /// Runs passes of LLVM, after which debug records are calls again.
    pub(crate) fn run(self, passes: &std::ffi::CStr) -> Result<Self, String> {
        self.pass(passes)?;
        self.use_debug_calls();
        Ok(self)
    }

    /// What changes the module while handles to it exist.
    pub(crate) fn editor(&self) -> Editor<'_> {
        // SAFETY: the module is borrowed, and the layout is its own.
        unsafe { Editor::new(self.raw(), self.layout()) }
    }

    /// The module as bitcode.
    pub(crate) fn bitcode(&self) -> Vec<u8> {
        // SAFETY: the module is live; the buffer is copied and freed here.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw());
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// Looks whether the module is well formed.
    pub(crate) fn verify(&self) -> Result<(), String> {
        self.module.verify().map_err(|error| error.to_string())
    }

    fn pass(&self, passes: &std::ffi::CStr) -> Result<(), String> {
        // SAFETY: options are created and freed here; a null target machine is allowed.
        let error = unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.raw(), passes.as_ptr(), std::ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            error
        };
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: the error is consumed once; its message is ours and ends in NUL.
        let text = unsafe {
            let message = LLVMGetErrorMessage(error);
            let text = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            text
        };
        Err(text)
    }

    /// The data layout, as its string.
    pub(crate) fn layout_string(&self) -> String {
        // SAFETY: the string belongs to the module and ends in NUL.
        unsafe { std::ffi::CStr::from_ptr(LLVMGetDataLayoutStr(self.raw())) }
            .to_string_lossy()
            .into_owned()
    }

    /// The data layout.
    pub(crate) fn layout(&self) -> Layout<'_> {
        // SAFETY: the layout belongs to the module, whose borrow the result keeps.
        unsafe {
            Layout::new(LLVMGetModuleDataLayout(self.raw()), LLVMGetModuleContext(self.raw()))
        }
    }

    /// File-scope inline assembly.
    pub(crate) fn inline_assembly(&self) -> String {
        let mut length = 0;
        // SAFETY: LLVM gives a pointer into the module and its length.
        unsafe {
            let text = LLVMGetModuleInlineAsm(self.raw(), &raw mut length);
            text_of(text, length)
        }
    }

    /// All functions, declarations included, in order.
    pub(crate) fn functions(&self) -> Vec<Value<'_>> {
        // SAFETY: the functions are the module's own list.
        unsafe { collect(LLVMGetFirstFunction(self.raw()), |it| LLVMGetNextFunction(it)) }
    }

    /// All global variables, in order.
    pub(crate) fn globals(&self) -> Vec<Value<'_>> {
        // SAFETY: the globals are the module's own list.
        unsafe { collect(LLVMGetFirstGlobal(self.raw()), |it| LLVMGetNextGlobal(it)) }
    }

    /// All aliases, in order.
    pub(crate) fn aliases(&self) -> Vec<Value<'_>> {
        // SAFETY: the aliases are the module's own list.
        unsafe { collect(LLVMGetFirstGlobalAlias(self.raw()), |it| LLVMGetNextGlobalAlias(it)) }
    }
}

/// Walks one of LLVM's linked lists.
///
/// # Safety
/// `first` is null or a value that lives for `'m`, and so is every result of `next`.
unsafe fn collect<'m>(
    first: LLVMValueRef,
    next: impl Fn(LLVMValueRef) -> LLVMValueRef,
) -> Vec<Value<'m>> {
    let mut values = Vec::new();
    let mut at = first;
    // SAFETY: the caller vouches for the lifetime.
    while let Some(value) = unsafe { Value::new(at) } {
        values.push(value);
        at = next(at);
    }
    values
}
