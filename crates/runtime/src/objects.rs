//! The state of synchronization objects, by address, and the operations carried out on it.
//!
//! What an operation does stands in `unravel_sync`: the same table that the interpreter and the
//! symbolic engine read. Here it is evaluated on the objects of the running program.

use unravel_sync::codes::{mutex_kind_offset, rwlock_kind_offset};
use unravel_sync::{Class, Cond, Effect, MutexKind, SyncOp, Then, codes};

use crate::scheduler::Scheduler;
use crate::thread::{Id, Status, Thread};

/// So many readers of one lock are known.
const MOST_READERS: usize = 64;

/// An object.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Object {
    /// Its address; 0 where the table has none.
    address: usize,
    class: Class,
    destroyed: bool,
    kind: MutexKind,
    /// The thread that holds it, as a number from 1; 0 for none.
    owner: u16,
    count: u32,
    /// The readers, as numbers from 1; a thread that reads twice stands here twice.
    readers: [u16; MOST_READERS],
    /// Semaphore: its value. Barrier: how many it wants. Once: 0 not begun, 1 running, 2 done.
    value: u32,
    /// Condition variable: the mutex of those who wait.
    mutex: usize,
}

impl Object {
    const NONE: Object = Object {
        address: 0,
        class: Class::Mutex,
        destroyed: false,
        kind: MutexKind::Normal,
        owner: 0,
        count: 0,
        readers: [0; MOST_READERS],
        value: 0,
        mutex: 0,
    };

    fn new(address: usize, class: Class) -> Object {
        Object { address, class, ..Object::NONE }
    }

    /// Who holds it.
    #[must_use]
    pub fn holder(&self) -> Option<Id> {
        let reader = self.readers.iter().copied().find(|&it| it != 0);
        self.owner.checked_sub(1).or(reader.map(|it| it - 1))
    }

    fn is_held_by(&self, thread: Id) -> bool {
        self.owner == thread + 1
    }

    fn is_read(&self) -> bool {
        self.readers.iter().any(|&it| it != 0)
    }

    fn available_to(&self, thread: Id) -> bool {
        self.owner == 0 || self.is_held_by(thread) && self.kind == MutexKind::Recursive
    }

    fn change_reader(&mut self, from: u16, to: u16) -> bool {
        let place = self.readers.iter_mut().find(|it| **it == from);
        place.map(|it| *it = to).is_some()
    }
}

const SLOTS: usize = 1 << 14;
const PAGE: usize = 12;
const PAGES: usize = 1 << 12;

/// All objects that the program has used. All zeros is an empty table.
#[derive(Debug)]
pub struct Objects {
    /// An open hash table by address.
    slots: [Object; SLOTS],
    used: usize,
    /// How many lie in pages whose number has this remainder.
    pages: [u16; PAGES],
}

/// An operation about to be performed.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The operation.
    pub op: SyncOp,
    /// The thread that performs it.
    pub me: Id,
    /// The object's address.
    pub object: usize,
    /// The address of a wait's mutex, or 0.
    pub mutex: usize,
    /// The number that `SyncOp::argument` names.
    pub argument: u64,
    /// The time that it is given is none.
    pub bad_time: bool,
    /// The clock that it is given cannot be used.
    pub bad_clock: bool,
    /// The kind that the object is initialized as.
    pub kind: MutexKind,
}

/// The program uses more objects, or a lock has more readers, than the runtime can know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl Objects {
    fn slot(&self, address: usize) -> usize {
        let mut at = (address >> 2).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - 14);
        while self.slots[at].address != 0 && self.slots[at].address != address {
            at = (at + 1) % SLOTS;
        }
        at
    }

    /// The object at an address, if it is known.
    #[must_use]
    pub fn get(&self, address: usize) -> Option<&Object> {
        Some(&self.slots[self.slot(address)]).filter(|it| it.address != 0)
    }

    fn put(&mut self, object: Object) -> Result<&mut Object, TooMany> {
        let at = self.slot(object.address);
        if self.slots[at].address == 0 {
            if self.used * 2 >= SLOTS {
                return Err(TooMany);
            }
            self.used += 1;
            self.pages[(object.address >> PAGE) % PAGES] += 1;
        }
        self.slots[at] = object;
        Ok(&mut self.slots[at])
    }

    /// The memory from one address to another holds no objects any more. The cost is that of a
    /// look at each page that has none.
    pub fn forget(&mut self, from: usize, to: usize) {
        let mut page = from >> PAGE;
        while self.used > 0 && page << PAGE < to {
            if self.pages[page % PAGES] != 0 {
                let first = from.max(page << PAGE).next_multiple_of(4);
                let last = to.min((page + 1) << PAGE);
                (first..last).step_by(4).for_each(|address| self.forget_one(address));
            }
            page += 1;
        }
    }

    fn forget_one(&mut self, address: usize) {
        let mut hole = self.slot(address);
        if self.slots[hole].address == 0 {
            return;
        }
        self.slots[hole] = Object::NONE;
        self.used -= 1;
        self.pages[(address >> PAGE) % PAGES] -= 1;
        // Those that stand behind it because of it move up.
        let mut at = (hole + 1) % SLOTS;
        while self.slots[at].address != 0 {
            let object = self.slots[at];
            self.slots[at] = Object::NONE;
            hole = self.slot(object.address);
            self.slots[hole] = object;
            at = (at + 1) % SLOTS;
        }
    }

    /// What the operation does now. An object that its static initializer made is entered first.
    ///
    /// # Errors
    /// There are too many objects.
    pub fn decide(&mut self, all: &Scheduler, request: &Request) -> Result<Then, TooMany> {
        self.enter(request.op.class(), request.object)?;
        if request.mutex != 0 {
            self.enter(Class::Mutex, request.mutex)?;
        }
        let holds = |cond: &Cond| self.holds(all, request, *cond);
        let cases = request.op.cases();
        let case = cases.iter().find(|case| case.when.iter().all(holds));
        Ok(case.map_or(Then::Block, |case| case.then))
    }

    /// Enters an object that its static initializer made.
    fn enter(&mut self, class: Class, address: usize) -> Result<(), TooMany> {
        if self.get(address).is_some() || !class.has_static_initializer() {
            return Ok(());
        }
        let mut object = Object::new(address, class);
        let offset = match class {
            Class::Mutex => Some(mutex_kind_offset(8)),
            Class::Rw => Some(rwlock_kind_offset(8)),
            _ => None,
        };
        if let Some(offset) = offset {
            // SAFETY: the program passes the address as that of such an object, which has its kind
            // at this offset; if it is none, the real function would read it, too.
            let number = unsafe { ((address + offset as usize) as *const u32).read_unaligned() };
            object.kind = MutexKind::of(class, number & 3);
        }
        self.put(object).map(drop)
    }

    fn holds(&self, all: &Scheduler, request: &Request, cond: Cond) -> bool {
        let me = request.me;
        match cond {
            Cond::ArgumentZero => return request.argument as u32 == 0,
            Cond::ValueTooLarge => return request.argument as u32 > codes::SEM_VALUE_MAX,
            Cond::ClockInvalid => return request.bad_clock,
            Cond::TimeInvalid => return request.bad_time,
            _ => {}
        }
        let Some(object) = self.get(request.object) else { return cond == Cond::Uninitialized };
        let mutex = || self.get(request.mutex);
        match cond {
            Cond::Uninitialized => object.class != request.op.class(),
            Cond::Destroyed => object.destroyed,
            Cond::Free => object.owner == 0 && !object.is_read(),
            Cond::HeldBySelf => object.is_held_by(me),
            Cond::HeldByOther => object.owner != 0 && !object.is_held_by(me),
            Cond::HeldTwice => object.count > 1,
            Cond::Kind(kind) => object.kind == kind,
            Cond::ReadBySelf => object.readers.contains(&(me + 1)),
            Cond::InUse => object.owner != 0 || object.is_read(),
            Cond::Read => object.is_read(),
            Cond::Positive => object.value > 0,
            Cond::Full => object.value >= codes::SEM_VALUE_MAX,
            Cond::WriterWaits => waiting(all, request.object).next().is_some(),
            Cond::HasWaiters => has_waiters(all, request),
            Cond::Signaled | Cond::Released => all.threads[usize::from(me)].released,
            Cond::Leaving => waiting(all, request.object).any(|it| it.released),
            Cond::WaitMutexNotHeld => mutex().is_none_or(|it| !it.is_held_by(me)),
            Cond::WaitMutexChecks => mutex().is_some_and(|it| it.kind == MutexKind::ErrorCheck),
            Cond::WaitMutexAvailable => mutex().is_none_or(|it| it.available_to(me)),
            Cond::OtherMutexWaits => {
                object.mutex != request.mutex && waiting(all, request.object).next().is_some()
            }
            Cond::LastToArrive => {
                let arrived = waiting(all, request.object).filter(|it| !it.released).count();
                arrived + 1 >= object.value as usize
            }
            Cond::OnceDone => object.value == 2,
            Cond::OnceRunning => object.value == 1,
            Cond::ArgumentZero | Cond::ValueTooLarge | Cond::ClockInvalid | Cond::TimeInvalid => {
                false
            }
        }
    }

    /// Carries out a change. Who waits for the object looks again.
    ///
    /// # Errors
    /// There are too many objects or readers.
    pub fn apply(
        &mut self,
        all: &mut Scheduler,
        request: &Request,
        effect: Effect,
    ) -> Result<(), TooMany> {
        let me = request.me;
        match effect {
            Effect::Initialize => self.initialize(request)?,
            Effect::ReleaseWaitMutex => self.release(request.mutex, me),
            Effect::AcquireWaitMutex => self.acquire(request.mutex, me),
            Effect::Enqueue | Effect::Arrive => self.enqueue(all, request),
            Effect::Dequeue | Effect::Pass => {
                let thread = all.thread(me);
                (thread.released, thread.queued_at) = (false, 0);
            }
            Effect::WakeAll | Effect::OpenBarrier => release_waiters(all, request.object),
            // Who it is was decided before; see `token::signal`.
            Effect::WakeOne | Effect::ReportValue | Effect::Synchronize => {}
            _ => self.change(request, effect)?,
        }
        all.changed();
        all.wake_at(request.object);
        if request.mutex != 0 {
            all.wake_at(request.mutex);
        }
        Ok(())
    }

    fn initialize(&mut self, request: &Request) -> Result<(), TooMany> {
        let class = request.op.class();
        let mut object = Object::new(request.object, class);
        object.kind = request.kind;
        object.value = match class {
            Class::Sem | Class::Barrier => request.argument as u32,
            _ => 0,
        };
        self.put(object).map(drop)
    }

    fn enqueue(&mut self, all: &mut Scheduler, request: &Request) {
        let arrival = all.events;
        let thread = all.thread(request.me);
        (thread.released, thread.queued_at, thread.arrival) = (false, request.object, arrival);
        let at = self.slot(request.object);
        self.slots[at].mutex = request.mutex;
    }

    fn acquire(&mut self, address: usize, me: Id) {
        let at = self.slot(address);
        let mutex = &mut self.slots[at];
        mutex.count = if mutex.is_held_by(me) { mutex.count + 1 } else { 1 };
        mutex.owner = me + 1;
    }

    fn release(&mut self, address: usize, me: Id) {
        let at = self.slot(address);
        let mutex = &mut self.slots[at];
        if mutex.is_held_by(me) && mutex.count > 1 {
            mutex.count -= 1;
        } else {
            (mutex.owner, mutex.count) = (0, 0);
        }
    }

    fn change(&mut self, request: &Request, effect: Effect) -> Result<(), TooMany> {
        let at = self.slot(request.object);
        let object = &mut self.slots[at];
        let mine = request.me + 1;
        match effect {
            Effect::Destroy => object.destroyed = true,
            Effect::Acquire => (object.owner, object.count) = (mine, 1),
            Effect::Relock => object.count += 1,
            Effect::Unrelock => object.count -= 1,
            Effect::Release => (object.owner, object.count) = (0, 0),
            Effect::AddReader => return object.change_reader(0, mine).then_some(()).ok_or(TooMany),
            Effect::RemoveReader => drop(object.change_reader(mine, 0)),
            Effect::Decrement => object.value = object.value.saturating_sub(1),
            Effect::Increment => object.value += 1,
            Effect::BeginOnce => object.value = 1,
            Effect::FinishOnce => object.value = 2,
            _ => {}
        }
        Ok(())
    }

    /// The value of a semaphore.
    #[must_use]
    pub fn value(&self, address: usize) -> u32 {
        self.get(address).map_or(0, |it| it.value)
    }
}

/// Who waits at a semaphore is not queued: it looks again whenever the value changes.
fn has_waiters(all: &Scheduler, request: &Request) -> bool {
    let waits = |it: &Thread| match it.status {
        Status::Waiting(wait) => it.id != request.me && wait.on.is_at(request.object),
        _ => false,
    };
    let mut threads = all.threads[..all.count].iter();
    unsignaled(all, request.object).next().is_some()
        || request.op.class() == Class::Sem && threads.any(waits)
}

/// Threads in the second half of a wait at an object: whether they look for the mutex already or
/// not.
fn waiting(all: &Scheduler, address: usize) -> impl Iterator<Item = &Thread> {
    all.threads[..all.count].iter().filter(move |it| it.queued_at == address)
}

/// Who waits at an object without a signal, in the order of arrival if counted so.
pub fn unsignaled(all: &Scheduler, address: usize) -> impl Iterator<Item = &Thread> {
    waiting(all, address).filter(|it| !it.released)
}

fn release_waiters(all: &mut Scheduler, address: usize) {
    for thread in &mut all.threads[..all.count] {
        thread.released |= thread.queued_at == address;
    }
}
