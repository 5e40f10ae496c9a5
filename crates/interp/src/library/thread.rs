//! Threads: create, join, end, and their own data.

use std::collections::BTreeMap;
use std::sync::Arc;

use unravel_kinds::{Cut, Unmodelled, ViolationKind};
use unravel_program::library::sync::Misuse;
use unravel_program::library::{Convention, Thread as Action, attributes, codes};
use unravel_program::{FunctionId, Reg, Type};

use super::Args;
use crate::access::WRITE;
use crate::choice::Pick;
use crate::event::EventKind;
use crate::exec::{Exec, Interrupt, Result};
use crate::property::Property;
use crate::state::{Destructed, OnReturn, Pending, Status, Thread, ThreadId};
use crate::value::Value;

/// `pthread_t` of thread 0; odd, so that no program takes it for an address.
const FIRST_HANDLE: u64 = 0x7001;

fn handle(number: u32) -> Value {
    Value::int(u128::from(FIRST_HANDLE + 2 * u64::from(number)))
}

impl Exec<'_, '_> {
    /// The thread that a handle names: the last one that got it.
    fn named_thread(&self, value: Value) -> Option<ThreadId> {
        let number = value.address().checked_sub(FIRST_HANDLE)?;
        let number = u32::try_from(number / 2).ok().filter(|_| number.is_multiple_of(2))?;
        let index = self.state.threads.iter().rposition(|thread| thread.handle == number)?;
        let index = u32::try_from(index).ok()?;
        value.is_defined().then_some(ThreadId(index))
    }

    /// What the id of a new thread is made of. Where the program could tell, it may be that of a
    /// thread that is gone and that nobody can join any more (POSIX 2.9.2).
    fn new_handle(&mut self, thread: ThreadId) -> Result<u32> {
        if !self.machine.reuses_ids {
            return Ok(thread.0);
        }
        let mut free: Vec<u32> = Vec::new();
        for other in &self.state.threads {
            let gone = other.detached && other.status == Status::Ended;
            free.retain(|&it| it != other.handle);
            free.extend(gone.then_some(other.handle));
        }
        if free.is_empty() {
            return Ok(thread.0);
        }
        let pick = self.pick(free.len() + 1, Pick::ThreadIdentity)?;
        Ok(pick.checked_sub(1).and_then(|at| free.get(at).copied()).unwrap_or(thread.0))
    }

    pub fn pending_join(&mut self, action: Action, args: Args<'_>) -> Result<Pending> {
        if !matches!(action, Action::Join | Action::JoinC11) {
            return Ok(Pending::Ready);
        }
        let value = self.arg(args, 0);
        Ok(match self.named_thread(value) {
            // A join that is refused does not wait.
            Some(target) if target != self.me && !self.state.thread(target).detached => {
                Pending::Join(target)
            }
            _ => Pending::Ready,
        })
    }

    pub fn is_visible_thread(&mut self, action: Action) -> bool {
        match action {
            Action::Create | Action::CreateC11 | Action::Join | Action::JoinC11 => true,
            // Another thread may make or delete the key.
            Action::Detach | Action::KeyCreate | Action::KeyDelete | Action::KeySet => true,
            Action::Exit => self.end_is_visible(true),
            Action::KeyGet => self.machine.deletes_keys,
            Action::Current | Action::Equal => false,
        }
    }

    pub fn thread_function(
        &mut self,
        action: Action,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> Result<()> {
        let code = match action {
            Action::Create | Action::CreateC11 => {
                return self.create(action, convention, args, result);
            }
            Action::Exit => return self.exit_thread(args),
            Action::Current => {
                let mine = self.state.thread(self.me).handle;
                return self.answer(result, handle(mine));
            }
            Action::Equal => {
                let equal = self.number(args, 0)? == self.number(args, 1)?;
                return self.answer(result, equal.into());
            }
            Action::KeyGet => {
                let key = self.number(args, 0)? as u32;
                self.refuse_deleted(key)?;
                let value = self.state.thread(self.me).specific.get(&key).copied();
                return self.answer(result, value.unwrap_or(Value::ZERO));
            }
            Action::Join | Action::JoinC11 => self.join(action, args)?,
            Action::Detach => self.detach(args)?,
            Action::KeyCreate => self.create_key(args)?,
            Action::KeyDelete => self.delete_key(args)?,
            Action::KeySet => self.set_key(args)?,
        };
        let value = self.report_code(convention, code);
        self.answer(result, value)
    }

    fn answer(&mut self, result: Option<Reg>, value: Value) -> Result<()> {
        self.finish(result, value);
        Ok(())
    }

    /// The new thread exists, and does its local work up to its first visible operation: all in one
    /// step. Its handle is stored in another, if others can see that: POSIX does not say that it is
    /// there before the thread runs.
    fn create(
        &mut self,
        action: Action,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> Result<()> {
        let created = match self.state.thread(self.me).creating {
            Some(created) => created,
            None => {
                let created = self.start(action, args)?;
                self.state.thread_mut(self.me).creating = Some(created);
                self.frame_mut().progress = 1;
                self.run_new_thread(created)?;
                let place = self.arg(args, 0).provenance;
                self.pause_if_shared(place.as_slice())?;
                created
            }
        };
        self.state.thread_mut(self.me).creating = None;
        let number = self.state.thread(created).handle;
        self.write_handle(number, args)?;
        let value = self.report_code(convention, 0);
        self.finish(result, value);
        Ok(())
    }

    /// A new thread.
    fn start(&mut self, action: Action, args: Args<'_>) -> Result<ThreadId> {
        let c11 = action == Action::CreateC11;
        let (start, arg) = if c11 { (1, 2) } else { (2, 3) };
        let callee = self.arg(args, start);
        let Some(function) = self.machine.function_at(callee) else {
            return self.violation(ViolationKind::BadCall { creates_thread: true });
        };
        if self.state.threads.len() >= self.machine.config.max_threads {
            let limit = self.machine.config.max_threads as u64;
            return self.bound(Cut::Threads { limit });
        }
        let argument = self.arg(args, arg);
        if let Some(object) = argument.provenance {
            self.state.share(object);
        }
        let detached = !c11 && self.creates_detached(args)?;
        let id = ThreadId(u32::try_from(self.state.threads.len()).unwrap_or(u32::MAX));
        let number = self.new_handle(id)?;
        let frame = self.machine.frame(function, &[argument], Vec::new(), OnReturn::EndThread);
        self.state.threads.push(Arc::new(Thread {
            frames: vec![frame],
            status: Status::Running,
            created_at: self.site(),
            start: function,
            result: Value::ZERO,
            detached,
            c11,
            handle: number,
            destructed: Destructed::default(),
            specific: BTreeMap::new(),
            locals: BTreeMap::new(),
            errno: None,
            creating: None,
            atomic_depth: 0,
            pending: Pending::Ready,
        }));
        let me = self.me;
        if let Some(races) = self.races() {
            races.add_thread(Some(me));
        }
        self.record(EventKind::Create(id), None, None);
        Ok(id)
    }

    fn write_handle(&mut self, number: u32, args: Args<'_>) -> Result<()> {
        let pointer = self.arg(args, 0);
        let bytes = self.machine.pointer_bytes();
        let (object, offset) = self.resolve(pointer, bytes)?;
        self.write(object, offset, Type::Ptr, handle(number), WRITE, EventKind::Write)
    }

    fn creates_detached(&mut self, args: Args<'_>) -> Result<bool> {
        let setting = self.attribute(args, attributes::THREAD)?;
        Ok(setting.is_some_and(|it| u32::from(it) == codes::CREATE_DETACHED))
    }

    fn join(&mut self, action: Action, args: Args<'_>) -> Result<i32> {
        let value = self.arg(args, 0);
        let Some(target) = self.named_thread(value) else {
            if self.machine.config.properties.has(Property::Misuse) {
                return self.thread_misuse(Misuse::JoinTwice);
            }
            // POSIX leaves it undefined, and glibc may well crash.
            return self.unsupported(Unmodelled::JoinOfNoThread);
        };
        if target == self.me {
            if self.machine.config.properties.has(Property::Misuse) {
                return self.thread_misuse(Misuse::JoinSelf);
            }
            return Ok(codes::EDEADLK);
        }
        if self.state.thread(target).detached {
            if self.machine.config.properties.has(Property::Misuse) {
                return self.thread_misuse(Misuse::JoinTwice);
            }
            return Ok(codes::EINVAL);
        }
        if self.state.thread(target).status != Status::Ended {
            return Err(Interrupt::Blocked);
        }
        self.state.thread_mut(target).detached = true;
        let me = self.me;
        if let Some(races) = self.races() {
            let clock = races.clock(target).clone();
            races.acquire(me, &clock);
        }
        self.record(EventKind::Join(target), None, None);
        self.write_result(action, target, args)?;
        Ok(0)
    }

    fn write_result(&mut self, action: Action, target: ThreadId, args: Args<'_>) -> Result<()> {
        let pointer = self.arg(args, 1);
        if pointer.is_defined() && pointer.bits == 0 {
            return Ok(());
        }
        let ty = if action == Action::JoinC11 { Type::Int(32) } else { Type::Ptr };
        let result = self.state.thread(target).result;
        let (object, offset) = self.resolve(pointer, ty.bytes(self.machine.program.target))?;
        self.write(object, offset, ty, result, WRITE, EventKind::Write)
    }

    fn detach(&mut self, args: Args<'_>) -> Result<i32> {
        let value = self.arg(args, 0);
        let target = self.named_thread(value);
        let again = target.is_none_or(|target| self.state.thread(target).detached);
        if again && self.machine.config.properties.has(Property::Misuse) {
            return self.thread_misuse(Misuse::DetachTwice);
        }
        let Some(target) = target else { return Ok(codes::ESRCH) };
        self.state.thread_mut(target).detached = true;
        Ok(0)
    }

    fn exit_thread(&mut self, args: Args<'_>) -> Result<()> {
        let value = self.arg(args, 0);
        let frames = std::mem::take(&mut self.state.thread_mut(self.me).frames);
        for object in frames.iter().flat_map(|frame| &frame.objects) {
            self.state.remove(*object);
        }
        self.end_thread(value)
    }

    /// Ends the thread, after the destructors of its data.
    pub fn end_thread(&mut self, result: Value) -> Result<()> {
        self.state.thread_mut(self.me).result = result;
        if let Some((destructor, value)) = self.next_destructor()? {
            let frame = self.machine.frame(destructor, &[value], vec![], OnReturn::NextDestructor);
            self.state.thread_mut(self.me).frames.push(frame);
            return Ok(());
        }
        if let Some(object) = result.provenance {
            self.state.share(object);
        }
        self.record(EventKind::End, None, None);
        let thread = self.state.thread_mut(self.me);
        thread.status = Status::Ended;
        thread.pending = Pending::Ready;
        thread.specific.clear();
        let mut gone: Vec<_> = std::mem::take(&mut thread.locals).into_values().collect();
        gone.extend(thread.errno.take());
        for object in gone {
            self.state.remove(object);
        }
        Ok(())
    }

    /// A key of this thread with a value and a destructor, in any order; its value is taken away
    /// first, as POSIX says. A round calls each destructor once; after so many of them what is left
    /// stays, as in glibc.
    fn next_destructor(&mut self) -> Result<Option<(FunctionId, Value)>> {
        let specific = &self.state.thread(self.me).specific;
        let mut due: Vec<(u32, FunctionId, Value)> = specific
            .iter()
            .filter_map(|(&key, &value)| {
                let destructor = self.state.keys.get(key as usize).copied().flatten()?;
                let function = self.machine.function_at(destructor)?;
                (value.bits != 0).then_some((key, function, value))
            })
            .collect();
        if due.is_empty() {
            return Ok(None);
        }
        let mut destructed = self.state.thread(self.me).destructed.clone();
        if due.iter().all(|(key, ..)| destructed.keys.contains(key)) {
            destructed = Destructed { round: destructed.round + 1, ..Destructed::default() };
        }
        if destructed.round >= codes::DESTRUCTOR_ITERATIONS {
            return Ok(None);
        }
        due.retain(|(key, ..)| !destructed.keys.contains(key));
        let (key, function, value) = due[self.pick(due.len(), Pick::Destructor)?];
        destructed.keys.insert(key);
        let thread = self.state.thread_mut(self.me);
        thread.specific.remove(&key);
        thread.destructed = destructed;
        Ok(Some((function, value)))
    }

    fn create_key(&mut self, args: Args<'_>) -> Result<i32> {
        let destructor = self.arg(args, 1);
        if self.state.keys.iter().flatten().count() >= codes::KEYS_MAX {
            return Ok(codes::EAGAIN);
        }
        let key = u32::try_from(self.state.keys.len()).unwrap_or(u32::MAX);
        self.state.keys.push(Some(destructor));
        let pointer = self.arg(args, 0);
        let (object, offset) = self.resolve(pointer, 4)?;
        let value = Value::int(u128::from(key));
        self.write(object, offset, Type::Int(32), value, WRITE, EventKind::Write)?;
        Ok(0)
    }

    /// POSIX leaves open what becomes of a key after its deletion; a number that never was a key is
    /// refused with a code, as in glibc.
    fn refuse_deleted(&mut self, key: u32) -> Result<()> {
        let deleted = matches!(self.state.keys.get(key as usize), Some(None));
        if deleted && self.machine.config.properties.has(Property::Misuse) {
            return self.thread_misuse(Misuse::DeletedKey);
        }
        Ok(())
    }

    fn delete_key(&mut self, args: Args<'_>) -> Result<i32> {
        let key = self.number(args, 0)? as u32;
        self.refuse_deleted(key)?;
        match self.state.keys.get_mut(key as usize) {
            Some(slot @ Some(_)) => {
                *slot = None;
                Ok(0)
            }
            _ => Ok(codes::EINVAL),
        }
    }

    fn set_key(&mut self, args: Args<'_>) -> Result<i32> {
        let key = self.number(args, 0)? as u32;
        self.refuse_deleted(key)?;
        if self.state.keys.get(key as usize).copied().flatten().is_none() {
            return Ok(codes::EINVAL);
        }
        let value = self.arg(args, 1);
        self.state.thread_mut(self.me).specific.insert(key, value);
        Ok(0)
    }
}
