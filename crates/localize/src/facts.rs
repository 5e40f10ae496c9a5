//! What the marking of a function has to know about it.

use std::collections::{BTreeMap, BTreeSet};

use unravel_events::wto::{Element, weak_topological_order};
use unravel_program::library::{Action, Thread};
use unravel_program::{BlockId, Function, FunctionId, Op, Operand, Program, Reg};

/// Facts about a function.
pub(crate) struct Facts<'p> {
    /// The instruction that assigns a register.
    pub definitions: BTreeMap<Reg, &'p Op>,
    /// Blocks that may be executed several times in one call.
    pub repeated: BTreeSet<BlockId>,
    /// It is called by code of the program, so one thread may execute it several times.
    pub is_called: bool,
    /// Its result is read by nobody: `main`, or where a thread starts.
    pub is_start: bool,
}

impl<'p> Facts<'p> {
    pub fn of(program: &'p Program, id: FunctionId) -> Facts<'p> {
        let function = program.function(id);
        let mut definitions = BTreeMap::new();
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            for reg in instruction.op.defines() {
                definitions.insert(reg, &instruction.op);
            }
        }
        let is_start = id == program.main || starts_thread(program, id);
        Facts {
            definitions,
            repeated: repeated(function),
            is_called: called(program, id),
            is_start,
        }
    }

    /// Whether a value is what a call returns, as it is or converted: it is the callee's to change,
    /// or an input.
    pub fn is_result(&self, operand: Operand) -> bool {
        let Some(op) = operand.register().and_then(|reg| self.definitions.get(&reg)) else {
            return false;
        };
        match op {
            Op::Call { .. }
            | Op::CallIndirect { .. }
            | Op::Library { .. }
            | Op::External { .. } => true,
            Op::Cast { value, .. } | Op::Copy { value, .. } => self.is_result(*value),
            _ => false,
        }
    }

    /// A constant, as it is or converted.
    pub fn is_constant(&self, operand: Operand) -> bool {
        match operand {
            Operand::Int(_) => true,
            Operand::Reg(reg) => match self.definitions.get(&reg) {
                Some(Op::Cast { value, .. }) => self.is_constant(*value),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an address lies in a local variable.
    pub fn is_local(&self, address: Operand) -> bool {
        match address.register().and_then(|reg| self.definitions.get(&reg)) {
            Some(Op::Alloca { .. }) => true,
            Some(Op::Offset { base, .. }) => self.is_local(*base),
            _ => false,
        }
    }

    /// Whether an address is where clang keeps what the function will return: a local without a
    /// name.
    pub fn is_return_slot(&self, address: Operand) -> bool {
        let definition = address.register().and_then(|reg| self.definitions.get(&reg));
        matches!(definition, Some(Op::Alloca { name: None, .. }))
    }

    /// Whether what it returns was stored before ([`Facts::is_return_slot`]).
    pub fn is_stored_result(&self, operand: Operand) -> bool {
        let definition = operand.register().and_then(|reg| self.definitions.get(&reg));
        matches!(definition, Some(Op::Load { address, .. }) if self.is_return_slot(*address))
    }
}

fn repeated(function: &Function) -> BTreeSet<BlockId> {
    fn collect(elements: &[Element], in_loop: bool, found: &mut BTreeSet<BlockId>) {
        for element in elements {
            match element {
                Element::Block(block) if in_loop => {
                    found.insert(*block);
                }
                Element::Block(_) => {}
                Element::Loop { head, body } => {
                    found.insert(*head);
                    collect(body, true, found);
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    collect(&weak_topological_order(function), false, &mut found);
    found
}

fn operations(program: &Program) -> impl Iterator<Item = &Op> {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.instructions).map(|instruction| &instruction.op)
}

fn called(program: &Program, id: FunctionId) -> bool {
    operations(program).any(|op| match op {
        Op::Call { callee, .. } => *callee == id,
        Op::CallIndirect { .. } => !starts_thread(program, id) && id != program.main,
        _ => false,
    })
}

fn starts_thread(program: &Program, id: FunctionId) -> bool {
    operations(program).any(|op| match op {
        Op::Library { primitive, args, .. } => {
            matches!(primitive.action(), Action::Thread(Thread::Create | Thread::CreateC11, _))
                && args.iter().any(|(_, arg)| *arg == Operand::Function(id))
        }
        _ => false,
    })
}
