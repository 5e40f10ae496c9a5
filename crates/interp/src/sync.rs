//! The state of synchronization objects, and the library model's tables evaluated on it.

use unravel_program::library::sync::{Case, Class, Cond, Deed, MutexKind, SyncOp};

use crate::race::VectorClock;
use crate::state::{Place, State, ThreadId};

/// A synchronization object. One struct serves all classes; a class uses the fields it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncObject {
    /// What it is.
    pub class: Class,
    /// It was destroyed.
    pub destroyed: bool,
    /// Kind of mutex or read-write lock.
    pub kind: MutexKind,
    /// Who holds it: a mutex, a spin lock, the writer of a read-write lock.
    pub owner: Option<ThreadId>,
    /// How often the owner holds it.
    pub count: u32,
    /// Readers, sorted; one entry per lock held.
    pub readers: Vec<ThreadId>,
    /// Semaphore: its value. Barrier: how many it wants. Once: 0 not begun, 1 running, 2 done.
    pub value: u32,
    /// Condition variable: waiting without a signal. Barrier: arrived. Read-write lock that prefers
    /// writers: writers for whom readers are held back.
    pub waiting: Vec<ThreadId>,
    /// Condition variable: signaled and not yet awake. Barrier: released and not yet gone on.
    pub released: Vec<ThreadId>,
    /// Condition variable: the mutex of those who wait.
    pub mutex: Option<Place>,
    /// Clock that the next to acquire joins, where races are checked.
    pub clock: VectorClock,
    /// The same for readers' unlocks, which only a writer joins.
    pub reader_clock: VectorClock,
}

impl SyncObject {
    /// A fresh object.
    #[must_use]
    pub fn new(class: Class) -> SyncObject {
        SyncObject {
            class,
            destroyed: false,
            kind: MutexKind::Normal,
            owner: None,
            count: 0,
            readers: Vec::new(),
            value: 0,
            waiting: Vec::new(),
            released: Vec::new(),
            mutex: None,
            clock: VectorClock::default(),
            reader_clock: VectorClock::default(),
        }
    }

    /// A condition variable belongs to a mutex only as long as somebody waits.
    pub fn forget_mutex(&mut self) {
        if self.waiting.is_empty() {
            self.mutex = None;
        }
    }

    /// Whether `thread` can take this mutex now (again, if it is recursive).
    #[must_use]
    pub fn available_to(&self, thread: ThreadId) -> bool {
        self.owner.is_none() || self.owner == Some(thread) && self.kind == MutexKind::Recursive
    }
}

/// An operation about to be performed.
#[derive(Clone, Debug)]
pub struct Request {
    /// The operation.
    pub op: SyncOp,
    /// The thread that performs it.
    pub thread: ThreadId,
    /// Where the object lies.
    pub place: Place,
    /// Where the mutex of a wait lies.
    pub mutex: Option<Place>,
    /// What is wrong with the time of a timed operation.
    pub time: Time,
    /// What `SyncOp::argument` names, as a number.
    pub argument: u64,
}

/// What is known of the time that a timed operation is given; it is looked at when the operation is
/// performed, since nobody waits for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// It is for a clock that the operation cannot use.
    pub bad_clock: bool,
    /// Its nanoseconds are no part of a second.
    pub bad_time: bool,
}

/// The first case of the operation's table that applies.
///
/// `object` is the state at the place, which may be implicit (a static initializer) and so not in
/// the state's table yet.
#[must_use]
pub fn applicable(
    state: &State,
    request: &Request,
    object: Option<&SyncObject>,
) -> Option<&'static Case> {
    let holds = |cond: &Cond| condition(state, request, object, *cond);
    request.op.cases().iter().find(|case| case.when.iter().all(holds))
}

/// Whether the time of a waiter is over. It may still take a signal with it, but nobody has to mind it.
fn has_given_up(state: &State, id: ThreadId) -> bool {
    let phase = state.thread(id).frames.last().and_then(|frame| frame.phase);
    phase == Some(SyncOp::CondTimedOut)
}

fn condition(state: &State, request: &Request, object: Option<&SyncObject>, cond: Cond) -> bool {
    let me = request.thread;
    let Some(object) = object else {
        // Nothing is known of the place: only these can be told.
        return match cond {
            Cond::Uninitialized => true,
            Cond::ArgumentZero => request.argument as u32 == 0,
            Cond::ValueTooLarge => value_too_large(request),
            Cond::ClockInvalid => request.time.bad_clock,
            Cond::TimeInvalid => request.time.bad_time,
            _ => false,
        };
    };
    match cond {
        Cond::Uninitialized => object.class != request.op.class(),
        Cond::Destroyed => object.destroyed,
        Cond::Free => object.owner.is_none() && object.readers.is_empty(),
        Cond::HeldBySelf => object.owner == Some(me),
        Cond::HeldByOther => object.owner.is_some_and(|owner| owner != me),
        Cond::HeldTwice => object.count > 1,
        Cond::Kind(kind) => object.kind == kind,
        Cond::ReadBySelf => object.readers.contains(&me),
        Cond::InUse => object.owner.is_some() || !object.readers.is_empty(),
        Cond::Positive => object.value > 0,
        Cond::Full => object.value >= unravel_program::library::codes::SEM_VALUE_MAX,
        Cond::HasWaiters => {
            let still_waits = |&it: &ThreadId| !has_given_up(state, it);
            object.waiting.iter().any(still_waits) || blocked_elsewhere(state, request)
        }
        Cond::Signaled | Cond::Released => object.released.contains(&me),
        Cond::Leaving => object.released.iter().any(|&it| !has_given_up(state, it)),
        Cond::WaitMutexNotHeld => wait_mutex(state, request).is_none_or(|m| m.owner != Some(me)),
        Cond::WaitMutexAvailable => wait_mutex(state, request).is_none_or(|m| m.available_to(me)),
        Cond::LastToArrive => object.waiting.len() + 1 >= object.value as usize,
        Cond::OnceDone => object.value == 2,
        Cond::OnceRunning => object.value == 1,
        Cond::ArgumentZero => request.argument as u32 == 0,
        Cond::ValueTooLarge => value_too_large(request),
        Cond::ClockInvalid => request.time.bad_clock,
        Cond::TimeInvalid => request.time.bad_time,
        Cond::WriterWaits => !object.waiting.is_empty(),
        Cond::Read => !object.readers.is_empty(),
        Cond::WaitMutexChecks => {
            wait_mutex(state, request).is_some_and(|m| m.kind == MutexKind::ErrorCheck)
        }
        Cond::OtherMutexWaits => !object.waiting.is_empty() && object.mutex != request.mutex,
    }
}

fn value_too_large(request: &Request) -> bool {
    request.argument as u32 > unravel_program::library::codes::SEM_VALUE_MAX
}

fn wait_mutex<'s>(state: &'s State, request: &Request) -> Option<&'s SyncObject> {
    request.mutex.and_then(|place| state.sync.get(&place))
}

/// Whether another thread stands at a semaphore wait on the same place: it is not queued in the
/// object, since it may also be about to pass.
fn blocked_elsewhere(state: &State, request: &Request) -> bool {
    let waits_here =
        |(op, place): (SyncOp, Place)| op.deed() == Deed::SemWait && place == request.place;
    request.op.class() == Class::Sem
        && state
            .thread_ids()
            .any(|id| id != request.thread && state.waits_at(id).is_some_and(waits_here))
}
