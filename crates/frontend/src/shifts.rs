//! Left shifts of signed numbers, which C leaves undefined where those of unsigned ones are not.
//!
//! LLVM has one instruction for both. clang knows the difference, and says it when it is asked for
//! a check of every shift that needs one (`-fsanitize=shift-base`). So a file is compiled a second
//! time with that check, and the shifts that have it are marked in the code without it: both have
//! the same shifts in the same order.

use std::collections::HashSet;

use crate::llvm::{Block, Module, Opcode, Value};

/// Per function, whether its shifts are of signed numbers, in order.
pub(crate) type SignedShifts = Vec<(String, Vec<bool>)>;

/// What clang's check of a shift is called in `llvm.ubsantrap`.
const SHIFT_CHECK: u128 = 20;

/// Whether a module shifts anything to the left.
pub(crate) fn has_shift(module: &Module<'_>) -> bool {
    module.functions().into_iter().any(|function| !shifts(function).is_empty())
}

/// Reads the checks of a module that has them.
pub(crate) fn checked_shifts(module: &Module<'_>) -> SignedShifts {
    let functions = module.functions().into_iter();
    let shifts = functions.map(|function| {
        let guarded = guarded_blocks(function);
        let is_signed = |shift: Value<'_>| guarded.iter().any(|block| first(*block) == Some(shift));
        (function.name(), shifts(function).into_iter().map(is_signed).collect())
    });
    shifts.collect()
}

/// The shifts of signed numbers among those of a module without checks.
pub(crate) fn signed_shifts<'m>(module: &'m Module<'_>, known: &SignedShifts) -> Vec<Value<'m>> {
    let mut found = Vec::new();
    for function in module.functions() {
        let name = function.name();
        let all = shifts(function);
        let flags = known.iter().find(|(it, flags)| *it == name && flags.len() == all.len());
        let flags = flags.map(|(_, flags)| flags.as_slice()).unwrap_or_default();
        found.extend(all.into_iter().zip(flags).filter(|(_, flag)| **flag).map(|(shift, _)| shift));
    }
    found
}

fn shifts(function: Value<'_>) -> Vec<Value<'_>> {
    let all = function.blocks().into_iter().flat_map(Block::instructions);
    all.filter(|it| it.opcode() == Some(Opcode::LLVMShl)).collect()
}

/// Blocks that are entered only if a check of a shift holds.
fn guarded_blocks(function: Value<'_>) -> HashSet<Block<'_>> {
    let ends = function.blocks().into_iter().filter_map(Block::terminator);
    let pairs = ends.filter_map(|end| match end.successors()[..] {
        [fine, trap] => first(trap).filter(|it| is_shift_trap(*it)).map(|_| fine),
        _ => None,
    });
    pairs.collect()
}

fn first(block: Block<'_>) -> Option<Value<'_>> {
    block.instructions().into_iter().find(|it| it.opcode() != Some(Opcode::LLVMPHI))
}

fn is_shift_trap(call: Value<'_>) -> bool {
    let is_trap = call.called().is_some_and(|callee| callee.name() == "llvm.ubsantrap");
    is_trap && call.operand(0).and_then(Value::int_bits) == Some(SHIFT_CHECK)
}
