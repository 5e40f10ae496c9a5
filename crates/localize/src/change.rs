//! Changes of a program as data.

use unravel_program::{BlockId, FunctionId, Op, Operand, Program};

use crate::mark::{Holder, Marked};

/// Another value for something that is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The mark, by index.
    pub mark: usize,
    /// Which execution of it, from 0, in every thread; `None`: all of them.
    pub iteration: Option<u32>,
    /// The value, zero-extended.
    pub value: u128,
}

/// The program with some changes. It has the same instructions at the same places, so that a run of
/// the marked program with these values is a run of it. Of one mark, one execution can be changed,
/// or all of them.
#[must_use]
pub fn apply(marked: &Marked, changes: &[Change]) -> Program {
    let mut program = marked.program.clone();
    for change in changes {
        match marked.marks[change.mark].holder {
            Holder::Copy(function, block, index) => {
                set_copy(&mut program, (function, block, index), change);
            }
            Holder::Initial(id, offset, size) => {
                let global = &mut program.globals[id.0 as usize];
                let bytes = global.bytes.get_or_insert_default();
                let begin = usize::try_from(offset).unwrap_or(0);
                let size = usize::try_from(size).unwrap_or(0).min(16);
                bytes.resize(bytes.len().max(begin + size), 0);
                bytes[begin..begin + size].copy_from_slice(&change.value.to_le_bytes()[..size]);
            }
        }
    }
    program
}

fn set_copy(
    program: &mut Program,
    (function, block, index): (FunctionId, BlockId, usize),
    change: &Change,
) {
    let block = &mut program.functions[function.0 as usize].blocks[block.0 as usize];
    let instructions = &mut block.instructions;
    let is_this = change.iteration.and_then(|iteration| {
        // The comparison stands before the copy of a mark whose executions are counted.
        let Op::Compare { dst, rhs, .. } = &mut instructions[index.checked_sub(1)?].op else {
            return None;
        };
        *rhs = Operand::Int(u128::from(iteration));
        Some(Operand::Reg(*dst))
    });
    let Op::Copy { dst, value } = instructions[index].op else { return };
    let then = Operand::Int(change.value);
    instructions[index].op = match is_this {
        Some(condition) => Op::Select { dst, condition, then, otherwise: value },
        None => Op::Copy { dst, value: then },
    };
}
