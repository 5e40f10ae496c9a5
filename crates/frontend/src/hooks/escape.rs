//! Which locals no other thread can reach: their address is only used to read and write them.

use std::collections::HashSet;

use crate::hooks::prepare::{instructions, is_intrinsic};
use crate::llvm::{Opcode, Value};

/// Intrinsics that access memory at their first two arguments.
const COPIES: &[&str] =
    &["llvm.memcpy", "llvm.memmove", "llvm.memset", "llvm.memcpy.inline", "llvm.memset.inline"];

/// The locals of a function, and the objects that its callers copied for it.
pub(super) struct Locals<'m> {
    private: HashSet<Value<'m>>,
}

impl<'m> Locals<'m> {
    pub(super) fn new(function: Value<'m>) -> Self {
        let allocated =
            instructions(function).into_iter().filter(|it| it.opcode() == Some(Opcode::LLVMAlloca));
        let copied = (0u32..)
            .zip(function.params())
            .filter(|(index, _)| function.byval_parameter(*index).is_some())
            .map(|(_, param)| param);
        let private = allocated.chain(copied).filter(|it| !escapes(*it)).collect();
        Locals { private }
    }

    /// Whether nobody else can reach a local.
    pub(super) fn is_private(&self, local: Value<'m>) -> bool {
        self.private.contains(&local)
    }

    /// Whether an address lies in a local that nobody else can reach.
    pub(super) fn owns(&self, address: Value<'m>) -> bool {
        self.private.contains(&base(address))
    }
}

/// What an address is computed from by adding to it.
pub(super) fn base(address: Value<'_>) -> Value<'_> {
    // Addresses are computed in a few steps; a cycle would go through a φ-node.
    const STEPS: usize = 10_000;
    let mut at = address;
    for _ in 0..STEPS {
        let is_step = matches!(
            at.opcode(),
            Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast)
        );
        match at.operand(0).filter(|_| is_step) {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

fn escapes(local: Value<'_>) -> bool {
    let mut work = vec![local];
    let mut seen = HashSet::new();
    while let Some(address) = work.pop() {
        for user in address.uses() {
            match user.opcode() {
                Some(
                    Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast,
                ) if user.is_instruction() && only_base(user, address) => {
                    if seen.insert(user) {
                        work.push(user);
                    }
                }
                _ if is_access(user, address) => {}
                _ => return true,
            }
        }
    }
    false
}

/// Whether an address is what another is computed from, and not an index of it.
fn only_base<'m>(step: Value<'m>, address: Value<'m>) -> bool {
    (1..step.operand_count()).all(|index| step.operand(index) != Some(address))
}

/// Whether an instruction does no more with an address than to read or write there.
fn is_access<'m>(user: Value<'m>, address: Value<'m>) -> bool {
    let only_at = |place: u32| {
        (0..user.operand_count())
            .all(|index| index == place || user.operand(index) != Some(address))
    };
    match user.opcode() {
        Some(Opcode::LLVMLoad) => true,
        Some(Opcode::LLVMStore) => only_at(1),
        Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => only_at(0),
        Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => {
            is_intrinsic(user, COPIES) || is_passed_by_value(user, address)
        }
        _ => false,
    }
}

/// Whether a call gets copies of what lies at an address, and not the address.
fn is_passed_by_value<'m>(call: Value<'m>, address: Value<'m>) -> bool {
    let mut places = (0u32..).zip(call.arguments()).filter(|(_, it)| *it == address);
    call.callee() != Some(address)
        && places.all(|(index, _)| call.byval_argument(index).is_some())
        && call.arguments().contains(&address)
}
