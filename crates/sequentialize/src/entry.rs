//! An instruction of a thread's trace: what it is, where, and what is known of it.

use unravel_interp::ThreadId;
use unravel_interp::choice::Choice;
use unravel_interp::memory::{ObjectId, ObjectKind};
use unravel_interp::state::Frame;
use unravel_interp::value::Value;
use unravel_program::library::{Action, MemoryFunction, Primitive};
use unravel_program::{BlockId, FunctionId, Op, Operand, Program, Reg, SiteId, Terminator};
use unravel_span::Span;

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
    /// What a function that it calls gives.
    pub returned: Option<Value>,
    /// What it leaves in `errno`, if it is an operation or code of the library that says so there.
    pub errno: Option<u128>,
    /// It is a compare-and-swap that failed.
    pub is_failed_update: bool,
    /// The name of a new variable.
    pub name: Option<String>,
    /// The memory that it reads or writes, and the value.
    pub access: Option<Access>,
    /// What it calls a function with.
    pub arguments: Vec<Value>,
    /// What is known of it only once the thread goes on.
    open: Option<Open>,
}

impl Entry {
    /// Whether it is an allocation that found no memory.
    pub fn is_refused_allocation(&self) -> bool {
        let What::Library(primitive) = self.what else { return false };
        let Some(result) = self.result.filter(|_| self.fate == Fate::Done) else { return false };
        match primitive.action() {
            Action::Memory(MemoryFunction::Free) => false,
            // `realloc` to no size gives none, either, and frees.
            Action::Memory(_) => result.bits == 0 && self.block.is_none(),
            _ => false,
        }
    }
}

/// A read or a write of memory.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The address that is accessed.
    pub address: Value,
    /// How many bytes.
    pub bytes: u64,
    /// What is read or written.
    pub value: Value,
}

/// Something that only the next instruction of the call shows.
#[derive(Clone, Copy, Debug)]
enum Open {
    /// Where a branch goes: the target if its condition holds, and the other.
    Targets(BlockId, BlockId),
    /// What a register holds.
    Register(Reg),
    /// What a read or a call puts into a register.
    Value(Reg),
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

/// Completes the last instruction of a call with what is known only afterwards.
pub fn settle(entries: &mut [Entry], top: &Frame, depth: usize) {
    let last = entries.iter_mut().rev().find(|it| it.depth <= depth);
    let Some(last) = last.filter(|it| it.depth == depth) else { return };
    match last.open.take() {
        Some(Open::Targets(then, otherwise)) if then != otherwise => {
            last.what = What::Branch(top.block == then);
        }
        Some(Open::Register(register)) => {
            last.result = top.registers.get(register.0 as usize).copied();
        }
        Some(Open::Value(register)) => {
            let value = top.registers.get(register.0 as usize).copied();
            match (&mut last.access, value) {
                (Some(access), Some(value)) => access.value = value,
                _ => last.returned = value,
            }
        }
        _ => {}
    }
}

/// The instruction that a thread stands before.
pub fn entry(
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
        errno: None,
        is_failed_update: false,
        name: None,
        access: None,
        arguments: Vec::new(),
        returned: None,
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
        Op::Load { dst, .. } => return (What::Load, Some(Open::Value(*dst))),
        Op::Store { .. } => What::Store,
        Op::ReadModifyWrite { .. } | Op::CompareExchange { .. } => What::Update,
        Op::MemoryCopy { .. } | Op::MemorySet { .. } => What::Copy,
        Op::Call { callee, results, .. } => {
            let register = results.first().copied().map(Open::Value);
            return (What::Call(*callee), register);
        }
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

/// The place of a site in user code.
pub fn span(program: &Program, site: SiteId) -> Option<Span> {
    let site = program.site(site);
    let outer = site.inlined_at.and_then(|at| program.site(at).span);
    outer.or(site.span).filter(|it| it.line > 0 && it.column > 0)
}
