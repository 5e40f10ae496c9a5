//! What a program lacks: functions that it may call, that no file defines and that have no model.
//!
//! A run stops at the first of them, so an engine names one, and the next when that is there. Here
//! all are found at once, by following calls and addresses of functions from where execution begins.

use std::collections::{BTreeMap, BTreeSet};

use crate::{FunctionId, GlobalId, Op, Operand, Program, SiteId};

/// Functions that may be called and are neither defined nor modelled, each with the place of its
/// first call.
#[must_use]
pub fn missing_functions(program: &Program) -> BTreeMap<String, SiteId> {
    let mut missing = BTreeMap::new();
    for function in reachable(program) {
        let blocks = &program.function(function).blocks;
        for instruction in blocks.iter().flat_map(|block| &block.instructions) {
            if let Op::External { name, .. } = &instruction.op {
                missing.entry(name.clone()).or_insert(instruction.site);
            }
        }
    }
    missing
}

/// Whether some code that may run is not modelled.
#[must_use]
pub fn lacks_something(program: &Program) -> bool {
    let lacking = |op: &Op| matches!(op, Op::External { .. } | Op::Unsupported { .. });
    let blocks = |id| program.function(id).blocks.iter();
    let mut code = reachable(program).into_iter().flat_map(blocks);
    code.any(|block| block.instructions.iter().any(|it| lacking(&it.op)))
}

/// Functions that may run: called, or with an address that other code which may run can come by.
fn reachable(program: &Program) -> BTreeSet<FunctionId> {
    let mut functions = BTreeSet::new();
    let mut globals: BTreeSet<GlobalId> = BTreeSet::new();
    let first = program.constructors.iter().chain([&program.main]);
    let mut work: Vec<Operand> = first.map(|&id| Operand::Function(id)).collect();
    work.extend(&program.arguments);
    while let Some(operand) = work.pop() {
        match operand {
            Operand::Function(id) if functions.insert(id) => {
                for block in &program.function(id).blocks {
                    work.extend(block.instructions.iter().flat_map(|it| used(&it.op)));
                    work.extend(block.end.uses());
                }
            }
            Operand::Global(id, _) if globals.insert(id) => {
                work.extend(program.global(id).relocations.iter().map(|it| it.target));
            }
            _ => {}
        }
    }
    functions
}

/// What an instruction uses, the function that it calls included.
fn used(op: &Op) -> Vec<Operand> {
    let mut used = op.uses();
    if let Op::Call { callee, .. } = op {
        used.push(Operand::Function(*callee));
    }
    used
}
