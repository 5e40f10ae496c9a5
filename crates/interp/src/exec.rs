//! One step of one thread.
//!
//! [`Exec::step`] performs the operation the thread stands before and then its local work, up to
//! the next operation that others can notice. Everything that stops it on the way is an
//! [`Interrupt`].

use std::sync::Arc;

use unravel_kinds::{Cut, Related, Unmodelled, ViolationKind};
use unravel_program::library::{Action, Verifier};
use unravel_program::{Function, FunctionId, GlobalId, Op, Operand, Reg, SiteId, Terminator, Type};

use crate::choice::{Choice, ChoiceKind, Chooser, InputSource, Pick};
use crate::event::{Event, EventKind, Recorder};
use crate::local_loop::LocalLoop;
use crate::machine::{Machine, stuck};
use crate::memory::ObjectId;
use crate::note::{Note, Notes};
use crate::property::{Property, Violation};
use crate::state::{Frame, Pending, State, Stuck, ThreadId};
use crate::value::{Value, mask};

/// What stops execution.
pub(crate) enum Interrupt {
    /// A violation of a checked property.
    Violation(Box<Violation>),
    /// The thread goes no further.
    Stuck(Stuck),
    /// The operation has to wait.
    Blocked,
    /// A decision is missing.
    Choose(Choice),
}

pub(crate) type Result<T> = std::result::Result<T, Interrupt>;

/// Execution of one step.
pub(crate) struct Exec<'a, 'p> {
    pub machine: &'a Machine<'p>,
    pub state: &'a mut State,
    pub me: ThreadId,
    pub chooser: &'a mut dyn Chooser,
    pub recorder: &'a mut dyn Recorder,
    pub notes: &'a mut Notes,
    /// Violations met that do not stop the run.
    pub soft: Vec<Violation>,
    fuel: u64,
    /// Watches for loops of local work that come back to where they were.
    pub local_loop: LocalLoop,
}

/// Where a thread is in the program.
#[derive(Clone, Copy)]
enum At<'p> {
    Instruction(&'p Op),
    End(&'p Terminator),
}

impl<'a, 'p> Exec<'a, 'p> {
    pub fn new(
        machine: &'a Machine<'p>,
        state: &'a mut State,
        me: ThreadId,
        chooser: &'a mut dyn Chooser,
        recorder: &'a mut dyn Recorder,
        notes: &'a mut Notes,
    ) -> Self {
        let fuel = machine.config.local_limit;
        let (soft, local_loop) = (Vec::new(), LocalLoop::default());
        Exec { machine, state, me, chooser, recorder, notes, soft, fuel, local_loop }
    }

    /// The operation the thread stands before, then its local work.
    pub fn step(&mut self) -> Result<()> {
        self.run(true)
    }

    /// A new thread's local work up to its first visible operation. It belongs to the step that
    /// created the thread: local work commutes with everything.
    pub fn run_new_thread(&mut self, thread: ThreadId) -> Result<()> {
        let creator = std::mem::replace(&mut self.me, thread);
        let result = self.run(false);
        self.me = creator;
        result
    }

    fn run(&mut self, first_is_due: bool) -> Result<()> {
        match self.run_until_visible(first_is_due) {
            Err(Interrupt::Stuck(reason)) => {
                self.get_stuck(reason);
                Ok(())
            }
            Err(Interrupt::Blocked) => self.stand_before(),
            other => other,
        }
    }

    /// An unfinished atomic section must not be seen by others: the run ends.
    fn get_stuck(&mut self, reason: Stuck) {
        self.state.dead |= self.state.thread(self.me).atomic_depth > 0;
        let thread = self.state.thread_mut(self.me);
        thread.status = stuck(reason);
        thread.pending = Pending::Ready;
    }

    fn run_until_visible(&mut self, first_is_due: bool) -> Result<()> {
        if let Some(bytes) = self.machine.too_large {
            return self.unsupported(Unmodelled::LargeObject(bytes));
        }
        let mut due = first_is_due;
        while self.state.thread(self.me).is_running() {
            let at = self.at();
            let inside = self.state.thread(self.me).atomic_depth > 0;
            if !due && !inside && (self.is_visible(at)? || self.has_raced_alone()) {
                return self.stand_before();
            }
            due = false;
            self.burn_fuel()?;
            self.recorder.executing(self.state, self.me);
            match at {
                At::Instruction(op) => self.instruction(op)?,
                At::End(end) => self.terminator(end)?,
            }
            self.recorder.executed(self.me);
            // A loop of local work that changes nothing never comes to something visible.
            if matches!(at, At::End(_)) && self.turns_for_ever() {
                return self.stand_before();
            }
        }
        Ok(())
    }

    /// Whether a thread that goes on alone has raced in this step. Nobody notices what it does, so
    /// that its steps have no end; but a run may end in the race, and each is one of its own.
    fn has_raced_alone(&self) -> bool {
        let raced = self.soft.iter().any(|it| it.property() == Property::Race);
        raced && !self.state.others_run(self.me)
    }

    fn burn_fuel(&mut self) -> Result<()> {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel > 0 {
            return Ok(());
        }
        let limit = self.machine.config.local_limit;
        self.bound(Cut::Instructions { limit })
    }

    /// Settles the thread before its next operation: what that is, and no dead registers, so that
    /// states that differ only in them are the same.
    fn stand_before(&mut self) -> Result<()> {
        let pending = self.pending()?;
        let thread = self.state.thread_mut(self.me);
        thread.pending = pending;
        if let Some(frame) = thread.frames.last_mut() {
            let live =
                self.machine.liveness[frame.function.0 as usize].before(frame.block, frame.index);
            clear_dead(&mut frame.registers, |reg| live.contains(reg));
        }
        Ok(())
    }

    fn pending(&mut self) -> Result<Pending> {
        match self.at() {
            At::Instruction(Op::Library { primitive, args, .. }) => {
                self.pending_library(*primitive, args)
            }
            _ => Ok(Pending::Ready),
        }
    }

    fn is_visible(&mut self, at: At<'p>) -> Result<bool> {
        let op = match at {
            At::Instruction(op) => op,
            At::End(Terminator::Return(_)) => return Ok(self.end_is_visible(false)),
            At::End(_) => return Ok(false),
        };
        if !self.state.others_run(self.me) {
            // Nobody notices. But a step that is explored once per input begins at the input.
            return Ok(self.is_choice(op));
        }
        Ok(match op {
            Op::Load { address, .. }
            | Op::Store { address, .. }
            | Op::ReadModifyWrite { address, .. }
            | Op::CompareExchange { address, .. } => self.is_shared(*address),
            Op::MemoryCopy { to, from, .. } => self.is_shared(*to) || self.is_shared(*from),
            Op::MemorySet { to, .. } => self.is_shared(*to),
            Op::EndLocal { address } => self.is_shared(*address),
            Op::Library { primitive, args, .. } => self.is_visible_library(*primitive, args),
            Op::Call { callee, .. } => self.function(*callee).atomic,
            Op::CallIndirect { callee, .. } => {
                let target = self.machine.function_at(self.peek(*callee));
                target.is_some_and(|target| self.function(target).atomic)
            }
            _ => false,
        })
    }

    /// Whether an instruction asks for a decision.
    fn is_choice(&self, op: &Op) -> bool {
        let allocates = self.machine.reuses_addresses || self.machine.config.allocation_failure;
        match op {
            Op::Library { primitive, .. } => match primitive.action() {
                Action::Verifier(Verifier::Nondet | Verifier::Between) => true,
                Action::Memory(_) => allocates,
                _ => false,
            },
            Op::CompareExchange { weak, .. } => *weak,
            _ => false,
        }
    }

    /// Whether others can notice that this call returns, or with `whole_thread` that the thread
    /// ends: variables end that they can reach, or destructors run whose keys they may delete.
    pub fn end_is_visible(&self, whole_thread: bool) -> bool {
        if !self.state.others_run(self.me) {
            return false;
        }
        let thread = self.state.thread(self.me);
        let shared = |id: &ObjectId| self.state.object(*id).is_some_and(|it| it.shared);
        let frames = &thread.frames;
        let ending = if whole_thread { &frames[..] } else { &frames[frames.len() - 1..] };
        let ends_thread = whole_thread || frames.len() == 1;
        let keys = self.machine.deletes_keys && !thread.specific.is_empty();
        ending.iter().flat_map(|frame| &frame.objects).any(shared)
            || ends_thread && (keys || thread.locals.values().any(shared))
    }

    /// Whether an address lies in memory that other threads can reach and write.
    pub fn is_shared(&self, address: Operand) -> bool {
        let value = self.peek(address);
        let object = value.provenance.or_else(|| self.state.find(value.address()));
        let object = object.and_then(|id| self.state.object(id));
        object.is_some_and(|object| object.shared && !object.constant)
    }

    // ----- Position -----

    pub fn frame(&self) -> &Frame {
        // A running thread has at least one frame: the last return ends it.
        &self.state.thread(self.me).frames[self.state.thread(self.me).frames.len() - 1]
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        let thread = self.state.thread_mut(self.me);
        let last = thread.frames.len() - 1;
        &mut thread.frames[last]
    }

    pub fn function(&self, id: FunctionId) -> &'p Function {
        self.machine.program.function(id)
    }

    fn at(&self) -> At<'p> {
        let frame = self.frame();
        let block = self.function(frame.function).block(frame.block);
        match block.instructions.get(frame.index) {
            Some(instruction) => At::Instruction(&instruction.op),
            None => At::End(&block.end),
        }
    }

    /// Site of the current instruction of a frame.
    fn site_of(&self, frame: &Frame) -> SiteId {
        let block = self.function(frame.function).block(frame.block);
        block.instructions.get(frame.index).map_or(block.end_site, |it| it.site)
    }

    /// The current place in user code: the call, while a library function or a wrapper runs.
    pub fn site(&self) -> SiteId {
        let frames = &self.state.thread(self.me).frames;
        let shown = self.machine.program.shown(frames, |frame| frame.function);
        shown.map_or(SiteId(0), |frame| self.site_of(frame))
    }

    /// Where a violation is shown: an assertion that fails, where it stands.
    fn site_of_violation(&self, property: Property) -> SiteId {
        if property != Property::Reach {
            return self.site();
        }
        let frames = &self.state.thread(self.me).frames;
        let user = frames.iter().rev().find(|frame| !self.function(frame.function).library);
        user.map_or(SiteId(0), |frame| self.site_of(frame))
    }

    pub fn advance(&mut self) {
        let frame = self.frame_mut();
        frame.index += 1;
        frame.progress = 0;
        frame.phase = None;
    }

    // ----- Values -----

    /// The value of an operand.
    pub fn peek(&self, operand: Operand) -> Value {
        match operand {
            Operand::Reg(reg) => self.frame().registers[reg.0 as usize],
            Operand::Int(bits) => Value::int(bits),
            Operand::Undef => Value::undefined(128),
            Operand::Function(id) => Machine::function_value(id),
            Operand::Global(id, offset) => {
                let shared = self.machine.static_address(operand);
                shared.or_else(|| self.known_local(id, offset)).unwrap_or(Value::ZERO)
            }
        }
    }

    /// This thread's instance of a thread-local variable, if it has one already.
    fn known_local(&self, id: GlobalId, offset: i64) -> Option<Value> {
        let object = *self.state.thread(self.me).locals.get(&id)?;
        let base = self.state.object(object)?.base;
        Some(Value::pointer(base.wrapping_add_signed(offset), object))
    }

    /// The value of an operand of a known width; makes this thread's instance of a thread-local
    /// variable on the way.
    pub fn operand(&mut self, operand: Operand, width: u16) -> Value {
        if let Operand::Global(id, offset) = operand
            && self.machine.program.global(id).thread_local
        {
            return self.thread_local(id, offset);
        }
        let mut value = self.peek(operand);
        value.bits &= mask(width);
        value.undef &= mask(width);
        value
    }

    /// The value of an operand on which something depends: arbitrary bits become an input, and a
    /// register keeps the choice.
    pub fn forced(&mut self, operand: Operand, width: u16) -> Result<Value> {
        let value = self.operand(operand, width);
        if value.is_defined() {
            return Ok(value);
        }
        let chosen = self.force(value, width)?;
        if let Operand::Reg(reg) = operand {
            self.set(reg, chosen);
        }
        Ok(chosen)
    }

    pub fn force(&mut self, value: Value, width: u16) -> Result<Value> {
        if value.is_defined() {
            return Ok(value);
        }
        let input = self.input(width, InputSource::Uninitialized)?;
        Ok(Value { bits: value.bits | input & value.undef, undef: 0, ..value })
    }

    pub fn set(&mut self, reg: Reg, value: Value) {
        self.frame_mut().registers[reg.0 as usize] = value;
    }

    pub fn width(&self, ty: Type) -> u16 {
        ty.bits(self.machine.program.target)
    }

    // ----- Decisions -----

    /// An input of `width` bits.
    pub fn input(&mut self, width: u16, source: InputSource) -> Result<u128> {
        self.input_of(Type::Int(width), source)
    }

    /// An input that is shown as a value of a type.
    pub fn input_of(&mut self, ty: Type, source: InputSource) -> Result<u128> {
        let width = self.width(ty);
        let choice = self.choice(ChoiceKind::Input { width, source });
        let bits = self.decide(&choice)? & mask(width);
        if self.recorder.wants_events() {
            let value = Some((Value::int(bits), ty));
            self.record(EventKind::Input(choice), None, value);
        }
        Ok(bits)
    }

    /// One of several alternatives.
    pub fn pick(&mut self, options: usize, what: Pick) -> Result<usize> {
        if options <= 1 {
            return Ok(0);
        }
        let options = u32::try_from(options).unwrap_or(u32::MAX);
        let choice = self.choice(ChoiceKind::Pick { options, what });
        let decision = self.decide(&choice)?;
        Ok(usize::try_from(decision).unwrap_or(0).min(options as usize - 1))
    }

    pub(crate) fn choice(&self, kind: ChoiceKind) -> Choice {
        Choice { kind, thread: self.me, site: self.site() }
    }

    pub(crate) fn decide(&mut self, choice: &Choice) -> Result<u128> {
        self.chooser.choose(choice).ok_or_else(|| Interrupt::Choose(choice.clone()))
    }

    // ----- Ends -----

    /// A violation: ends the run if the property is checked, else this thread.
    pub fn violation<T>(&mut self, kind: ViolationKind) -> Result<T> {
        self.violation_with(kind, Vec::new())
    }

    pub fn violation_with<T>(
        &mut self,
        kind: ViolationKind,
        related: Vec<(SiteId, Related)>,
    ) -> Result<T> {
        let property = kind.property();
        if !self.machine.config.properties.has(property) {
            // What such an access does in reality is anybody's guess.
            if property == Property::Memory {
                let what = Unmodelled::Unchecked(Box::new(kind));
                self.notes.insert(Note::Unsupported { site: self.site(), what });
            }
            return Err(Interrupt::Stuck(Stuck::Violation));
        }
        let (thread, site) = (self.me, self.site_of_violation(property));
        let violation = Violation { kind, thread, site, related };
        Err(Interrupt::Violation(Box::new(violation)))
    }

    /// A violation after which the program runs on. Of several in one step, races come last: they
    /// are a matter of their own.
    pub fn soft_violation(&mut self, kind: ViolationKind, related: Vec<(SiteId, Related)>) {
        if self.machine.config.properties.has(kind.property()) {
            let (thread, site) = (self.me, self.site());
            let is_race = |it: &Violation| it.property() == Property::Race;
            let violation = Violation { kind, thread, site, related };
            let races = self.soft.iter().filter(|it| is_race(it)).count();
            let at = self.soft.len() - if is_race(&violation) { 0 } else { races };
            self.soft.insert(at, violation);
        }
    }

    /// Something that is not modelled: this thread goes no further.
    pub fn unsupported<T>(&mut self, what: Unmodelled) -> Result<T> {
        self.notes.insert(Note::Unsupported { site: self.site(), what });
        Err(Interrupt::Stuck(Stuck::Unsupported))
    }

    /// A bound is reached: this thread goes no further, though it could.
    pub fn bound<T>(&mut self, what: Cut) -> Result<T> {
        self.notes.insert(Note::Bound { site: self.site(), what });
        Err(Interrupt::Stuck(Stuck::Bound))
    }

    pub fn record(
        &mut self,
        kind: EventKind,
        place: Option<(ObjectId, u64, u64)>,
        value: Option<(Value, Type)>,
    ) {
        if self.recorder.wants_events() {
            let event = Event { thread: self.me, site: self.site(), kind, place, value };
            self.recorder.record(self.state, event);
        }
    }

    // ----- Instructions -----

    fn instruction(&mut self, op: &'p Op) -> Result<()> {
        match op {
            Op::Binary { .. } | Op::Compare { .. } | Op::Bits { .. } | Op::Cast { .. } => {
                self.arithmetic(op)?;
            }
            Op::Float { .. } | Op::FloatCompare { .. } => self.floating(op)?,
            Op::Select { dst, condition, then, otherwise } => {
                let taken = self.forced(*condition, 1)?.bits == 1;
                self.copy(*dst, if taken { *then } else { *otherwise });
            }
            Op::Copy { dst, value } => self.copy(*dst, *value),
            Op::Offset { .. } => self.offset(op)?,
            Op::Load { .. }
            | Op::Store { .. }
            | Op::ReadModifyWrite { .. }
            | Op::CompareExchange { .. }
            | Op::Alloca { .. } => self.memory_access(op)?,
            Op::EndLocal { address } => self.end_local(*address),
            Op::Fence { ordering } => self.fence(*ordering),
            // These move on by themselves: they may take several steps.
            Op::MemoryCopy { to, from, length, unit, .. } => {
                return self.memory_copy(*to, *from, *length, *unit);
            }
            Op::MemorySet { to, byte, length, unit } => {
                return self.memory_set(*to, *byte, *length, *unit);
            }
            Op::Call { results, callee, args } => return self.call(*callee, args, results),
            Op::CallIndirect { results, callee, args } => {
                return self.call_indirect(*callee, args, results);
            }
            Op::Library { result, primitive, args } => {
                return self.library(*primitive, args, *result);
            }
            Op::External { name, .. } => {
                return self.unsupported(Unmodelled::MissingFunction(name.clone()));
            }
            Op::Variable { name, value, ty } => self.variable(name, *value, *ty),
            Op::Unsupported { what, .. } => return self.unsupported(what.clone().into()),
        }
        self.advance();
        Ok(())
    }

    fn copy(&mut self, dst: Reg, value: Operand) {
        let width = self.width(self.function(self.frame().function).type_of(dst));
        let value = self.operand(value, width);
        self.set(dst, value);
    }

    fn variable(&mut self, name: &str, value: Operand, ty: Type) {
        // Those of a wrapper mean nothing at its call.
        let is_shown = !self.function(self.frame().function).wrapper;
        if is_shown && self.recorder.wants_events() {
            let value = self.operand(value, self.width(ty));
            self.record(EventKind::Variable(name.to_owned()), None, Some((value, ty)));
        }
    }

    /// What races mode wants to know; `None` if races are not checked.
    pub fn races(&mut self) -> Option<&mut crate::race::Races> {
        self.state.races.as_mut().map(Arc::make_mut)
    }
}

pub(crate) fn clear_dead(registers: &mut [Value], is_live: impl Fn(Reg) -> bool) {
    for (index, register) in (0u32..).zip(registers) {
        if !is_live(Reg(index)) {
            *register = Value::ZERO;
        }
    }
}
