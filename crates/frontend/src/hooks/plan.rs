//! Which instructions get which hooks, and their numbers.
//!
//! What is missing here is as important as what is there: an access of a local that nobody else can
//! reach and a read of a constant have no hook, so that neither costs anything in a run.

use unravel_program::Primitive;
use unravel_program::library::Action;

use crate::call::called_function;
use crate::hooks::INDEX_BITS;
use crate::hooks::escape::{Locals, base};
use crate::hooks::frame::Frame;
use crate::hooks::prepare::{instructions, is_intrinsic};
use crate::hooks::unrepresented::{is_unrepresented, scalars};
use crate::llvm::{Layout, Module, Opcode, TypeKind, Value};
use crate::lower::c_name;

/// An instruction with a number.
pub(super) struct Site<'m> {
    pub(super) at: Value<'m>,
    pub(super) number: u64,
    pub(super) hooks: Vec<Hook<'m>>,
}

/// What is called, and where.
#[derive(Clone, Copy)]
pub(super) enum Hook<'m> {
    /// Before a load.
    Read,
    /// Before a store, and behind it if its value is no scalar of a machine's size.
    Write,
    /// Before and behind an atomic access.
    Atomic,
    /// Before a fence.
    Fence,
    /// In place of a call that copies or fills memory.
    Copy,
    /// Before a call that leaves the code with hooks.
    Call,
    /// Behind such a call.
    Result,
    /// Behind what gives values that the IR of the analysis cannot compute.
    Values,
    /// Where a local exists that others can reach: before an instruction, or right behind it.
    Local(Option<Value<'m>>),
    /// Before the function is left that has such locals.
    Leave,
}

/// Numbers the instructions of a unit that get hooks, in order.
pub(super) fn plan<'m>(module: &'m Module<'_>, unit: u64) -> Vec<Site<'m>> {
    let resolvers = module.resolvers();
    let mut sites: Vec<Site<'m>> = Vec::new();
    for function in module.functions() {
        // There is no frame in which a hook could be called, or no program yet.
        if function.has_attribute("naked") || resolvers.contains(&function) {
            continue;
        }
        let body = Body::new(module.layout(), function);
        for at in instructions(function) {
            let hooks = body.hooks(at);
            if !hooks.is_empty() {
                let index = sites.len() as u64 + 1;
                sites.push(Site { at, number: unit << INDEX_BITS | index, hooks });
            }
        }
    }
    sites
}

/// What is to be known of a function.
struct Body<'m> {
    layout: Layout<'m>,
    locals: Locals<'m>,
    frame: Frame<'m>,
    /// It has locals that others can reach.
    has_shared_local: bool,
}

impl<'m> Body<'m> {
    fn new(layout: Layout<'m>, function: Value<'m>) -> Self {
        let (locals, frame) = (Locals::new(function), Frame::new(function));
        let has_shared_local = instructions(function)
            .into_iter()
            .any(|at| at.opcode() == Some(Opcode::LLVMAlloca) && !locals.is_private(at));
        Body { layout, locals, frame, has_shared_local }
    }

    fn hooks(&self, at: Value<'m>) -> Vec<Hook<'m>> {
        match at.opcode() {
            Some(Opcode::LLVMLoad) => self.load(at),
            Some(Opcode::LLVMStore) => self.access(at, 1, Hook::Write),
            Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => {
                self.access(at, 0, Hook::Atomic)
            }
            Some(Opcode::LLVMFence) if !at.is_single_thread_fence() => vec![Hook::Fence],
            Some(Opcode::LLVMAlloca) if !self.locals.is_private(at) => {
                vec![Hook::Local(self.frame.anchor(at))]
            }
            Some(Opcode::LLVMRet | Opcode::LLVMResume) if self.has_shared_local => {
                if follows_last_call(at) {
                    Vec::new()
                } else {
                    vec![Hook::Leave]
                }
            }
            Some(_) if at.is_call() => self.call(at),
            Some(_) if is_unrepresented(at, self.layout) => vec![Hook::Values],
            _ => Vec::new(),
        }
    }

    fn load(&self, at: Value<'m>) -> Vec<Hook<'m>> {
        if is_unrepresented(at, self.layout) {
            return vec![Hook::Values];
        }
        if at.operand(0).is_some_and(is_constant) {
            return Vec::new();
        }
        self.access(at, 0, Hook::Read)
    }

    /// An access at operand `place`, which has a hook unless it is of a local.
    fn access(&self, at: Value<'m>, place: u32, plain: Hook<'m>) -> Vec<Hook<'m>> {
        let Some(address) = at.operand(place) else { return Vec::new() };
        let is_memory = address.ty().and_then(|ty| ty.address_space()) == Some(0);
        if !is_memory || self.locals.owns(address) {
            return Vec::new();
        }
        vec![if at.is_atomic() { Hook::Atomic } else { plain }]
    }

    fn call(&self, at: Value<'m>) -> Vec<Hook<'m>> {
        let mut hooks = Vec::new();
        if let Some(copy) = copy(at) {
            let is_own = |address| self.locals.owns(address);
            let reads =
                copy.kind != CopyKind::Set && !is_own(copy.other) && !is_constant(copy.other);
            return if reads || !is_own(copy.to) { vec![Hook::Copy] } else { hooks };
        }
        if leaves(at) {
            hooks.push(Hook::Call);
            hooks.extend(self.result(at));
        } else if is_unrepresented(at, self.layout) {
            hooks.push(Hook::Values);
        }
        if at.must_be_last() && self.has_shared_local {
            hooks.push(Hook::Leave);
        }
        hooks
    }

    /// What is told about the result of a call that leaves the code with hooks.
    fn result(&self, at: Value<'m>) -> Option<Hook<'m>> {
        let name = at.callee().and_then(called_function).map(c_name).unwrap_or_default();
        let is_modelled = Primitive::named(&name).is_some_and(|it| {
            matches!(
                it.action(),
                Action::Sync(..) | Action::Thread(..) | Action::Memory(_) | Action::Verifier(_)
            )
        });
        if is_modelled || at.must_be_last() {
            return None;
        }
        let ty = at.ty()?;
        let is_word = match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => ty.int_width().is_some_and(|width| width <= 64),
            TypeKind::LLVMPointerTypeKind => ty.address_space() == Some(0),
            TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind => true,
            _ => false,
        };
        match scalars(ty, self.layout) {
            _ if is_word => Some(Hook::Result),
            Some(parts) if !parts.is_empty() => Some(Hook::Values),
            _ => None,
        }
    }
}

/// Whether the last thing before a `return` is a call that nothing may follow.
fn follows_last_call(end: Value<'_>) -> bool {
    end.block().is_some_and(|block| block.instructions().into_iter().any(Value::must_be_last))
}

/// Whether an address lies in a global that nobody changes.
fn is_constant(address: Value<'_>) -> bool {
    let base = base(address);
    base.is_constant_global() && !base.is_thread_local()
}

/// Whether a call may lead to code without hooks.
fn leaves(call: Value<'_>) -> bool {
    let Some(callee) = call.callee() else { return false };
    if callee.inline_asm().is_some() {
        return false;
    }
    match called_function(callee) {
        Some(function) => {
            let name = function.name();
            let is_ours = name.starts_with("llvm.") || name.starts_with("__unravel_");
            function.is_declaration() && !is_ours
        }
        None => true,
    }
}

/// A call that copies or fills memory.
pub(super) struct Copy<'m> {
    pub(super) kind: CopyKind,
    pub(super) to: Value<'m>,
    /// The source, or the byte.
    pub(super) other: Value<'m>,
    pub(super) length: Value<'m>,
    /// The least alignment that is known.
    pub(super) align: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyKind {
    Copy,
    Move,
    Set,
}

/// Reads a call that copies or fills memory: an intrinsic, or the function of that name.
pub(super) fn copy<'m>(at: Value<'m>) -> Option<Copy<'m>> {
    if at.opcode() != Some(Opcode::LLVMCall) || at.must_be_last() {
        return None;
    }
    let (kind, is_function) = copy_kind(at)?;
    let (to, other, length) = (at.operand(0)?, at.operand(1)?, at.operand(2)?);
    let align = match (is_function, kind) {
        (true, _) => 1,
        (false, CopyKind::Set) => at.argument_align(0),
        (false, _) => at.argument_align(0).min(at.argument_align(1)),
    };
    let is_pointer = |value: Value<'_>| value.ty().and_then(|ty| ty.address_space()) == Some(0);
    let is_right = is_pointer(to)
        && length.ty()?.int_width()? <= 64
        && if kind == CopyKind::Set { other.ty()?.int_width()? <= 64 } else { is_pointer(other) };
    is_right.then_some(Copy { kind, to, other, length, align })
}

/// What a call copies, and whether it is a call of a function of the C library.
fn copy_kind(at: Value<'_>) -> Option<(CopyKind, bool)> {
    let kinds = [
        (CopyKind::Copy, "llvm.memcpy", "memcpy"),
        (CopyKind::Move, "llvm.memmove", "memmove"),
        (CopyKind::Set, "llvm.memset", "memset"),
    ];
    if let Some((kind, ..)) = kinds.iter().find(|(_, name, _)| {
        is_intrinsic(at, &[*name])
            && at.callee().is_some_and(|callee| !callee.name().contains(".element."))
    }) {
        return Some((*kind, false));
    }
    let function = called_function(at.callee()?)?;
    let name = function.name();
    let base = name.strip_prefix("__").and_then(|it| it.strip_suffix("_chk")).unwrap_or(&name);
    let (kind, ..) = kinds.iter().find(|(_, _, it)| *it == base)?;
    let count = if base == name { 3 } else { 4 };
    let is_whole = function.is_declaration() && at.arguments().len() == count;
    (is_whole && (base == name || is_known_to_fit(at))).then_some((*kind, true))
}

/// Whether the check of `__memcpy_chk` certainly finds that the object is large enough.
fn is_known_to_fit(at: Value<'_>) -> bool {
    let Some(room) = at.operand(3).and_then(Value::int_bits) else { return false };
    let length = at.operand(2).and_then(Value::int_bits);
    room == u128::from(u64::MAX) || length.is_some_and(|length| length <= room)
}
