//! Which steps conflict in some run.

use std::collections::{BTreeMap, BTreeSet};

use unravel_interp::choice::Choice;
use unravel_interp::event::{Event, EventKind};
use unravel_interp::memory::ObjectId;
use unravel_interp::moment::{CallPlace, Moment};
use unravel_interp::state::Frame;
use unravel_interp::{Config, State, ThreadId};
use unravel_program::library::{Action, Verifier};
use unravel_program::{BlockId, Function, Op, Program};

use super::product::{Known, Observer, Product};
use super::{Point, counting_turns};
use crate::Watch;

/// Pairs of steps of different threads that conflict.
#[derive(Clone, Debug, Default)]
pub struct Conflicts {
    /// Accesses to one place in memory, at least one of them a write; each pair both ways round.
    pub memory: Vec<(Point, Point)>,
    /// Operations on one synchronization object, likewise.
    pub sync: Vec<(Point, Point)>,
    /// Every run was seen.
    pub is_exhaustive: bool,
}

/// Finds all conflicts, as long as there are no more than so many states.
///
/// Objects are told apart by their number in the run, so where runs allocate in different orders
/// there may be too many pairs, or too few.
#[must_use]
pub fn conflicts(
    program: &Program,
    config: Config,
    states: usize,
    watch: &mut dyn Watch,
) -> Conflicts {
    let mut product = Product::new(program, counting_turns(config), states);
    let (ends, collector) = product.run(Collector::new(program), watch);
    Conflicts {
        memory: pairs(&collector.memory),
        sync: pairs(&collector.sync),
        is_exhaustive: ends.is_exhaustive,
    }
}

/// An access: where, and whether it writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Access {
    object: ObjectId,
    from: u64,
    to: u64,
    writes: bool,
}

impl Access {
    fn conflicts_with(&self, other: &Access) -> bool {
        self.object == other.object
            && (self.writes || other.writes)
            && self.from < other.to
            && other.from < self.to
    }
}

type Accesses = BTreeMap<Point, BTreeSet<Access>>;

fn pairs(accesses: &Accesses) -> Vec<(Point, Point)> {
    let mut pairs = Vec::new();
    for (first, ours) in accesses {
        for (second, theirs) in accesses {
            let conflict = || ours.iter().any(|it| theirs.iter().any(|at| it.conflicts_with(at)));
            if first.thread != second.thread && conflict() {
                pairs.push((first.clone(), second.clone()));
            }
        }
    }
    pairs
}

/// Collects what the steps of all runs access.
struct Collector<'p> {
    program: &'p Program,
    /// Per function, its loops: head and blocks.
    loops: Vec<Vec<(BlockId, BTreeSet<BlockId>)>>,
    /// Threads met, by the creations that lead to them.
    threads: Vec<Vec<Moment>>,
    known: Known,
    /// Threads inside of an atomic section, with its beginning.
    sections: BTreeMap<ThreadId, Moment>,
    memory: Accesses,
    sync: Accesses,
}

impl<'p> Collector<'p> {
    fn new(program: &'p Program) -> Collector<'p> {
        Collector {
            program,
            loops: program.functions.iter().map(loops).collect(),
            threads: vec![Vec::new()],
            known: Known::default(),
            sections: BTreeMap::new(),
            memory: BTreeMap::new(),
            sync: BTreeMap::new(),
        }
    }

    fn path(&self, thread: ThreadId) -> Vec<Moment> {
        let number = self.known.threads.get(thread.0 as usize).copied().flatten();
        number.map_or_else(Vec::new, |number| self.threads[number as usize].clone())
    }

    fn moment(&self, frames: &[Frame]) -> Moment {
        let progress = frames.last().map_or(0, |frame| frame.progress);
        Moment { calls: frames.iter().map(|frame| self.call(frame)).collect(), progress }
    }

    fn call(&self, frame: &Frame) -> CallPlace {
        let loops = &self.loops[frame.function.0 as usize];
        let around = loops.iter().filter(|(_, blocks)| blocks.contains(&frame.block));
        let turned = |head: &BlockId| frame.turns.get(head).copied().unwrap_or(0);
        CallPlace {
            function: frame.function,
            block: frame.block,
            index: u32::try_from(frame.index).unwrap_or(u32::MAX),
            turns: around.map(|(head, _)| (*head, turned(head))).collect(),
        }
    }

    /// What a thread executes. All of an atomic section is executed where it begins.
    fn point(&self, state: &State, thread: ThreadId) -> Point {
        let here = || self.moment(&state.thread(thread).frames);
        let moment = self.sections.get(&thread).cloned().unwrap_or_else(here);
        Point { thread: self.path(thread), moment }
    }

    /// Where an atomic section begins: at the call, or at the first instruction of the function.
    fn begins_section(&self, state: &State, thread: ThreadId) -> bool {
        let thread = state.thread(thread);
        let Some(frame) = thread.frames.last() else { return false };
        let function = self.program.function(frame.function);
        match function.block(frame.block).instructions.get(frame.index).map(|it| &it.op) {
            Some(Op::Library { primitive, .. }) if thread.atomic_depth == 0 => {
                primitive.action() == Action::Verifier(Verifier::AtomicBegin)
            }
            _ => thread.atomic_depth == 1 && function.atomic,
        }
    }

    fn created(&mut self, state: &State, creator: ThreadId) {
        let Point { thread: mut path, moment } = self.point(state, creator);
        path.push(moment);
        let known = self.threads.iter().position(|it| *it == path);
        let number = known.unwrap_or_else(|| {
            self.threads.push(path);
            self.threads.len() - 1
        });
        self.known.threads.push(u32::try_from(number).ok());
    }
}

impl Observer for Collector<'_> {
    fn resume(&mut self, known: Option<&Known>) {
        let start = || Known { threads: vec![Some(0)], ..Known::default() };
        self.known = known.cloned().unwrap_or_else(start);
        self.sections.clear();
    }

    fn known(&self) -> Known {
        self.known.clone()
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        if state.thread(thread).atomic_depth == 0 {
            self.sections.remove(&thread);
        }
        if !self.sections.contains_key(&thread) && self.begins_section(state, thread) {
            let moment = self.moment(&state.thread(thread).frames);
            self.sections.insert(thread, moment);
        }
    }

    fn executed(&mut self, _thread: ThreadId) {}

    fn fails_in_operation(&mut self, _thread: ThreadId) {}

    fn event(&mut self, state: &State, event: &Event) {
        if let EventKind::Create(_) = event.kind {
            self.created(state, event.thread);
        }
        let Some((object, from, bytes)) = event.place else { return };
        let point = self.point(state, event.thread);
        let (accesses, writes) = match event.kind {
            EventKind::Read | EventKind::FailedUpdate => (&mut self.memory, false),
            EventKind::Write | EventKind::Update | EventKind::Free => (&mut self.memory, true),
            EventKind::Sync(..) => (&mut self.sync, true),
            _ => return,
        };
        let access = Access { object, from, to: from + bytes, writes };
        accesses.entry(point).or_default().insert(access);
    }

    fn decided(&mut self, _choice: &Choice, _value: u128) {}
}

/// The loops of a function, outermost first.
fn loops(function: &Function) -> Vec<(BlockId, BTreeSet<BlockId>)> {
    let blocks = || (0u32..).map(BlockId).take(function.blocks.len());
    let mut predecessors: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
    for block in blocks() {
        for edge in function.block(block).end.edges() {
            predecessors.entry(edge.target).or_default().push(block);
        }
    }
    let reach = |from: &[BlockId], without: BlockId| {
        let mut seen = BTreeSet::from([without]);
        let mut work = from.to_vec();
        while let Some(block) = work.pop() {
            if seen.insert(block) {
                work.extend(predecessors.get(&block).into_iter().flatten());
            }
        }
        seen
    };
    let entry = BlockId(0);
    let mut loops = Vec::new();
    for head in blocks() {
        // An edge closes a loop if its source cannot be reached without its target.
        let closes = |from: &&BlockId| head == entry || !reach(&[**from], head).contains(&entry);
        let into = predecessors.get(&head).into_iter().flatten();
        let sources: Vec<BlockId> = into.filter(closes).copied().collect();
        if !sources.is_empty() {
            loops.push((head, reach(&sources, head)));
        }
    }
    loops.sort_by_key(|(_, blocks)| std::cmp::Reverse(blocks.len()));
    loops
}
