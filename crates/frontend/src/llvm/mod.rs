//! Safe wrappers over LLVM's C interface: the only module of this crate with `unsafe` code.
//!
//! The rules that make the rest safe:
//!
//! - A handle ([`Value`], [`Ty`], [`Block`], [`Metadata`]) is never null and carries the lifetime
//!   of the module it belongs to, which owns everything a handle can point to.
//! - A module is changed by [`Session::link`], which borrows it for change, and by
//!   [`Module::prepare`] and [`Module::run`], which consume and return it, so that no handle exists
//!   meanwhile. Changes in `edit` and `promise` leave handles valid, but for what is erased, to
//!   which nobody keeps one.
//! - LLVM's accessors assume that they are given the right kind of object and do not check it in
//!   release builds. Every wrapper therefore checks first and answers `None` for a wrong kind.

mod block;
mod call;
mod edit;
mod metadata;
mod module;
mod promise;
mod ty;
mod value;

pub(crate) use block::Block;
pub(crate) use call::{InlineAsm, RmwKind};
pub(crate) use edit::Editor;
pub(crate) use inkwell::llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;
pub(crate) use inkwell::llvm_sys::{
    LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate,
    LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};
pub(crate) use metadata::{Metadata, operand};
pub(crate) use module::{Module, Session};
pub(crate) use ty::{Layout, Ty};
pub(crate) use value::{Linkage, Value};

use std::ffi::c_char;

/// Metadata that numbers an instruction which has a hook.
const SITE: &str = "unravel.site";

/// Copies `length` bytes at `text` to a string; empty if `text` is null.
///
/// # Safety
/// `text` is null or points to at least `length` readable bytes.
unsafe fn text_of(text: *const c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller vouches for the range.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes a message that LLVM allocated.
///
/// # Safety
/// `message` is null or a string that LLVM handed over and nobody else frees.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: LLVM's messages end in NUL.
    let text = unsafe { std::ffi::CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // SAFETY: the caller vouches that the message is ours to free, and it is not used after.
    unsafe { inkwell::llvm_sys::core::LLVMDisposeMessage(message) };
    text
}
