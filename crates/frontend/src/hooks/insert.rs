//! Adds the calls of the hooks.

use unravel_program::Operand;

use crate::hooks::frame::go_behind;
use crate::hooks::plan::{Copy, CopyKind, Hook, Site, copy};
use crate::hooks::unrepresented::scalars;
use crate::intrinsic::unit;
use crate::llvm::{Editor, Module, Opcode, TypeKind, Value};

/// Kinds of atomic accesses, as the runtime knows them.
mod kind {
    pub(super) const LOAD: u64 = 0;
    pub(super) const STORE: u64 = 1;
    pub(super) const UPDATE: u64 = 2;
    pub(super) const EXCHANGE: u64 = 3;
}

/// Adds the hooks of a plan, and asks for code in which every call stays the call that it is: an
/// optimizer that knows `printf` makes `puts` of it, which the analysis would not expect.
///
/// The error is the number of an instruction whose operands have a form that no plan has.
pub(super) fn insert<'m>(module: &'m Module<'_>, sites: &[Site<'m>]) -> Result<(), u64> {
    let editor = module.editor();
    for function in module.functions() {
        if !function.name().starts_with("llvm.") {
            function.set_note(c"no-builtins", c"");
        }
    }
    for site in sites {
        for hook in &site.hooks {
            add(&editor, site, *hook).ok_or(site.number)?;
        }
    }
    for site in sites {
        if site.hooks.iter().any(|hook| matches!(hook, Hook::Copy)) {
            site.at.erase();
        }
    }
    Ok(())
}

fn add<'m>(editor: &Editor<'m>, site: &Site<'m>, hook: Hook<'m>) -> Option<()> {
    let at = site.at;
    let number = editor.number(site.number)?;
    match hook {
        Hook::Read => read(editor, at, number),
        Hook::Write => write(editor, at, number),
        Hook::Atomic => atomic(editor, at, number),
        Hook::Copy => replace_copy(editor, at, &copy(at)?, number),
        Hook::Result => {
            go_to_result(editor, at)?;
            let value = editor.bits(at)?;
            editor.call("__unravel_result", &[number, value]).map(drop)
        }
        Hook::Values => values(editor, at, number),
        Hook::Local(anchor) => local(editor, at, anchor, number),
        Hook::Fence | Hook::Call | Hook::Leave => {
            editor.before(at);
            let name = match hook {
                Hook::Fence => "__unravel_fence",
                Hook::Call => "__unravel_call",
                _ => "__unravel_leave",
            };
            editor.call(name, &[number]).map(drop)
        }
    }
}

/// The size of an access that has a hook of its own.
fn word_size(value: Value<'_>, editor: &Editor<'_>) -> Option<u64> {
    let ty = value.ty()?;
    let is_scalar = matches!(
        ty.kind(),
        TypeKind::LLVMIntegerTypeKind
            | TypeKind::LLVMPointerTypeKind
            | TypeKind::LLVMFloatTypeKind
            | TypeKind::LLVMDoubleTypeKind
    );
    editor.layout().store_size(ty).filter(|size| is_scalar && matches!(size, 1 | 2 | 4 | 8))
}

fn size_of<'m>(value: Value<'m>, editor: &Editor<'m>) -> Option<Value<'m>> {
    editor.number(editor.layout().store_size(value.ty()?)?)
}

fn read<'m>(editor: &Editor<'m>, at: Value<'m>, site: Value<'m>) -> Option<()> {
    let address = at.operand(0)?;
    editor.before(at);
    match word_size(at, editor) {
        Some(size) => editor.call(&format!("__unravel_read{size}"), &[site, address])?,
        None => editor.call("__unravel_read_n", &[site, address, size_of(at, editor)?])?,
    };
    Some(())
}

fn write<'m>(editor: &Editor<'m>, at: Value<'m>, site: Value<'m>) -> Option<()> {
    let (value, address) = (at.operand(0)?, at.operand(1)?);
    editor.before(at);
    if let Some(size) = word_size(value, editor) {
        let bits = editor.bits(value)?;
        editor.call(&format!("__unravel_write{size}"), &[site, address, bits])?;
        return Some(());
    }
    let size = size_of(value, editor)?;
    editor.call("__unravel_write_n", &[site, address, size])?;
    editor.after(at);
    editor.call("__unravel_wrote_n", &[site, address, size]).map(drop)
}

fn atomic<'m>(editor: &Editor<'m>, at: Value<'m>, site: Value<'m>) -> Option<()> {
    let (place, kind) = match at.opcode()? {
        Opcode::LLVMLoad => (0, kind::LOAD),
        Opcode::LLVMStore => (1, kind::STORE),
        Opcode::LLVMAtomicRMW => (0, kind::UPDATE),
        _ => (0, kind::EXCHANGE),
    };
    let address = at.operand(place)?;
    let accessed = match kind {
        kind::LOAD => at,
        kind::STORE => at.operand(0)?,
        _ => at.operand(1)?,
    };
    let size = editor.layout().store_size(accessed.ty()?)?;
    editor.before(at);
    editor.call("__unravel_atomic", &[site, address, editor.number(size)?])?;
    editor.after(at);
    let zero = editor.number(0)?;
    let (mut old, mut extra) = (zero, zero);
    if size <= 8 {
        old = editor.bits(match kind {
            kind::STORE => accessed,
            kind::EXCHANGE => editor.member(at, 0)?,
            _ => at,
        })?;
        if kind == kind::EXCHANGE {
            extra = editor.bits(editor.member(at, 1)?)?;
        }
    }
    let what = editor.number(size | kind << 8)?;
    editor.call("__unravel_atomic_done", &[site, address, what, old, extra]).map(drop)
}

fn replace_copy<'m>(
    editor: &Editor<'m>,
    at: Value<'m>,
    copy: &Copy<'m>,
    site: Value<'m>,
) -> Option<()> {
    editor.before(at);
    let known = copy.length.int_bits();
    let length = known.map_or(Operand::Undef, Operand::Int);
    let unit = editor.number(unit(copy.align, length).into())?;
    let length = editor.bits(copy.length)?;
    let (name, other) = match copy.kind {
        CopyKind::Copy => ("__unravel_memcpy", copy.other),
        CopyKind::Move => ("__unravel_memmove", copy.other),
        CopyKind::Set => ("__unravel_memset", editor.byte(copy.other)?),
    };
    editor.call(name, &[site, copy.to, other, length, unit])?;
    // The function returns where it copied to.
    at.replace_with(copy.to);
    Some(())
}

/// Goes where the result of a call is known.
fn go_to_result<'m>(editor: &Editor<'m>, at: Value<'m>) -> Option<()> {
    if at.opcode() != Some(Opcode::LLVMInvoke) {
        return editor.after(at).then_some(());
    }
    let blocks = at.block()?.siblings();
    let target = *at.successors().first()?;
    editor.after_invoke(at, target.ways_to(&blocks) == 1)
}

fn values<'m>(editor: &Editor<'m>, at: Value<'m>, site: Value<'m>) -> Option<()> {
    go_to_result(editor, at)?;
    for place in scalars(at.ty()?, editor.layout())? {
        let part = place.iter().try_fold(at, |value, index| editor.member(value, *index))?;
        let (low, high) = editor.halves(part)?;
        editor.call("__unravel_value", &[site, low, high])?;
    }
    Some(())
}

fn local<'m>(
    editor: &Editor<'m>,
    at: Value<'m>,
    anchor: Option<Value<'m>>,
    site: Value<'m>,
) -> Option<()> {
    let size = editor.layout().size(at.allocated_type()?)?;
    if !go_behind(editor, at, anchor) {
        return None;
    }
    let count = at.operand(0)?;
    let size = match count.int_bits().and_then(|it| u64::try_from(it).ok()) {
        Some(count) => editor.number(size.wrapping_mul(count))?,
        None => editor.product(count, size)?,
    };
    editor.call("__unravel_local", &[site, at, size]).map(drop)
}
