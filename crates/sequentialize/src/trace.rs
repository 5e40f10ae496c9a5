//! What each thread of a run executes, instruction by instruction, with the segment of the schedule
//! that it belongs to.

use std::collections::BTreeMap;

use unravel_interp::choice::{Choice, Script};
use unravel_interp::memory::{ObjectId, ObjectKind};
use unravel_interp::run::Divergence;
use unravel_interp::schedule::Decision;
use unravel_interp::state::{Frame, Status};
use unravel_interp::value::Value;
use unravel_interp::{Machine, Notes, Property, State, StepEnd, ThreadId, Violation};
use unravel_program::library::{Action, Primitive};
use unravel_program::{BlockId, FunctionId, Op, Operand, Program, Reg, SiteId, Terminator};
use unravel_span::Span;

use crate::tracer::Tracer;

/// An instruction that a thread has executed, or stands before.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Calls in progress.
    pub depth: usize,
    /// The function.
    pub function: FunctionId,
    /// The place in the source.
    pub span: Option<Span>,
    /// What it is.
    pub what: What,
    /// Index of the decision in which it is executed.
    pub decision: usize,
    /// It begins a step: others can notice it.
    pub visible: bool,
    /// What became of it.
    pub fate: Fate,
    /// Bytes copied before, for `memcpy` and its kind.
    pub progress: u64,
    /// What the run decides here.
    pub inputs: Vec<(Choice, Value)>,
    /// The thread that it creates or joins.
    pub thread: Option<ThreadId>,
    /// The heap block that it allocates or frees.
    pub block: Option<ObjectId>,
    /// Its result, for a library function or a new variable.
    pub result: Option<Value>,
    /// What it last wrote, if others can see it.
    pub written: Option<Value>,
    /// It is a compare-and-swap that failed.
    pub is_failed_update: bool,
    /// The name of a new variable.
    pub name: Option<String>,
    /// What is known of it only once the thread goes on.
    open: Option<Open>,
}

/// Something that only the next instruction of the call shows.
#[derive(Clone, Copy, Debug)]
enum Open {
    /// Where a branch goes: the target if its condition holds, and the other.
    Targets(BlockId, BlockId),
    /// What a register holds.
    Register(Reg),
}

/// Kinds of instruction, as far as the source can be followed by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A two-way branch, and whether its condition held.
    Branch(bool),
    /// A branch of a `switch`.
    Switch,
    /// A call of a function of the program.
    Call(FunctionId),
    /// The end of a call.
    Return,
    /// A read of memory.
    Load,
    /// A write of memory.
    Store,
    /// An atomic read-modify-write.
    Update,
    /// Part of a copy of memory.
    Copy,
    /// A library function.
    Library(Primitive),
    /// A function that is not modelled.
    External,
    /// A new local variable in memory.
    Local,
    /// Arithmetic, jumps.
    Other,
}

/// What became of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was executed.
    Done,
    /// The run ends before it.
    Pending,
    /// The run fails in it.
    Failing,
}

/// A run of one thread without others in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The thread.
    pub thread: ThreadId,
    /// The first decision.
    pub first: usize,
}

/// All threads of a run.
#[derive(Debug)]
pub struct Trace {
    /// For each thread, what it executes.
    pub threads: Vec<Vec<Entry>>,
    /// The segments, in order.
    pub segments: Vec<Segment>,
    /// What the run ends in.
    pub violation: Option<Violation>,
    /// The state in the end.
    pub state: State,
    /// The address that the failing instruction accesses or frees.
    pub address: Option<Value>,
}

impl Trace {
    /// Carries out the decisions and takes note of everything.
    ///
    /// # Errors
    /// The decision that does not fit.
    pub fn record(machine: &Machine<'_>, decisions: &[Decision]) -> Result<Trace, Divergence> {
        let mut state = machine.initial();
        let mut recorder = Tracer {
            program: machine.program,
            decision: 0,
            by: ThreadId(0),
            threads: Vec::new(),
            address: None,
        };
        let mut notes = Notes::new();
        let mut violation = None;
        for (at, decision) in decisions.iter().enumerate() {
            (recorder.decision, recorder.by) = (at, decision.thread);
            let mut script = Script::new(decision.choices.clone());
            let end =
                machine.step(&mut state, decision.thread, &mut script, &mut recorder, &mut notes);
            violation = match end {
                StepEnd::Done(soft) => soft.into_iter().next(),
                StepEnd::Violated(violation) => Some(violation),
                StepEnd::Open(choice) => {
                    let why = format!("it has no decision for {:?}", choice.kind);
                    return Err(Divergence { at, why });
                }
            };
            violation = violation.or_else(|| machine.deadlock(&state));
        }
        let address = recorder.address;
        let last = decisions.len().saturating_sub(1);
        let mut threads = recorder.threads;
        finish(machine.program, &state, &mut threads, violation.as_ref());
        if let Some(violation) = violation.as_ref().filter(|it| it.property == Property::Ub) {
            mark_arithmetic(machine.program, &mut threads, violation, last);
        }
        let segments = segments(decisions);
        Ok(Trace { threads, segments, violation, state, address })
    }

    /// Where an allocation gives an address a second time: whether `malloc` does so is not up to the
    /// program.
    #[must_use]
    pub fn reused_address(&self) -> Option<Option<Span>> {
        let mut seen: BTreeMap<u128, ObjectId> = BTreeMap::new();
        let blocks = self.threads.iter().flatten().filter_map(|it| {
            let object = it.result?.provenance.filter(|it| it.kind == ObjectKind::Heap)?;
            let allocates = matches!(it.what, What::Library(it) if is_allocation(it));
            allocates.then_some((it.result?.bits, object, it.span))
        });
        for (address, object, span) in blocks {
            if seen.insert(address, object).is_some_and(|before| before != object) {
                return Some(span);
            }
        }
        None
    }

    /// The segment that a decision belongs to.
    #[must_use]
    pub fn segment(&self, decision: usize) -> usize {
        self.segments.partition_point(|segment| segment.first <= decision).saturating_sub(1)
    }
}

fn is_allocation(primitive: Primitive) -> bool {
    matches!(primitive.action(), Action::Memory(_))
}

fn segments(decisions: &[Decision]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for (first, decision) in decisions.iter().enumerate() {
        if segments.last().is_none_or(|last| last.thread != decision.thread) {
            segments.push(Segment { thread: decision.thread, first });
        }
    }
    segments
}

/// Marks what the run ends before, or in.
fn finish(
    program: &Program,
    state: &State,
    threads: &mut Vec<Vec<Entry>>,
    violation: Option<&Violation>,
) {
    threads.resize_with(state.threads.len(), Vec::new);
    for id in state.thread_ids() {
        let (thread, entries) = (state.thread(id), &mut threads[id.0 as usize]);
        let stopped = entries.last().is_some_and(|it| it.fate == Fate::Failing);
        let fails = |it: &Violation| it.thread == id && it.property != Property::Deadlock;
        let running = thread.status == Status::Running;
        let hard = stopped && running && violation.is_some_and(fails);
        if thread.status == Status::Running && !hard {
            if let Some(last) = entries.last_mut() {
                last.fate = Fate::Done;
            }
            let Some(top) = thread.frames.last() else { continue };
            settle(entries, top, thread.frames.len());
            entries.push(entry(program, &thread.frames, usize::MAX, false, Fate::Pending));
        } else if !hard && let Some(last) = entries.last_mut() {
            last.fate = if matches!(last.what, What::Library(_)) && thread.status != Status::Ended {
                Fate::Pending
            } else {
                Fate::Done
            };
        }
    }
}

/// A run goes on after arithmetic without a meaning, up to the end of the step; what is written ends
/// with it.
fn mark_arithmetic(
    program: &Program,
    threads: &mut [Vec<Entry>],
    violation: &Violation,
    last: usize,
) {
    let Some(entries) = threads.get_mut(violation.thread.0 as usize) else { return };
    let place = span(program, violation.site);
    let is_it = |it: &Entry| it.decision == last && it.span == place && it.what == What::Other;
    if entries.iter().all(|it| it.fate != Fate::Failing)
        && let Some(at) = entries.iter().position(is_it)
    {
        entries.truncate(at + 1);
        entries[at].fate = Fate::Failing;
    }
}

/// Completes the last instruction of a call with what is known only afterwards.
pub(crate) fn settle(entries: &mut [Entry], top: &Frame, depth: usize) {
    let last = entries.iter_mut().rev().find(|it| it.depth <= depth);
    let Some(last) = last.filter(|it| it.depth == depth) else { return };
    match last.open.take() {
        Some(Open::Targets(then, otherwise)) if then != otherwise => {
            last.what = What::Branch(top.block == then);
        }
        Some(Open::Register(register)) => {
            last.result = top.registers.get(register.0 as usize).copied();
        }
        _ => {}
    }
}

/// The instruction that a thread stands before.
pub(crate) fn entry(
    program: &Program,
    frames: &[Frame],
    decision: usize,
    visible: bool,
    fate: Fate,
) -> Entry {
    let mut made = Entry {
        depth: frames.len(),
        function: frames.last().map_or(FunctionId(0), |it| it.function),
        span: None,
        what: What::Other,
        decision,
        visible,
        fate,
        progress: 0,
        inputs: Vec::new(),
        thread: None,
        block: None,
        result: None,
        written: None,
        is_failed_update: false,
        name: None,
        open: None,
    };
    let Some(top) = frames.last() else { return made };
    let block = program.function(top.function).block(top.block);
    let instruction = block.instructions.get(top.index);
    let site = instruction.map_or(block.end_site, |it| it.site);
    made.span = span(program, site);
    made.progress = top.progress;
    match instruction {
        Some(instruction) => {
            (made.what, made.open) = kind(&instruction.op, top);
            if let Op::Alloca { name, .. } = &instruction.op {
                made.name.clone_from(name);
            }
        }
        None => (made.what, made.open) = end_kind(&block.end, top),
    }
    made
}

fn kind(op: &Op, top: &Frame) -> (What, Option<Open>) {
    let what = match op {
        Op::Load { .. } => What::Load,
        Op::Store { .. } => What::Store,
        Op::ReadModifyWrite { .. } | Op::CompareExchange { .. } => What::Update,
        Op::MemoryCopy { .. } | Op::MemorySet { .. } => What::Copy,
        Op::Call { callee, .. } => What::Call(*callee),
        Op::CallIndirect { callee: Operand::Reg(reg), .. } => {
            let value = top.registers.get(reg.0 as usize).copied().unwrap_or(Value::ZERO);
            match value.provenance {
                Some(object) if object.kind == ObjectKind::Function => {
                    What::Call(FunctionId(object.number))
                }
                _ => What::Other,
            }
        }
        Op::Library { primitive, result, .. } => {
            let register = result.map(Open::Register);
            return (What::Library(*primitive), register);
        }
        Op::Alloca { dst, .. } => return (What::Local, Some(Open::Register(*dst))),
        Op::External { results, .. } => {
            let register = results.first().copied().map(Open::Register);
            return (What::External, register);
        }
        _ => What::Other,
    };
    (what, None)
}

fn end_kind(end: &Terminator, top: &Frame) -> (What, Option<Open>) {
    match end {
        Terminator::Branch { condition, then, otherwise } => {
            let holds = match condition {
                Operand::Reg(reg) => {
                    top.registers.get(reg.0 as usize).is_some_and(|it| it.bits == 1)
                }
                Operand::Int(bits) => *bits == 1,
                _ => false,
            };
            (What::Branch(holds), Some(Open::Targets(then.target, otherwise.target)))
        }
        Terminator::Switch { .. } => (What::Switch, None),
        Terminator::Return(_) => (What::Return, None),
        _ => (What::Other, None),
    }
}

fn span(program: &Program, site: SiteId) -> Option<Span> {
    let site = program.site(site);
    let outer = site.inlined_at.and_then(|at| program.site(at).span);
    outer.or(site.span).filter(|it| it.line > 0 && it.column > 0)
}
