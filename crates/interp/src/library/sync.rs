//! Operations on synchronization objects: executes the cases of `unravel_program::library::sync`.

use std::sync::Arc;

use unravel_kinds::{Related, Unmodelled, ViolationKind};
use unravel_program::library::sync::{Argument, Class, Effect, Misuse, MutexKind, SyncOp, Then};
use unravel_program::library::{Convention, attributes, codes};
use unravel_program::{Reg, Type};

use super::Args;
use crate::access::{READ, WRITE};
use crate::choice::Pick;
use crate::event::EventKind;
use crate::exec::{Exec, Interrupt, Result};
use crate::machine::Machine;
use crate::memory::Init;
use crate::property::Property;
use crate::state::{OnReturn, Pending, Place, State};
use crate::sync::{Request, SyncObject, Time, applicable};
use crate::value::Value;

/// The object that a static initializer makes, as its bytes say; `None` if they say nothing.
pub(crate) fn static_object(
    machine: &Machine<'_>,
    state: &State,
    class: Class,
    place: Place,
) -> Option<SyncObject> {
    let memory = state.object(place.0)?;
    let bytes = class.footprint();
    if !class.has_static_initializer() || !memory.contains(place.1, bytes) {
        return None;
    }
    if (place.1..place.1 + bytes).any(|at| memory.init_at(at) != Init::Defined) {
        return None;
    }
    let mut object = SyncObject::new(class);
    let target = machine.program.target;
    let kind_at = match class {
        Class::Mutex => Some(codes::mutex_kind_offset(target.pointer_bytes)),
        Class::Rw => Some(codes::rwlock_kind_offset(target.pointer_bytes)),
        _ => None,
    };
    if let Some(at) = kind_at {
        let kind = memory.bytes().get((place.1 + at) as usize).copied().unwrap_or(0);
        object.kind = MutexKind::of(class, u32::from(kind));
    }
    Some(object)
}

impl Exec<'_, '_> {
    /// What a thread before this operation waits for. An address that is no good is no wait: the
    /// step will report it.
    pub fn pending_sync(&mut self, op: SyncOp, args: Args<'_>) -> Result<Pending> {
        let op = self.frame_mut().phase.unwrap_or(op);
        Ok(match self.request(op, args) {
            Ok(request) => Pending::Sync(request),
            Err(Interrupt::Choose(choice)) => return Err(Interrupt::Choose(choice)),
            Err(_) => Pending::Ready,
        })
    }

    fn request(&mut self, op: SyncOp, args: Args<'_>) -> Result<Request> {
        let pointer = self.arg(args, 0);
        let word = self.machine.pointer_bytes();
        let place = self.resolve(pointer, op.class().size(word))?;
        let mutex = if op.argument() == Argument::Mutex {
            let pointer = self.arg(args, Argument::Mutex.position());
            Some(self.resolve(pointer, Class::Mutex.size(word))?)
        } else {
            None
        };
        let argument = self.arg(args, op.argument().position()).bits as u64;
        Ok(Request { op, thread: self.me, place, mutex, argument, time: Time::default() })
    }

    /// Performs the operation, or its second half.
    pub fn sync(
        &mut self,
        op: SyncOp,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> Result<()> {
        let op = self.frame_mut().phase.unwrap_or(op);
        let mut request = self.request(op, args)?;
        request.time = self.time_of(op, args)?;
        // The table may look at the mutex of a wait, so both must be entered.
        self.enter_static(op.class(), request.place);
        if let Some(mutex) = request.mutex {
            self.enter_static(Class::Mutex, mutex);
        }
        let object = self.state.sync.get(&request.place);
        let Some(case) = applicable(self.state, &request, object) else {
            return self.unsupported(Unmodelled::UnknownSyncState);
        };
        self.apply(&case.then, &request, convention, args, result)
    }

    fn enter_static(&mut self, class: Class, place: Place) {
        if self.state.sync.contains_key(&place) {
            return;
        }
        if let Some(object) = static_object(self.machine, self.state, class, place) {
            Arc::make_mut(&mut self.state.sync).insert(place, object);
        }
    }

    fn apply(
        &mut self,
        then: &Then,
        request: &Request,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> Result<()> {
        match *then {
            Then::Return(effects, code) | Then::Spurious(effects, code) => {
                self.complete(effects, code, request, convention, args, result)
            }
            Then::Choice(ways) => {
                let way = &ways[self.pick(ways.len(), Pick::Wakeup)?];
                self.apply(way, request, convention, args, result)
            }
            Then::Enter(effects, next) => {
                self.effects(effects, request, args)?;
                self.record_sync(request, None);
                self.frame_mut().phase = Some(next);
                self.pause()
            }
            Then::CallThenEnter(effects, next) => {
                self.effects(effects, request, args)?;
                self.record_sync(request, None);
                let callee = self.arg(args, request.op.argument().position());
                let Some(callee) = self.machine.function_at(callee) else {
                    return self.violation(ViolationKind::BadCall { creates_thread: false });
                };
                self.push_call(callee, &[], &[], OnReturn::EnterPhase(next))
            }
            Then::Block => self.block(),
            Then::Misuse(misuse, otherwise) => {
                if self.machine.config.properties.has(Property::Misuse) {
                    return self.misuse(misuse, request.place);
                }
                self.apply(otherwise, request, convention, args, result)
            }
        }
    }

    fn block(&mut self) -> Result<()> {
        if self.state.thread(self.me).atomic_depth > 0 {
            return self.unsupported(Unmodelled::WaitInAtomicSection);
        }
        Err(Interrupt::Blocked)
    }

    /// The first half of a waiting operation is done; what follows is another step.
    fn pause(&mut self) -> Result<()> {
        self.block()
    }

    fn complete(
        &mut self,
        effects: &[Effect],
        code: i32,
        request: &Request,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> Result<()> {
        self.effects(effects, request, args)?;
        self.record_sync(request, Some(code));
        let value = self.report_code(convention, code);
        self.finish(result, value);
        Ok(())
    }

    fn record_sync(&mut self, request: &Request, code: Option<i32>) {
        let (object, offset) = request.place;
        let place = Some((object, offset, request.op.class().footprint()));
        self.record(EventKind::Sync(request.op, code), place, None);
    }

    fn misuse<T>(&mut self, what: Misuse, place: Place) -> Result<T> {
        let object = Some(self.describe(place.0, place.1, Class::Mutex.footprint()));
        let holder = self.state.sync.get(&place).and_then(|object| object.owner);
        let related = match holder {
            Some(owner) if owner != self.me => {
                vec![(self.site(), Related::HeldBy { thread: owner.0 })]
            }
            _ => Vec::new(),
        };
        self.violation_with(ViolationKind::Misuse { what, object }, related)
    }

    /// Misuse of a thread handle.
    pub fn thread_misuse<T>(&mut self, what: Misuse) -> Result<T> {
        self.violation(ViolationKind::Misuse { what, object: None })
    }

    fn effects(&mut self, effects: &[Effect], request: &Request, args: Args<'_>) -> Result<()> {
        for &effect in effects {
            self.effect(effect, request, args)?;
        }
        Ok(())
    }

    fn object(&mut self, place: Place) -> &mut SyncObject {
        let class = Class::Mutex;
        Arc::make_mut(&mut self.state.sync).entry(place).or_insert_with(|| SyncObject::new(class))
    }

    fn effect(&mut self, effect: Effect, request: &Request, args: Args<'_>) -> Result<()> {
        let (me, place) = (self.me, request.place);
        match effect {
            Effect::Initialize => return self.initialize(request, args),
            Effect::Destroy => self.object(place).destroyed = true,
            Effect::Acquire => self.acquire(place, true),
            Effect::Relock => self.object(place).count += 1,
            Effect::Unrelock => self.object(place).count -= 1,
            Effect::Release => self.release(place),
            Effect::AddReader => {
                self.acquire_clock(place, false);
                let object = self.object(place);
                object.readers.push(me);
                object.readers.sort();
            }
            Effect::RemoveReader => self.remove_reader(place),
            Effect::Decrement => {
                self.acquire_clock(place, false);
                self.object(place).value -= 1;
            }
            Effect::Increment => {
                self.release_clock(place);
                self.object(place).value += 1;
            }
            Effect::ReportValue => return self.report_value(request, args),
            Effect::Enqueue => {
                let object = self.object(place);
                object.waiting.push(me);
                object.mutex = request.mutex;
            }
            Effect::Dequeue => {
                let object = self.object(place);
                object.waiting.retain(|&thread| thread != me);
                object.released.retain(|&thread| thread != me);
                object.forget_mutex();
            }
            Effect::ReleaseWaitMutex => self.release_wait_mutex(request),
            Effect::AcquireWaitMutex => self.acquire_wait_mutex(request),
            Effect::WakeOne => return self.wake_one(place),
            Effect::WakeAll => {
                let object = self.object(place);
                let mut waiting = std::mem::take(&mut object.waiting);
                object.released.append(&mut waiting);
                object.released.sort();
                object.forget_mutex();
            }
            Effect::Arrive => {
                self.release_clock(place);
                self.object(place).waiting.push(me);
            }
            Effect::OpenBarrier => self.open_barrier(place),
            Effect::Pass => {
                self.acquire_clock(place, false);
                self.object(place).released.retain(|&thread| thread != me);
            }
            Effect::BeginOnce => {
                let object = self.object(place);
                (object.value, object.owner) = (1, Some(me));
            }
            Effect::FinishOnce => {
                self.release_clock(place);
                let object = self.object(place);
                (object.value, object.owner) = (2, None);
            }
            Effect::Synchronize => self.acquire_clock(place, false),
        }
        Ok(())
    }

    fn initialize(&mut self, request: &Request, args: Args<'_>) -> Result<()> {
        let class = request.op.class();
        let mut object = SyncObject::new(class);
        match request.op.argument() {
            Argument::KindFlags => object.kind = MutexKind::of_flags(request.argument as u32),
            Argument::Count => object.value = request.argument as u32,
            _ => {}
        }
        if let Some(tag) = request.op.attribute().filter(|_| args.len() > 1)
            && let Some(number) = self.attribute(args, tag)?
        {
            object.kind = MutexKind::of(class, u32::from(number));
        }
        let (id, offset) = request.place;
        let pointer_bytes = self.machine.pointer_bytes();
        // The memory now holds something: reading it as data gives no input.
        if let Some(memory) = self.state.object_mut(id) {
            for at in offset..offset + class.footprint() {
                memory.write_byte(at, 0, Init::Defined, pointer_bytes);
            }
        }
        Arc::make_mut(&mut self.state.sync).insert(request.place, object);
        self.accessed(id, offset, class.footprint(), WRITE);
        Ok(())
    }

    /// The setting in the attribute object that a call is given as its second argument; `None` if it
    /// is given none, or one that cannot be used and misuse is not checked.
    pub fn attribute(&mut self, args: Args<'_>, wanted: u8) -> Result<Option<u8>> {
        let pointer = self.arg(args, 1);
        if pointer.is_defined() && pointer.bits == 0 {
            return Ok(None);
        }
        self.read_attribute(pointer, wanted)
    }

    fn read_attribute(&mut self, pointer: Value, wanted: u8) -> Result<Option<u8>> {
        let place = self.resolve(pointer, attributes::BYTES)?;
        let byte = |exec: &Self, at: u64| {
            let object = exec.state.object(place.0)?;
            let known = object.init_at(place.1 + at) == Init::Defined;
            object.bytes().get((place.1 + at) as usize).copied().filter(|_| known)
        };
        let (tag, setting) = (byte(self, attributes::TAG_AT), byte(self, attributes::SETTING_AT));
        self.accessed(place.0, place.1, attributes::BYTES, READ);
        self.record_access(EventKind::Read, place.0, place.1, attributes::BYTES, None);
        if tag == Some(wanted) {
            return Ok(Some(setting.unwrap_or(0)));
        }
        if self.machine.config.properties.has(Property::Misuse) {
            let destroyed = tag == Some(attributes::DESTROYED);
            let what = if destroyed { Misuse::AfterDestroy } else { Misuse::Uninitialized };
            return self.misuse(what, place);
        }
        Ok(None)
    }

    /// Whether an attribute object is none that a model (`threads.c`) can use; where that is checked, it
    /// is a misuse.
    pub fn attribute_refuses(&mut self, args: Args<'_>) -> Result<Value> {
        let pointer = self.arg(args, 0);
        let wanted = self.number(args, 1)? as u8;
        let setting = self.read_attribute(pointer, wanted)?;
        Ok(setting.is_none().into())
    }

    /// Reads the time that a timed operation is given.
    fn time_of(&mut self, op: SyncOp, args: Args<'_>) -> Result<Time> {
        if !op.is_timed() {
            return Ok(Time::default());
        }
        let word = self.machine.pointer_bytes();
        let pointer = self.arg(args, args.len().saturating_sub(1));
        let (id, offset) = self.resolve(pointer, 2 * word)?;
        let ty = Type::Int(self.width(Type::Ptr));
        self.read(id, offset, ty, READ)?;
        let nanoseconds = self.read(id, offset + word, ty, READ)?;
        let nanoseconds = self.force(nanoseconds, self.width(ty))?;
        // As an unsigned number, a negative one is large.
        let bad_time = nanoseconds.bits >= u128::from(codes::NANOSECONDS);
        let mut time = Time { bad_time, ..Time::default() };
        if let Some(at) = op.clock_position(args.len()) {
            time.bad_clock = self.number(args, at)? as u32 > codes::CLOCK_MONOTONIC;
        }
        Ok(time)
    }

    /// Becomes the owner.
    fn acquire(&mut self, place: Place, with_readers: bool) {
        let me = self.me;
        self.acquire_clock(place, with_readers);
        let object = self.object(place);
        (object.owner, object.count) = (Some(me), 1);
    }

    fn release(&mut self, place: Place) {
        self.release_clock(place);
        let object = self.object(place);
        (object.owner, object.count) = (None, 0);
    }

    fn acquire_clock(&mut self, place: Place, with_readers: bool) {
        if self.state.races.is_none() {
            return;
        }
        let me = self.me;
        let object = self.object(place);
        let (clock, readers) = (object.clock.clone(), object.reader_clock.clone());
        if let Some(races) = self.races() {
            races.acquire(me, &clock);
            if with_readers {
                races.acquire(me, &readers);
            }
        }
    }

    fn release_clock(&mut self, place: Place) {
        let me = self.me;
        if let Some(clock) = self.races().map(|races| races.release(me)) {
            self.object(place).clock.join(&clock);
        }
    }

    fn remove_reader(&mut self, place: Place) {
        let me = self.me;
        if let Some(clock) = self.races().map(|races| races.release(me)) {
            self.object(place).reader_clock.join(&clock);
        }
        let object = self.object(place);
        if let Some(index) = object.readers.iter().position(|&reader| reader == me) {
            object.readers.remove(index);
        }
    }

    fn release_wait_mutex(&mut self, request: &Request) {
        let Some(mutex) = request.mutex else { return };
        if self.object(mutex).count > 1 {
            self.object(mutex).count -= 1;
        } else {
            self.release(mutex);
        }
    }

    fn acquire_wait_mutex(&mut self, request: &Request) {
        let Some(mutex) = request.mutex else { return };
        let me = self.me;
        if self.object(mutex).owner == Some(me) {
            self.object(mutex).count += 1;
        } else {
            self.acquire(mutex, false);
        }
    }

    fn wake_one(&mut self, place: Place) -> Result<()> {
        let mut waiting = self.object(place).waiting.clone();
        waiting.sort();
        if waiting.is_empty() {
            return Ok(());
        }
        let woken = waiting[self.pick(waiting.len(), Pick::Waiter)?];
        let object = self.object(place);
        object.waiting.retain(|&thread| thread != woken);
        object.released.push(woken);
        object.released.sort();
        object.forget_mutex();
        Ok(())
    }

    fn open_barrier(&mut self, place: Place) {
        self.release_clock(place);
        self.acquire_clock(place, false);
        let object = self.object(place);
        let mut arrived = std::mem::take(&mut object.waiting);
        object.released.append(&mut arrived);
        object.released.sort();
    }

    fn report_value(&mut self, request: &Request, args: Args<'_>) -> Result<()> {
        let value = Value::int(u128::from(self.object(request.place).value));
        let pointer = self.arg(args, request.op.argument().position());
        let (id, offset) = self.resolve(pointer, 4)?;
        self.write(id, offset, Type::Int(32), value, WRITE, EventKind::Write)
    }
}
