//! The form of a unit that is compiled and that the analysis reads.
//!
//! Whatever lets the optimizer do what the analysis would not expect is taken away: promises about
//! values and memory, undefined values, bodies that may or may not be used. The order of the steps
//! matters: byval arguments are copied while the copies can still become registers, and values that
//! `mem2reg` leaves undefined become zero after it.

use crate::hooks::escape::Locals;
use crate::hooks::frame::{Frame, go_behind};
use crate::llvm::{Block, Module, Opcode, Value};

/// Intrinsics that say something to the optimizer only. Lifetimes are among them: behind
/// `llvm.lifetime.start` a local is undefined anew, so a local lives as long as its function.
const PROMISES: &[&str] = &[
    "llvm.lifetime.start",
    "llvm.lifetime.end",
    "llvm.assume",
    "llvm.invariant.end",
    "llvm.experimental.noalias.scope.decl",
];

/// Intrinsics whose last argument says that some inputs have no result.
const PARTIAL: &[&str] = &["llvm.ctlz", "llvm.cttz", "llvm.abs"];

/// What runs: bodies go that another unit has, locals become registers, and what depends on how
/// much the optimizer finds out (`__builtin_constant_p`) is decided.
const PASSES: &std::ffi::CStr = c"elim-avail-extern,function(mem2reg,lower-constant-intrinsics)";

/// Prepares a unit.
pub(super) fn prepare(module: Module<'_>) -> Result<Module<'_>, String> {
    for function in module.functions() {
        drop_promises(&module, function);
        copy_arguments(&module, function);
    }
    for global in module.globals() {
        if let Some(value) = global.initializer().and_then(Value::defined) {
            global.set_initializer(value);
        }
    }
    let module = module.run(PASSES)?;
    for function in module.functions() {
        define_values(function);
        clear_locals(&module, function);
    }
    Ok(module)
}

/// All instructions of a function.
pub(super) fn instructions(function: Value<'_>) -> Vec<Value<'_>> {
    function.blocks().into_iter().flat_map(Block::instructions).collect()
}

/// Whether something is a call of an intrinsic, with or without types at the end of its name.
pub(super) fn is_intrinsic(at: Value<'_>, names: &[&str]) -> bool {
    let Some(callee) = at.callee() else { return false };
    let name = callee.name();
    name.starts_with("llvm.")
        && names.iter().any(|it| {
            name.strip_prefix(it).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
}

fn drop_promises<'m>(module: &'m Module<'_>, function: Value<'m>) {
    if function.name().starts_with("llvm.") {
        return;
    }
    function.drop_attributes();
    function.drop_notes();
    if function.is_copy_for_inlining() && function.has_attribute("alwaysinline") {
        function.make_internal();
    }
    for at in instructions(function) {
        if is_intrinsic(at, PROMISES) {
            at.erase();
            continue;
        }
        at.drop_flags();
        at.drop_metadata(module.layout());
        let is_llvm = at.callee().is_some_and(|it| it.name().starts_with("llvm."));
        if !is_llvm {
            at.drop_attributes();
        } else if is_intrinsic(at, PARTIAL)
            && let Some(no) =
                at.operand(1).and_then(Value::ty).and_then(|ty| module.editor().zero(ty))
        {
            at.set_operand(1, no);
        }
    }
}

/// What a call passes by value behind a pointer is copied by the caller. The copy is made here,
/// where it can have a hook, unless it is made from a local already.
fn copy_arguments<'m>(module: &'m Module<'_>, function: Value<'m>) {
    let Some(first) = first_instruction(function) else { return };
    let (editor, locals) = (module.editor(), Locals::new(function));
    for call in instructions(function) {
        for (index, argument) in (0u32..).zip(call.arguments()) {
            let Some(ty) = call.byval_argument(index) else { continue };
            if locals.is_private(argument) || call.must_be_last() {
                continue;
            }
            let layout = module.layout();
            let (Some(size), align) = (layout.size(ty), layout.align(ty)) else { continue };
            let align = align.max(call.argument_align(index));
            editor.before(first);
            let Some(copy) = editor.local(ty, align) else { continue };
            editor.before(call);
            if editor
                .copy(copy, argument, layout.align(ty).min(call.argument_align(index)), size)
                .is_some()
            {
                call.set_operand(index, copy);
            }
        }
    }
}

fn first_instruction(function: Value<'_>) -> Option<Value<'_>> {
    function.blocks().first()?.instructions().first().copied()
}

/// Values that are not defined become zero.
fn define_values(function: Value<'_>) {
    for at in instructions(function) {
        for index in 0..at.operand_count() {
            if let Some(value) = at.operand(index).and_then(Value::defined) {
                at.set_operand(index, value);
            }
        }
    }
}

/// Locals that stay in memory and that nobody else can reach begin with zeros, since the optimizer
/// may take what they have for undefined. Those that somebody can reach are handed to the runtime
/// at once, so that it cannot.
fn clear_locals<'m>(module: &'m Module<'_>, function: Value<'m>) {
    let (locals, frame) = (Locals::new(function), Frame::new(function));
    let editor = module.editor();
    let layout = module.layout();
    for local in instructions(function) {
        if local.opcode() != Some(Opcode::LLVMAlloca) || !locals.is_private(local) {
            continue;
        }
        let size = local.allocated_type().and_then(|ty| layout.size(ty));
        let (Some(size), Some(count)) = (size, local.operand(0)) else { continue };
        if !go_behind(&editor, local, frame.anchor(local)) {
            continue;
        }
        let length = match count.int_bits().and_then(|it| u64::try_from(it).ok()) {
            Some(count) => editor.number(size.wrapping_mul(count)),
            None => editor.product(count, size),
        };
        if let Some(length) = length {
            editor.clear(local, local.alignment().unwrap_or(1), length);
        }
    }
}
