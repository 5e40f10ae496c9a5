//! Which marks are the failing check's own: to change them restates the assertion.

use std::collections::BTreeSet;

use unravel_program::{BlockId, Function, FunctionId, Op, Operand, Program, SiteId, Terminator};

use crate::mark::{Holder, Kind, Mark, Marked};

/// The marks that only say whether an assertion holds: conditions on its line, or of the branch
/// around the call that reports an error, and the argument of a function that does nothing but
/// check it.
#[must_use]
pub fn own_checks(marked: &Marked, failure: SiteId) -> BTreeSet<usize> {
    let program = &marked.program;
    let errors = error_blocks(program, failure);
    let checkers: BTreeSet<FunctionId> =
        errors.iter().map(|(id, _)| *id).filter(|id| only_checks(program.function(*id))).collect();
    let line = line(program, failure);
    let is_own = |(_, mark): &(usize, &Mark)| match mark.kind {
        Kind::Condition => {
            let Holder::Copy(function, block, _) = mark.holder else { return false };
            let here = line.is_some() && self::line(program, mark.site) == line;
            here || guards(program.function(function), block, |it| errors.contains(&(function, it)))
        }
        Kind::Argument(_) => mark.callee.is_some_and(|callee| checkers.contains(&callee)),
        Kind::Assignment | Kind::Initial | Kind::Operand | Kind::Return => false,
    };
    marked.marks.iter().enumerate().filter(is_own).map(|(index, _)| index).collect()
}

fn line(program: &Program, site: SiteId) -> Option<(unravel_span::FileId, u32)> {
    program.site(site).span.map(|span| (span.file, span.line))
}

/// Blocks that report the error.
fn error_blocks(program: &Program, failure: SiteId) -> BTreeSet<(FunctionId, BlockId)> {
    let mut found = BTreeSet::new();
    for (id, function) in (0u32..).map(FunctionId).zip(&program.functions) {
        for (number, block) in (0u32..).map(BlockId).zip(&function.blocks) {
            let reports = |op: &Op| matches!(op, Op::Library { .. } | Op::Call { .. });
            if block.instructions.iter().any(|it| it.site == failure && reports(&it.op)) {
                found.insert((id, number));
            }
        }
    }
    found
}

/// Whether a block decides whether another kind of block follows, with nothing else in between.
fn guards(function: &Function, block: BlockId, is_error: impl Fn(BlockId) -> bool) -> bool {
    let Terminator::Branch { then, otherwise, .. } = &function.block(block).end else {
        return false;
    };
    [then.target, otherwise.target].into_iter().any(|mut next| {
        for _ in 0..function.blocks.len() {
            if is_error(next) {
                return true;
            }
            match &function.block(next).end {
                Terminator::Jump(edge) if function.block(next).instructions.is_empty() => {
                    next = edge.target;
                }
                _ => return false,
            }
        }
        false
    })
}

/// Whether a function writes nothing but its own locals, and calls nothing of the program.
fn only_checks(function: &Function) -> bool {
    let operations = || function.blocks.iter().flat_map(|block| &block.instructions);
    let locals: Vec<Operand> = operations()
        .filter_map(|it| match it.op {
            Op::Alloca { dst, .. } => Some(Operand::Reg(dst)),
            _ => None,
        })
        .collect();
    operations().all(|it| match &it.op {
        Op::Store { address, .. } => {
            locals.contains(address) || matches!(address, Operand::Global(..)) && it.site.0 == 0
        }
        Op::Call { .. } | Op::CallIndirect { .. } | Op::ReadModifyWrite { .. } => false,
        _ => true,
    }) && !function.params.is_empty()
}
