//! Which memory threads may write, and which may change once there are threads.
//!
//! What a test is set to, its number of threads or rounds, is written by `main` before it creates
//! threads, and read by all. Shared memory has no values while events are built, so without this
//! every such loop has an unknown end, and every such array an unknown length. Flow-insensitive but
//! for `main`, like the points-to analysis that it rests on; one pass over the program.

use std::collections::{BTreeMap, BTreeSet};

use unravel_program::library::{Action, Thread, sync::Argument};
use unravel_program::{BlockId, Function, FunctionId, Instruction, Op, Operand, Program};

use crate::points_to::{PointsTo, Stride, Target};

/// Places that some code may write.
#[derive(Debug, Default)]
pub struct Written(BTreeMap<Target, BTreeSet<(Stride, u64)>>);

impl Written {
    /// Whether so many bytes at an offset of an object made there may be written.
    #[must_use]
    pub fn may(&self, target: Target, offset: u64, bytes: u64) -> bool {
        let at = Stride::exactly(i64::try_from(offset).unwrap_or(i64::MAX));
        let places = self.0.get(&target).into_iter().flatten();
        places.copied().any(|(written, length)| written.meets(length, at, bytes))
    }

    fn add_writes(&mut self, points: &PointsTo, function: FunctionId, program: &Program, op: &Op) {
        for (operand, bytes) in written_by(program, op) {
            for (target, at) in points.places(function, operand) {
                let place = bytes.map_or((Stride::ANY, 1), |bytes| (at, bytes));
                self.0.entry(target).or_default().insert(place);
            }
        }
    }

    fn enter_function(&mut self, points: &PointsTo, program: &Program, id: FunctionId) {
        for instruction in points.alarm.until(instructions(program.function(id))) {
            self.add_writes(points, id, program, &instruction.op);
        }
    }
}

/// What code that a created thread runs may write, and what any code may write from the first
/// creation of a thread on.
pub(crate) fn find(points: &PointsTo, program: &Program) -> (Written, Written) {
    let run_by_threads = points.reached_from(points.thread_code());
    let mut by_threads = Written::default();
    let mut among_threads = Written::default();
    for &id in &run_by_threads {
        by_threads.enter_function(points, program, id);
        among_threads.enter_function(points, program, id);
    }
    let creators = creators(points, program);
    let mut later: BTreeSet<FunctionId> = BTreeSet::new();
    // Whatever runs before `main` may run after one that creates threads there.
    if program.constructors.iter().any(|it| creators.contains(it)) {
        later.extend(program.constructors.iter().chain([&program.main]));
    }
    for (block, index) in after_creation(points, program, &creators) {
        let instruction = &program.function(program.main).block(block).instructions[index];
        among_threads.add_writes(points, program.main, program, &instruction.op);
        later.extend(points.callees(program.main, &instruction.op));
    }
    // A function that creates threads goes on with them.
    later.extend(creators.into_iter().filter(|&it| it != program.main));
    for id in points.reached_from(later) {
        among_threads.enter_function(points, program, id);
    }
    (by_threads, among_threads)
}

/// Functions that may create a thread.
fn creators(points: &PointsTo, program: &Program) -> BTreeSet<FunctionId> {
    let all = (0u32..).map(FunctionId).zip(&program.functions);
    let directly = all.filter(|(_, function)| instructions(function).any(|it| creates(&it.op)));
    let directly: BTreeSet<FunctionId> = directly.map(|(id, _)| id).collect();
    let all = (0u32..).map(FunctionId).take(program.functions.len());
    all.filter(|&id| !points.reached_from([id]).is_disjoint(&directly)).collect()
}

fn creates(op: &Op) -> bool {
    let Op::Library { primitive, .. } = op else { return false };
    matches!(primitive.action(), Action::Thread(Thread::Create | Thread::CreateC11, _))
}

/// Instructions of `main` that may come after a creation, those that create included.
fn after_creation(
    points: &PointsTo,
    program: &Program,
    creators: &BTreeSet<FunctionId>,
) -> BTreeSet<(BlockId, usize)> {
    let main = program.function(program.main);
    let may_create = |op: &Op| {
        creates(op) || points.callees(program.main, op).iter().any(|it| creators.contains(it))
    };
    let mut after = BTreeSet::new();
    let mut work = Vec::new();
    for (number, block) in (0u32..).map(BlockId).zip(&main.blocks) {
        if let Some(first) = block.instructions.iter().position(|it| may_create(&it.op)) {
            after.extend((first..block.instructions.len()).map(|index| (number, index)));
            work.extend(block.end.edges().map(|edge| edge.target));
        }
    }
    let mut reached = BTreeSet::new();
    while let Some(number) = work.pop() {
        if reached.insert(number) {
            let block = main.block(number);
            after.extend((0..block.instructions.len()).map(|index| (number, index)));
            work.extend(block.end.edges().map(|edge| edge.target));
        }
    }
    after
}

fn instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.blocks.iter().flat_map(|block| &block.instructions)
}

/// Where an instruction writes memory that holds data, and how many bytes if that is known.
fn written_by(program: &Program, op: &Op) -> Vec<(Operand, Option<u64>)> {
    match op {
        Op::Store { ty, address, .. }
        | Op::ReadModifyWrite { ty, address, .. }
        | Op::CompareExchange { ty, address, .. } => {
            vec![(*address, Some(ty.bytes(program.target)))]
        }
        Op::MemoryCopy { to, .. } | Op::MemorySet { to, .. } => vec![(*to, None)],
        Op::Library { primitive, args, .. } => {
            let args = args.iter().map(|(_, arg)| (*arg, None));
            match primitive.action() {
                // What a lock or its kind holds is no data.
                Action::Sync(op, _) if op.argument() != Argument::Result => Vec::new(),
                Action::Thread(Thread::Create | Thread::CreateC11, _) => args.take(1).collect(),
                _ => args.collect(),
            }
        }
        Op::External { args, .. } => args.iter().map(|(_, arg)| (*arg, None)).collect(),
        _ => Vec::new(),
    }
}
