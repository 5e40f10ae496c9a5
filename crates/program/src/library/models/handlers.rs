//! Variables that handlers of signals write.
//!
//! No signal comes from outside, so that a handler is never called. But who polls for what a handler
//! writes polls for the outside, and does not hang: behind each read of such a variable a program asks
//! for an input that nobody uses.

use std::collections::BTreeSet;

use crate::ir::{Function, FunctionId, GlobalId, Instruction, Op, Operand, Program, Type};
use crate::library::Primitive;

/// Asks for an input behind each read of a variable that a handler writes.
pub(super) fn ask_for_signals(program: &mut Program) {
    if !installs_handlers(program) {
        return;
    }
    let handlers = handlers(program);
    let written: BTreeSet<GlobalId> =
        handlers.iter().flat_map(|&id| written(program.function(id))).collect();
    let Some(primitive) = Primitive::named("__unravel_between").filter(|_| !written.is_empty())
    else {
        return;
    };
    let number = |value| (Type::Int(64), Operand::Int(value));
    let input =
        Op::Library { result: None, primitive, args: vec![number(0), number(0), number(1)] };
    for block in program.functions.iter_mut().flat_map(|function| &mut function.blocks) {
        let mut at = 0;
        while let Some(instruction) = block.instructions.get(at) {
            at += 1;
            let (is_read, site) = (reads(&instruction.op, &written), instruction.site);
            if is_read {
                block.instructions.insert(at, Instruction { op: input.clone(), site });
                at += 1;
            }
        }
    }
}

fn ops(function: &Function) -> impl Iterator<Item = &Op> {
    function.blocks.iter().flat_map(|block| &block.instructions).map(|it| &it.op)
}

fn installs_handlers(program: &Program) -> bool {
    let mut all = program.functions.iter().flat_map(ops);
    all.any(|op| matches!(op, Op::External { name, .. } if name == "signal" || name == "sigaction"))
}

/// Functions with the type of a handler whose address is taken.
fn handlers(program: &Program) -> BTreeSet<FunctionId> {
    let used = program.functions.iter().flat_map(ops).flat_map(Op::uses);
    let kept = program.globals.iter().flat_map(|it| it.relocations.iter().map(|it| it.target));
    let taken = used.chain(kept).filter_map(|operand| match operand {
        Operand::Function(id) => Some(id),
        _ => None,
    });
    taken.filter(|&id| is_handler(program.function(id))).collect()
}

fn is_handler(function: &Function) -> bool {
    let types: Vec<Type> = function.params.iter().map(|&it| function.type_of(it)).collect();
    let is_type = matches!(types[..], [Type::Int(32)] | [Type::Int(32), Type::Ptr, Type::Ptr]);
    is_type && function.returns.is_empty()
}

fn written(function: &Function) -> impl Iterator<Item = GlobalId> {
    ops(function).filter_map(|op| match op {
        Op::Store { address: Operand::Global(id, _), .. }
        | Op::ReadModifyWrite { address: Operand::Global(id, _), .. }
        | Op::CompareExchange { address: Operand::Global(id, _), .. } => Some(*id),
        _ => None,
    })
}

fn reads(op: &Op, written: &BTreeSet<GlobalId>) -> bool {
    matches!(op, Op::Load { address: Operand::Global(id, _), .. } if written.contains(id))
}
