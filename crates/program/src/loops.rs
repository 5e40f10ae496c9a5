//! Loops of a function, and whether they lead anywhere.
//!
//! A thread that turns a loop for ever waits for something only if the loop has a way out: an edge
//! behind which the thread goes on, or a call that ends the thread or the process. `while (1);` waits
//! for nothing. Verification tasks write it for "this run is of no interest".

use std::collections::BTreeSet;

use crate::ir::{BlockId, Function, FunctionId, Op, Program, Terminator};
use crate::library::{Action, Process, Thread};

/// What becomes of a thread that turns a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Purpose {
    /// There is a way out, so the thread turns the loop until something changes.
    Waits,
    /// There is no way out, but each turn calls or accesses something: `while (1) sleep(1);`.
    Rests,
    /// There is no way out, and a turn does nothing at all.
    Nothing,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where its back edges lead.
    pub head: BlockId,
    /// Its blocks, the head included.
    pub body: BTreeSet<BlockId>,
    /// What becomes of a thread in it.
    pub purpose: Purpose,
}

/// The loops of a program, by function.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    functions: Vec<Vec<Loop>>,
}

impl Loops {
    /// Finds the loops of all functions.
    #[must_use]
    pub fn of_program(program: &Program) -> Loops {
        let ends = functions_that_end(program);
        let functions = program.functions.iter().map(|it| loops_of(it, &ends)).collect();
        Loops { functions }
    }

    /// The smallest loop that has all of these blocks.
    #[must_use]
    pub fn around(&self, function: FunctionId, blocks: &BTreeSet<BlockId>) -> Option<&Loop> {
        let all = self.functions.get(function.0 as usize)?;
        all.iter().filter(|it| blocks.is_subset(&it.body)).min_by_key(|it| it.body.len())
    }

    /// The loop with this head.
    #[must_use]
    pub fn at(&self, function: FunctionId, head: BlockId) -> Option<&Loop> {
        self.functions.get(function.0 as usize)?.iter().find(|it| it.head == head)
    }

    /// Whether a block lies in a loop.
    #[must_use]
    pub fn contains(&self, function: FunctionId, block: BlockId) -> bool {
        let all = self.functions.get(function.0 as usize);
        all.is_some_and(|all| all.iter().any(|it| it.body.contains(&block)))
    }
}

/// Edges into a block that a depth-first walk is still inside of.
#[must_use]
pub fn back_edges(function: &Function) -> BTreeSet<(BlockId, BlockId)> {
    let mut found = BTreeSet::new();
    let mut color = vec![0u8; function.blocks.len()];
    let mut stack = vec![(BlockId(0), 0usize)];
    if let Some(entry) = color.first_mut() {
        *entry = 1;
    }
    while let Some((block, next)) = stack.pop() {
        let edge = function.block(block).end.edges().nth(next).map(|edge| edge.target);
        let Some(target) = edge else {
            color[block.0 as usize] = 2;
            continue;
        };
        stack.push((block, next + 1));
        match color[target.0 as usize] {
            0 => {
                color[target.0 as usize] = 1;
                stack.push((target, 0));
            }
            1 => {
                found.insert((block, target));
            }
            _ => {}
        }
    }
    found
}

fn loops_of(function: &Function, ends: &[bool]) -> Vec<Loop> {
    let back = back_edges(function);
    let heads: BTreeSet<BlockId> = back.iter().map(|(_, head)| *head).collect();
    let predecessors = predecessors(function);
    let bodies: Vec<(BlockId, BTreeSet<BlockId>)> = heads
        .into_iter()
        .map(|head| {
            let sources = back.iter().filter(|(_, to)| *to == head).map(|(from, _)| *from);
            (head, body(head, sources.collect(), &predecessors))
        })
        .collect();
    let leads_on = leads_on(function, &bodies, &predecessors, ends);
    bodies
        .into_iter()
        .map(|(head, body)| {
            let purpose = purpose(function, &body, &leads_on, ends);
            Loop { head, body, purpose }
        })
        .collect()
}

fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut found = vec![Vec::new(); function.blocks.len()];
    for (index, block) in (0u32..).zip(&function.blocks) {
        for edge in block.end.edges() {
            found[edge.target.0 as usize].push(BlockId(index));
        }
    }
    found
}

/// All blocks that come to a back edge without passing the head.
fn body(head: BlockId, mut work: Vec<BlockId>, predecessors: &[Vec<BlockId>]) -> BTreeSet<BlockId> {
    let mut body = BTreeSet::from([head]);
    while let Some(block) = work.pop() {
        if body.insert(block) {
            work.extend(&predecessors[block.0 as usize]);
        }
    }
    body
}

/// Per block, whether a thread may go on from there: to a return, round a loop, or to an end that
/// it asks for. The others lead only to a failed assertion and its kind.
fn leads_on(
    function: &Function,
    loops: &[(BlockId, BTreeSet<BlockId>)],
    predecessors: &[Vec<BlockId>],
    ends: &[bool],
) -> Vec<bool> {
    let goes_on = |(index, block): (u32, &crate::ir::Block)| {
        matches!(block.end, Terminator::Return(_))
            || loops.iter().any(|(_, body)| body.contains(&BlockId(index)))
            || block.instructions.iter().any(|it| may_end(&it.op, ends))
    };
    let mut found: Vec<bool> = (0u32..).zip(&function.blocks).map(goes_on).collect();
    let mut work: Vec<usize> = (0..found.len()).filter(|&at| found[at]).collect();
    while let Some(at) = work.pop() {
        for before in &predecessors[at] {
            let before = before.0 as usize;
            if !std::mem::replace(&mut found[before], true) {
                work.push(before);
            }
        }
    }
    found
}

fn purpose(
    function: &Function,
    body: &BTreeSet<BlockId>,
    leads_on: &[bool],
    ends: &[bool],
) -> Purpose {
    let blocks = || body.iter().map(|&id| function.block(id));
    let leaves = blocks()
        .flat_map(|block| block.end.edges())
        .any(|edge| !body.contains(&edge.target) && leads_on[edge.target.0 as usize]);
    let ops = || blocks().flat_map(|block| &block.instructions).map(|it| &it.op);
    if leaves || ops().any(|op| may_end(op, ends)) {
        Purpose::Waits
    } else if ops().any(does_something) {
        Purpose::Rests
    } else {
        Purpose::Nothing
    }
}

fn does_something(op: &Op) -> bool {
    matches!(
        op,
        Op::Load { .. }
            | Op::Store { .. }
            | Op::ReadModifyWrite { .. }
            | Op::CompareExchange { .. }
            | Op::MemoryCopy { .. }
            | Op::MemorySet { .. }
            | Op::Call { .. }
            | Op::CallIndirect { .. }
            | Op::Library { .. }
            | Op::External { .. }
    )
}

/// Whether an instruction may end the thread or the process in an ordinary way.
fn may_end(op: &Op, ends: &[bool]) -> bool {
    match op {
        Op::Call { callee, .. } => ends.get(callee.0 as usize).copied().unwrap_or(false),
        Op::Library { primitive, .. } => matches!(
            primitive.action(),
            Action::Process(Process::Exit) | Action::Thread(Thread::Exit, _)
        ),
        _ => false,
    }
}

/// Per function, whether a call of it may end the thread or the process.
fn functions_that_end(program: &Program) -> Vec<bool> {
    let mut ends = vec![false; program.functions.len()];
    loop {
        let mut changed = false;
        for (index, function) in program.functions.iter().enumerate() {
            let ops = function.blocks.iter().flat_map(|block| &block.instructions);
            if !ends[index] && ops.map(|it| &it.op).any(|op| may_end(op, &ends)) {
                ends[index] = true;
                changed = true;
            }
        }
        if !changed {
            return ends;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Access, Block, Edge, Instruction, Operand, Reg, Register, SiteId, Type};

    const READ: Op = Op::Load {
        dst: Reg(0),
        ty: Type::Int(32),
        address: Operand::Int(0),
        access: Access::Plain,
    };

    fn block(ops: &[Op], targets: &[u32]) -> Block {
        let site = SiteId(0);
        let edge = |&target: &u32| Edge { target: BlockId(target), args: Vec::new() };
        let edges: Vec<Edge> = targets.iter().map(edge).collect();
        let end = match &edges[..] {
            [] => Terminator::Unreachable,
            [one] => Terminator::Jump(one.clone()),
            [then, otherwise, ..] => Terminator::Branch {
                condition: Operand::Reg(Reg(0)),
                then: then.clone(),
                otherwise: otherwise.clone(),
            },
        };
        let instructions = ops.iter().map(|op| Instruction { site, op: op.clone() }).collect();
        Block { params: Vec::new(), instructions, end_site: site, end }
    }

    fn returns() -> Block {
        Block { end: Terminator::Return(Vec::new()), ..block(&[], &[]) }
    }

    fn loops(blocks: Vec<Block>) -> Vec<(u32, usize, Purpose)> {
        let function = Function {
            name: "f".into(),
            site: SiteId(0),
            params: Vec::new(),
            returns: Vec::new(),
            variadic: false,
            atomic: false,
            library: false,
            wrapper: false,
            registers: vec![Register { ty: Type::Int(32) }],
            blocks,
        };
        let found = loops_of(&function, &[]).into_iter();
        found.map(|it| (it.head.0, it.body.len(), it.purpose)).collect()
    }

    #[test]
    fn a_loop_with_a_way_out_waits() {
        let blocks = vec![block(&[], &[1]), block(&[READ], &[1, 2]), returns()];
        assert_eq!(loops(blocks), [(1, 1, Purpose::Waits)]);
    }

    #[test]
    fn a_failed_assertion_is_no_way_out() {
        let blocks = vec![block(&[], &[1]), block(&[READ], &[1, 2]), block(&[], &[])];
        assert_eq!(loops(blocks), [(1, 1, Purpose::Rests)]);
    }

    #[test]
    fn an_empty_loop_is_for_nothing() {
        let blocks = vec![block(&[], &[1]), block(&[], &[1])];
        assert_eq!(loops(blocks), [(1, 1, Purpose::Nothing)]);
    }

    #[test]
    fn the_inner_of_two_loops_leads_back_to_the_outer_one() {
        let blocks = vec![block(&[], &[1]), block(&[READ], &[1, 2]), block(&[READ], &[1, 0])];
        let found = loops(blocks);
        assert_eq!(found, [(0, 3, Purpose::Rests), (1, 2, Purpose::Waits)]);
    }
}
