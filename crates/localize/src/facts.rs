//! What the marking of a function has to know about it.

use std::collections::{BTreeMap, BTreeSet};

use unravel_events::wto::{Element, weak_topological_order};
use unravel_program::library::{Action, Thread};
use unravel_program::{
    Block, BlockId, Function, FunctionId, Op, Operand, Program, Reg, Terminator,
};

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
    /// Where clang keeps what the function will return.
    return_slots: BTreeSet<Reg>,
    /// What a compare-and-swap gives to the code that clang adds to it: whether it was swapped, and
    /// what it found, which is put where the program expected another value.
    swaps: BTreeSet<Reg>,
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
            return_slots: return_slots(function, &definitions),
            swaps: swaps(function, &definitions),
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

    /// Whether a value is between the instructions of one compare-and-swap: the source has neither
    /// a branch nor an assignment there.
    pub fn is_inside_swap(&self, operand: Operand) -> bool {
        operand.register().is_some_and(|reg| self.swaps.contains(&reg))
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

    /// Whether an address is where clang keeps what the function will return.
    pub fn is_return_slot(&self, address: Operand) -> bool {
        address.register().is_some_and(|reg| self.return_slots.contains(&reg))
    }

    /// Whether an address is where clang keeps something on its way: a local without a name, such
    /// as what an atomic operation takes and gives. The source has no assignment there.
    pub fn is_temporary(&self, address: Operand) -> bool {
        let definition = address.register().and_then(|reg| self.definitions.get(&reg));
        matches!(definition, Some(Op::Alloca { name: None, .. })) && !self.is_return_slot(address)
    }

    /// Whether what it returns was stored before ([`Facts::is_return_slot`]).
    pub fn is_stored_result(&self, operand: Operand) -> bool {
        let definition = operand.register().and_then(|reg| self.definitions.get(&reg));
        matches!(definition, Some(Op::Load { address, .. }) if self.is_return_slot(*address))
    }
}

/// Locals without a name that are read to be returned.
fn return_slots(function: &Function, definitions: &BTreeMap<Reg, &Op>) -> BTreeSet<Reg> {
    let returned = function.blocks.iter().flat_map(|block| match &block.end {
        Terminator::Return(values) => &values[..],
        _ => &[],
    });
    let slot = |value: &Operand| {
        let Some(Op::Load { address, .. }) = definitions.get(&value.register()?) else {
            return None;
        };
        let slot = address.register()?;
        matches!(definitions.get(&slot), Some(Op::Alloca { name: None, .. })).then_some(slot)
    };
    returned.filter_map(slot).collect()
}

/// A branch on whether it was swapped, and what was found is stored at once if it was not.
fn swaps(function: &Function, definitions: &BTreeMap<Reg, &Op>) -> BTreeSet<Reg> {
    let registers = |block: &Block| {
        let Terminator::Branch { condition, otherwise, .. } = &block.end else { return None };
        let Op::CompareExchange { old, success, .. } = definitions.get(&condition.register()?)?
        else {
            return None;
        };
        let Op::Store { value, .. } = &function.block(otherwise.target).instructions.first()?.op
        else {
            return None;
        };
        (*value == Operand::Reg(*old)).then_some([*old, *success])
    };
    function.blocks.iter().filter_map(registers).flatten().collect()
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
