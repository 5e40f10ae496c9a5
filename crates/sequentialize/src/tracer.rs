//! Takes note of every instruction that the interpreter executes.

use unravel_interp::choice::{Choice, ChoiceKind, InputSource};
use unravel_interp::event::{Event, EventKind, Recorder};
use unravel_interp::layout;
use unravel_interp::memory::{ObjectId, Origin};
use unravel_interp::state::{Frame, OnReturn};
use unravel_interp::value::Value;
use unravel_interp::{State, ThreadId};
use unravel_program::library::sync::Class;
use unravel_program::library::{Action, Convention};
use unravel_program::{CompareOp, Op, Operand, Program};
use unravel_span::Span;

use crate::entry::{Access, Entry, Fate, What, entry, settle};

/// Takes note of what all threads execute.
pub struct Tracer<'p> {
    /// The program.
    pub program: &'p Program,
    /// Index of the decision being carried out.
    pub decision: usize,
    /// Whose step it is.
    pub by: ThreadId,
    /// What each thread executes.
    pub threads: Vec<Vec<Entry>>,
    /// The address that the last instruction accesses or frees.
    pub address: Option<Value>,
    /// Comparisons of where objects lie.
    pub questions: Vec<Question>,
}

/// A comparison of where two objects lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The thread that compares.
    pub thread: ThreadId,
    /// The place in the source.
    pub span: Option<Span>,
    /// The comparison.
    pub op: CompareOp,
    /// The objects that are compared.
    pub objects: (ObjectId, ObjectId),
}

impl Tracer<'_> {
    fn last(&mut self, thread: ThreadId) -> Option<&mut Entry> {
        self.threads.get_mut(thread.0 as usize)?.last_mut()
    }
}

impl Recorder for Tracer<'_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn record(&mut self, _state: &State, event: Event) {
        let Some(last) = self.last(event.thread) else { return };
        match event.kind {
            // Every comparison has its answer, the first of its kind like the others.
            EventKind::Input(choice) if is_layout(&choice) => {}
            EventKind::Input(choice) => {
                let value = event.value.map_or(Value::ZERO, |(value, _)| value);
                last.inputs.push((choice, value));
            }
            EventKind::Create(thread) | EventKind::Join(thread) => last.thread = Some(thread),
            EventKind::Write | EventKind::Update => {
                last.written = event.value.map(|(value, _)| value)
            }
            EventKind::FailedUpdate => last.is_failed_update = true,
            EventKind::Free => last.block = event.place.map(|(object, ..)| object),
            _ => {}
        }
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        let index = thread.0 as usize;
        if self.threads.len() <= index {
            self.threads.resize_with(index + 1, Vec::new);
        }
        let frames = &state.thread(thread).frames;
        let Some(top) = frames.last() else { return };
        let (decision, program) = (self.decision, self.program);
        let entries = &mut self.threads[index];
        settle(entries, top, frames.len());
        // What had to wait was done in part, and is done now.
        if let Some(last) = entries.last_mut() {
            last.fate = Fate::Done;
            // `realloc` that finds no memory leaves the block alone.
            last.block = last.block.filter(|it| state.object(*it).is_none());
            if reports_by_errno(last) || sets_errno(program, state, thread, last) {
                last.errno = errno(state, thread);
            }
        }
        let first = entries.last().is_none_or(|it| it.decision != decision);
        let visible = thread == self.by && first;
        let mut made = entry(program, frames, decision, visible, Fate::Failing);
        made.block = frees(program, top);
        if top.on_return == OnReturn::EndThread && frames.len() == 1 && made.what == What::Return {
            made.thread = Some(thread);
        }
        let operands = Operands { program, state, thread, top };
        made.access = operands.access();
        made.arguments = operands.arguments();
        made.written = operands.semaphore();
        let (span, asked) = (made.span, operands.question());
        self.questions.extend(asked.map(|(op, objects)| Question { thread, span, op, objects }));
        self.address = address(program, top);
        let variable = is_variable(program, top);
        if !variable || visible {
            entries.push(made);
        }
    }

    fn executed(&mut self, thread: ThreadId) {
        if let Some(last) = self.last(thread) {
            last.fate = Fate::Done;
        }
    }
}

/// Whether an operation has failed and says why in `errno`.
fn reports_by_errno(entry: &Entry) -> bool {
    let What::Library(primitive) = entry.what else { return false };
    let minus_one = |it: Value| it.bits & u128::from(u32::MAX) == u128::from(u32::MAX);
    let by_errno = matches!(
        primitive.action(),
        Action::Sync(_, Convention::Errno) | Action::Thread(_, Convention::Errno)
    );
    by_errno && entry.result.is_some_and(minus_one) || entry.is_refused_allocation()
}

/// Whether the code of a library function has written the thread's `errno`.
fn sets_errno(program: &Program, state: &State, thread: ThreadId, entry: &Entry) -> bool {
    let written = entry.access.and_then(|it| it.address.provenance);
    entry.what == What::Store
        && program.function(entry.function).library
        && written.is_some()
        && written == state.thread(thread).errno
}

/// What a thread's `errno` holds.
fn errno(state: &State, thread: ThreadId) -> Option<u128> {
    let object = state.object(state.thread(thread).errno?)?;
    Some(object.read(0, 4, 8).bits)
}

fn is_layout(choice: &Choice) -> bool {
    matches!(choice.kind, ChoiceKind::Input { source: InputSource::Layout(..), .. })
}

/// Notes of the debug information have no place of their own.
fn is_variable(program: &Program, top: &Frame) -> bool {
    let block = program.function(top.function).block(top.block);
    block.instructions.get(top.index).is_some_and(|it| matches!(it.op, Op::Variable { .. }))
}

/// The address that an instruction accesses, or hands to a library function first.
fn address(program: &Program, top: &Frame) -> Option<Value> {
    let block = program.function(top.function).block(top.block);
    let operand = match &block.instructions.get(top.index)?.op {
        Op::Load { address, .. }
        | Op::Store { address, .. }
        | Op::ReadModifyWrite { address, .. }
        | Op::CompareExchange { address, .. } => *address,
        Op::Library { args, .. } => args.first()?.1,
        _ => return None,
    };
    match operand {
        Operand::Reg(reg) => top.registers.get(reg.0 as usize).copied(),
        Operand::Int(bits) => Some(Value::int(bits)),
        _ => None,
    }
}

/// What the instruction that a thread stands before is about to use.
struct Operands<'s> {
    program: &'s Program,
    state: &'s State,
    thread: ThreadId,
    top: &'s Frame,
}

impl<'s> Operands<'s> {
    fn op(&self) -> Option<&'s Op> {
        let block = self.program.function(self.top.function).block(self.top.block);
        block.instructions.get(self.top.index).map(|it| &it.op)
    }

    fn value(&self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Reg(reg) => self.top.registers.get(reg.0 as usize).copied(),
            Operand::Int(bits) => Some(Value::int(bits)),
            Operand::Global(id, offset) => {
                let own = self.state.thread(self.thread).locals.get(&id).copied();
                let is_it = |origin: &Origin| *origin == Origin::Global(id);
                let find = || self.state.objects.iter().find(|(_, it)| is_it(&it.origin));
                let object = own.or_else(|| find().map(|(object, _)| *object))?;
                let base = self.state.object(object)?.base;
                Some(Value::pointer(base.wrapping_add_signed(offset), object))
            }
            Operand::Function(_) | Operand::Undef => None,
        }
    }

    /// What a read or a write is about to access; what is read shows later.
    fn access(&self) -> Option<Access> {
        let (address, ty, value) = match *self.op()? {
            Op::Load { ty, address, .. } => (address, ty, Value::ZERO),
            Op::Store { ty, address, value, .. } => (address, ty, self.value(value)?),
            _ => return None,
        };
        let address = self.value(address)?;
        Some(Access { address, bytes: ty.bytes(self.program.target), value })
    }

    /// The objects of which it is about to ask which lies lower.
    fn question(&self) -> Option<(CompareOp, (ObjectId, ObjectId))> {
        let Op::Compare { op, lhs, rhs, .. } = *self.op()? else { return None };
        Some((op, layout::question(op, self.value(lhs)?, self.value(rhs)?)?))
    }

    /// What a function is about to be called with.
    fn arguments(&self) -> Vec<Value> {
        let Some(Op::Call { args, .. }) = self.op() else { return Vec::new() };
        args.iter().map(|it| self.value(*it).unwrap_or(Value::ZERO)).collect()
    }

    /// What an operation is about to find in a semaphore: what `sem_getvalue` gives, and whether
    /// others get it at once.
    fn semaphore(&self) -> Option<Value> {
        let Op::Library { primitive, args, .. } = self.op()? else { return None };
        if primitive.sync_op().is_none_or(|op| op.class() != Class::Sem) {
            return None;
        }
        let pointer = self.value(args.first()?.1)?;
        let object = pointer.provenance?;
        let offset = pointer.address().wrapping_sub(self.state.object(object)?.base);
        self.state.sync.get(&(object, offset)).map(|it| Value::int(u128::from(it.value)))
    }
}

/// The heap block that a call of `free` or `realloc` ends.
fn frees(program: &Program, top: &Frame) -> Option<ObjectId> {
    let block = program.function(top.function).block(top.block);
    let Op::Library { primitive, .. } = &block.instructions.get(top.index)?.op else { return None };
    if !matches!(primitive.name(), "free" | "realloc" | "reallocarray") {
        return None;
    }
    address(program, top)?.provenance
}
