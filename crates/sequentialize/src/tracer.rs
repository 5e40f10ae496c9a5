//! Takes note of every instruction that the interpreter executes.

use unravel_interp::event::{Event, EventKind, Recorder};
use unravel_interp::memory::{ObjectId, Origin};
use unravel_interp::state::{Frame, OnReturn};
use unravel_interp::value::Value;
use unravel_interp::{State, ThreadId};
use unravel_program::{Op, Operand, Program};

use crate::trace::{Entry, Fate, What, entry, settle};

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
            EventKind::Input(choice) => {
                let value = event.value.map_or(Value::ZERO, |(value, _)| value);
                last.inputs.push((choice, value));
            }
            EventKind::Create(thread) | EventKind::Join(thread) => last.thread = Some(thread),
            EventKind::Write => last.written = event.value.map(|(value, _)| value),
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
        }
        let first = entries.last().is_none_or(|it| it.decision != decision);
        let visible = thread == self.by && first;
        let mut made = entry(program, frames, decision, visible, Fate::Failing);
        made.block = frees(program, top);
        made.written = semaphore(program, state, top);
        if top.on_return == OnReturn::EndThread && frames.len() == 1 && made.what == What::Return {
            made.thread = Some(thread);
        }
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

/// What `sem_getvalue` is about to give.
fn semaphore(program: &Program, state: &State, top: &Frame) -> Option<Value> {
    let block = program.function(top.function).block(top.block);
    let Op::Library { primitive, args, .. } = &block.instructions.get(top.index)?.op else {
        return None;
    };
    let place = match args.first()?.1 {
        _ if primitive.name() != "sem_getvalue" => return None,
        Operand::Global(id, offset) => {
            let is_it = |origin: &Origin| *origin == Origin::Global(id);
            let (object, _) = state.objects.iter().find(|(_, it)| is_it(&it.origin))?;
            (*object, u64::try_from(offset).ok()?)
        }
        _ => {
            let pointer = address(program, top)?;
            let object = pointer.provenance?;
            (object, pointer.address().wrapping_sub(state.object(object)?.base))
        }
    };
    state.sync.get(&place).map(|it| Value::int(u128::from(it.value)))
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
