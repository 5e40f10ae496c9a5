//! Synchronization objects: what each operation does in each state.
//!
//! An operation is a list of [`Case`]s, tried in order: the first whose conditions hold decides.
//! The tables are data so that the interpreter can execute and the symbolic engine can encode the
//! same text. Sources: POSIX.1-2017, the C11 standard §7.26, and glibc where POSIX leaves a choice
//! (`EDEADLK` for a writer that asks again; readers are not held back by waiting writers).
//!
//! An operation that waits in the middle is split into two: [`Then::Enter`] ends the step and
//! leaves the thread at the second operation, e.g. [`SyncOp::CondWait`] at [`SyncOp::CondWake`].

use unravel_kinds::Deed;
pub use unravel_kinds::{Misuse, SyncClass as Class};

use super::codes;

/// An operation on a synchronization object. The first argument is the object's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are POSIX's")]
pub enum SyncOp {
    MutexInit,
    MutexInitC11,
    MutexDestroy,
    MutexLock,
    MutexTryLock,
    MutexTimedLock,
    MutexUnlock,
    MutexAttrInit,
    MutexAttrSetType,
    SpinInit,
    SpinDestroy,
    SpinLock,
    SpinTryLock,
    SpinUnlock,
    RwInit,
    RwDestroy,
    RwReadLock,
    RwTryReadLock,
    RwTimedReadLock,
    RwWriteLock,
    RwTryWriteLock,
    RwTimedWriteLock,
    RwUnlock,
    CondInit,
    CondDestroy,
    CondWait,
    CondTimedWait,
    CondWake,
    CondTimedWake,
    CondTimedOut,
    CondSignal,
    CondBroadcast,
    BarrierInit,
    BarrierDestroy,
    BarrierWait,
    BarrierPass,
    Once,
    OnceFinish,
    SemInit,
    SemDestroy,
    SemWait,
    SemTryWait,
    SemTimedWait,
    SemPost,
    SemGetValue,
}

/// Kind of mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MutexKind {
    /// Relocking by the owner is misuse (and blocks).
    Normal,
    /// May be locked again by its owner.
    Recursive,
    /// Reports misuse as an error code.
    ErrorCheck,
}

/// A condition on the state of the object, seen from the calling thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// Its memory was never initialized as such an object.
    Uninitialized,
    /// It was destroyed and not initialized again.
    Destroyed,
    /// Mutex or spin lock: nobody holds it. Read-write lock: no writer and no reader.
    Free,
    /// The calling thread holds it (as writer).
    HeldBySelf,
    /// Another thread holds it (as writer).
    HeldByOther,
    /// The calling thread holds it more than once.
    HeldTwice,
    /// The mutex is of this kind.
    Kind(MutexKind),
    /// The calling thread is among the readers.
    ReadBySelf,
    /// There is at least one reader or writer.
    InUse,
    /// The count is positive (semaphore).
    Positive,
    /// The count is at its maximum (semaphore).
    Full,
    /// Some thread waits at it.
    HasWaiters,
    /// A signal or broadcast was given to the calling thread.
    Signaled,
    /// The calling thread does not hold the mutex given to the wait.
    WaitMutexNotHeld,
    /// The mutex given to the wait can be taken by the calling thread.
    WaitMutexAvailable,
    /// With the calling thread, as many threads have arrived as the barrier wants.
    LastToArrive,
    /// The barrier has let the calling thread through.
    Released,
    /// Some thread was woken or let through and has not gone on yet.
    Leaving,
    /// The initialization has run.
    OnceDone,
    /// The initialization is running.
    OnceRunning,
    /// The third argument (a barrier's count) is zero.
    ArgumentZero,
    /// The third argument (a semaphore's value) is above its maximum.
    ValueTooLarge,
}

/// A change of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// A fresh object of the operation's class, from the arguments.
    Initialize,
    /// The object ends.
    Destroy,
    /// The calling thread becomes the owner (writer).
    Acquire,
    /// The owner holds it once more.
    Relock,
    /// The owner holds it once less.
    Unrelock,
    /// Nobody holds it (as writer) any more.
    Release,
    /// The calling thread becomes a reader.
    AddReader,
    /// The calling thread is a reader once less.
    RemoveReader,
    /// The count goes down.
    Decrement,
    /// The count goes up.
    Increment,
    /// The count is written to the second argument.
    ReportValue,
    /// The calling thread waits at the object.
    Enqueue,
    /// The calling thread waits no more.
    Dequeue,
    /// The mutex given to the wait is released (once).
    ReleaseWaitMutex,
    /// The mutex given to the wait is taken again.
    AcquireWaitMutex,
    /// One waiter, chosen by the scheduler, gets the signal.
    WakeOne,
    /// Every waiter gets the signal.
    WakeAll,
    /// The calling thread has arrived at the barrier.
    Arrive,
    /// All who arrived may pass, and the barrier starts anew.
    OpenBarrier,
    /// The calling thread has passed.
    Pass,
    /// The initialization begins.
    BeginOnce,
    /// The initialization is done.
    FinishOnce,
    /// The calling thread sees what was done before the object's last release.
    Synchronize,
    /// The mutex attribute gets the kind of the second argument.
    SetKind,
}

/// What happens when a case applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The operation completes with this error code (0: none).
    Return(&'static [Effect], i32),
    /// One of several things happens; which one is part of the schedule.
    Choice(&'static [Then]),
    /// The step ends; the thread goes on with another operation on the same arguments.
    Enter(&'static [Effect], SyncOp),
    /// The step ends by calling the second argument; when it returns, the other operation follows.
    CallThenEnter(&'static [Effect], SyncOp),
    /// The thread cannot step.
    Block,
    /// It may complete, but nobody owes it: for deadlocks the thread counts as blocked.
    Spurious(&'static [Effect], i32),
    /// A violation of `misuse`; where that is not checked, go on as the case says.
    Misuse(Misuse, &'static Then),
}

/// One row of an operation's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// All of these hold.
    pub when: &'static [Cond],
    /// Then this happens.
    pub then: Then,
}

/// Shorthand for a row.
const fn case(when: &'static [Cond], then: Then) -> Case {
    Case { when, then }
}

/// Shorthand for completing with a code and no change.
const fn code(code: i32) -> Then {
    Return(&[], code)
}

use Cond as C;
use Effect as E;
use Then::{Block, Return};

const UNINITIALIZED: Case =
    case(&[C::Uninitialized], Then::Misuse(Misuse::Uninitialized, &code(codes::EINVAL)));
const DESTROYED: Case =
    case(&[C::Destroyed], Then::Misuse(Misuse::AfterDestroy, &code(codes::EINVAL)));
const RECURSIVE: Cond = C::Kind(MutexKind::Recursive);
const ERRORCHECK: Cond = C::Kind(MutexKind::ErrorCheck);

const INIT: &[Case] = &[
    case(&[C::InUse], Then::Misuse(Misuse::InitInUse, &Return(&[E::Initialize], 0))),
    case(&[], Return(&[E::Initialize], 0)),
];
const DESTROY: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::InUse], Then::Misuse(Misuse::DestroyInUse, &code(codes::EBUSY))),
    case(&[C::HasWaiters], Then::Misuse(Misuse::DestroyInUse, &code(codes::EBUSY))),
    // POSIX allows it once all have been woken; glibc waits until they are gone.
    case(&[C::Leaving], Block),
    case(&[], Return(&[E::Destroy], 0)),
];
const MUTEX_LOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf, RECURSIVE], Return(&[E::Relock], 0)),
    case(&[C::HeldBySelf, ERRORCHECK], code(codes::EDEADLK)),
    case(&[C::HeldBySelf], Then::Misuse(Misuse::Relock, &Block)),
    case(&[], Block),
];
const MUTEX_TRYLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf, RECURSIVE], Return(&[E::Relock], 0)),
    case(&[], code(codes::EBUSY)),
];
const MUTEX_TIMEDLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf, RECURSIVE], Return(&[E::Relock], 0)),
    case(&[C::HeldBySelf, ERRORCHECK], code(codes::EDEADLK)),
    case(&[], code(codes::ETIMEDOUT)),
];
const MUTEX_UNLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf, C::HeldTwice], Return(&[E::Unrelock], 0)),
    case(&[C::HeldBySelf], Return(&[E::Release], 0)),
    case(&[RECURSIVE], code(codes::EPERM)),
    case(&[ERRORCHECK], code(codes::EPERM)),
    case(&[C::Free], Then::Misuse(Misuse::UnlockNotHeld, &code(0))),
    case(&[], Then::Misuse(Misuse::UnlockHeldByOther, &Return(&[E::Release], 0))),
];
const SPIN_LOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf], Then::Misuse(Misuse::Relock, &Block)),
    case(&[], Block),
];
const SPIN_UNLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf], Return(&[E::Release], 0)),
    case(&[C::Free], Then::Misuse(Misuse::UnlockNotHeld, &code(0))),
    case(&[], Then::Misuse(Misuse::UnlockHeldByOther, &Return(&[E::Release], 0))),
];
const RW_READ: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf], code(codes::EDEADLK)),
    case(&[C::HeldByOther], Block),
    case(&[], Return(&[E::AddReader], 0)),
];
const RW_TRY_READ: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf], code(codes::EBUSY)),
    case(&[C::HeldByOther], code(codes::EBUSY)),
    case(&[], Return(&[E::AddReader], 0)),
];
const RW_TIMED_READ: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf], code(codes::EDEADLK)),
    case(&[C::HeldByOther], code(codes::ETIMEDOUT)),
    case(&[], Return(&[E::AddReader], 0)),
];
const RW_WRITE: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf], code(codes::EDEADLK)),
    case(&[], Block),
];
const RW_TRY_WRITE: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[], code(codes::EBUSY)),
];
const RW_TIMED_WRITE: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf], code(codes::EDEADLK)),
    case(&[], code(codes::ETIMEDOUT)),
];
const RW_UNLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf], Return(&[E::Release], 0)),
    case(&[C::ReadBySelf], Return(&[E::RemoveReader], 0)),
    case(&[C::Free], Then::Misuse(Misuse::UnlockNotHeld, &code(0))),
    case(&[], Then::Misuse(Misuse::UnlockHeldByOther, &code(0))),
];
const COND_WAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::WaitMutexNotHeld], Then::Misuse(Misuse::WaitWithoutMutex, &code(codes::EPERM))),
    case(&[], Then::Enter(&[E::ReleaseWaitMutex, E::Enqueue], SyncOp::CondWake)),
];
const COND_TIMEDWAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::WaitMutexNotHeld], Then::Misuse(Misuse::WaitWithoutMutex, &code(codes::EPERM))),
    case(&[], Then::Enter(&[E::ReleaseWaitMutex, E::Enqueue], SyncOp::CondTimedWake)),
];
const WAKE: &[Effect] = &[E::Dequeue, E::AcquireWaitMutex];
const COND_WAKE: &[Case] = &[
    case(&[C::Signaled, C::WaitMutexAvailable], Return(WAKE, 0)),
    case(&[C::Signaled], Block),
    case(&[C::WaitMutexAvailable], Then::Spurious(WAKE, 0)),
    case(&[], Block),
];
/// A timed waiter may give up before it gets the mutex; a signal that comes then is not for it.
const GIVE_UP: Then = Then::Enter(&[E::Dequeue], SyncOp::CondTimedOut);
const COND_TIMEDWAKE: &[Case] = &[
    case(&[C::Signaled, C::WaitMutexAvailable], Return(WAKE, 0)),
    case(&[C::Signaled], Block),
    case(&[C::WaitMutexAvailable], Then::Choice(&[GIVE_UP, Return(WAKE, 0)])),
    case(&[], GIVE_UP),
];
const COND_TIMEDOUT: &[Case] = &[
    case(&[C::WaitMutexAvailable], Return(&[E::AcquireWaitMutex], codes::ETIMEDOUT)),
    case(&[], Block),
];
const COND_SIGNAL: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HasWaiters], Return(&[E::WakeOne], 0)),
    case(&[], code(0)),
];
const COND_BROADCAST: &[Case] = &[UNINITIALIZED, DESTROYED, case(&[], Return(&[E::WakeAll], 0))];
const BARRIER_INIT: &[Case] = &[
    case(&[C::ArgumentZero], code(codes::EINVAL)),
    case(&[C::HasWaiters], Then::Misuse(Misuse::InitInUse, &Return(&[E::Initialize], 0))),
    case(&[], Return(&[E::Initialize], 0)),
];
const BARRIER_WAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::LastToArrive], Return(&[E::OpenBarrier], codes::SERIAL_THREAD)),
    case(&[], Then::Enter(&[E::Arrive], SyncOp::BarrierPass)),
];
const BARRIER_PASS: &[Case] = &[case(&[C::Released], Return(&[E::Pass], 0)), case(&[], Block)];
const ONCE: &[Case] = &[
    UNINITIALIZED,
    case(&[C::OnceDone], Return(&[E::Synchronize], 0)),
    case(&[C::OnceRunning], Block),
    case(&[], Then::CallThenEnter(&[E::BeginOnce], SyncOp::OnceFinish)),
];
const ONCE_FINISH: &[Case] = &[case(&[], Return(&[E::FinishOnce], 0))];
const SEM_INIT: &[Case] =
    &[case(&[C::ValueTooLarge], code(codes::EINVAL)), case(&[], Return(&[E::Initialize], 0))];
const SEM_DESTROY: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HasWaiters], Then::Misuse(Misuse::DestroyInUse, &code(codes::EBUSY))),
    case(&[], Return(&[E::Destroy], 0)),
];
const SEM_WAIT: &[Case] =
    &[UNINITIALIZED, DESTROYED, case(&[C::Positive], Return(&[E::Decrement], 0)), case(&[], Block)];
const SEM_TRYWAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Positive], Return(&[E::Decrement], 0)),
    case(&[], code(codes::EAGAIN)),
];
const SEM_TIMEDWAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Positive], Return(&[E::Decrement], 0)),
    case(&[], code(codes::ETIMEDOUT)),
];
const SEM_POST: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Full], code(codes::EOVERFLOW)),
    case(&[], Return(&[E::Increment], 0)),
];
const SEM_GETVALUE: &[Case] = &[UNINITIALIZED, DESTROYED, case(&[], Return(&[E::ReportValue], 0))];
const ATTR_INIT: &[Case] = &[case(&[], Return(&[E::Initialize], 0))];
const ATTR_SET: &[Case] = &[UNINITIALIZED, case(&[], Return(&[E::SetKind], 0))];

impl SyncOp {
    /// What it does, as a report names it.
    #[must_use]
    pub fn deed(self) -> Deed {
        match self {
            SyncOp::MutexInit | SyncOp::MutexInitC11 | SyncOp::SpinInit | SyncOp::RwInit => {
                Deed::Init
            }
            SyncOp::CondInit | SyncOp::BarrierInit | SyncOp::SemInit => Deed::Init,
            SyncOp::MutexAttrInit | SyncOp::MutexAttrSetType => Deed::Init,
            SyncOp::MutexDestroy | SyncOp::SpinDestroy | SyncOp::RwDestroy => Deed::Destroy,
            SyncOp::CondDestroy | SyncOp::BarrierDestroy | SyncOp::SemDestroy => Deed::Destroy,
            SyncOp::MutexLock | SyncOp::SpinLock | SyncOp::RwWriteLock => Deed::Lock,
            SyncOp::MutexTryLock | SyncOp::SpinTryLock | SyncOp::RwTryWriteLock => Deed::TryLock,
            SyncOp::MutexTimedLock | SyncOp::RwTimedWriteLock => Deed::TimedLock,
            SyncOp::MutexUnlock | SyncOp::SpinUnlock | SyncOp::RwUnlock => Deed::Unlock,
            SyncOp::RwReadLock => Deed::ReadLock,
            SyncOp::RwTryReadLock => Deed::TryReadLock,
            SyncOp::RwTimedReadLock => Deed::TimedReadLock,
            SyncOp::CondWait | SyncOp::CondTimedWait => Deed::Wait,
            SyncOp::CondWake | SyncOp::CondTimedWake => Deed::Wake,
            SyncOp::CondTimedOut => Deed::TimedOut,
            SyncOp::CondSignal => Deed::Signal,
            SyncOp::CondBroadcast => Deed::Broadcast,
            SyncOp::BarrierWait => Deed::Arrive,
            SyncOp::BarrierPass => Deed::Pass,
            SyncOp::Once => Deed::Once,
            SyncOp::OnceFinish => Deed::OnceDone,
            SyncOp::SemWait => Deed::SemWait,
            SyncOp::SemTryWait => Deed::SemTryWait,
            SyncOp::SemTimedWait => Deed::SemTimedWait,
            SyncOp::SemPost => Deed::Post,
            SyncOp::SemGetValue => Deed::GetValue,
        }
    }

    /// All of them.
    pub const ALL: [SyncOp; 45] = [
        SyncOp::MutexInit,
        SyncOp::MutexInitC11,
        SyncOp::MutexDestroy,
        SyncOp::MutexLock,
        SyncOp::MutexTryLock,
        SyncOp::MutexTimedLock,
        SyncOp::MutexUnlock,
        SyncOp::MutexAttrInit,
        SyncOp::MutexAttrSetType,
        SyncOp::SpinInit,
        SyncOp::SpinDestroy,
        SyncOp::SpinLock,
        SyncOp::SpinTryLock,
        SyncOp::SpinUnlock,
        SyncOp::RwInit,
        SyncOp::RwDestroy,
        SyncOp::RwReadLock,
        SyncOp::RwTryReadLock,
        SyncOp::RwTimedReadLock,
        SyncOp::RwWriteLock,
        SyncOp::RwTryWriteLock,
        SyncOp::RwTimedWriteLock,
        SyncOp::RwUnlock,
        SyncOp::CondInit,
        SyncOp::CondDestroy,
        SyncOp::CondWait,
        SyncOp::CondTimedWait,
        SyncOp::CondWake,
        SyncOp::CondTimedWake,
        SyncOp::CondTimedOut,
        SyncOp::CondSignal,
        SyncOp::CondBroadcast,
        SyncOp::BarrierInit,
        SyncOp::BarrierDestroy,
        SyncOp::BarrierWait,
        SyncOp::BarrierPass,
        SyncOp::Once,
        SyncOp::OnceFinish,
        SyncOp::SemInit,
        SyncOp::SemDestroy,
        SyncOp::SemWait,
        SyncOp::SemTryWait,
        SyncOp::SemTimedWait,
        SyncOp::SemPost,
        SyncOp::SemGetValue,
    ];

    /// The operation's table.
    #[must_use]
    pub fn cases(self) -> &'static [Case] {
        match self {
            SyncOp::MutexInit | SyncOp::MutexInitC11 | SyncOp::SpinInit | SyncOp::RwInit => INIT,
            SyncOp::CondInit => INIT,
            SyncOp::MutexDestroy | SyncOp::SpinDestroy | SyncOp::RwDestroy => DESTROY,
            SyncOp::CondDestroy | SyncOp::BarrierDestroy => DESTROY,
            SyncOp::MutexLock => MUTEX_LOCK,
            SyncOp::MutexTryLock | SyncOp::SpinTryLock => MUTEX_TRYLOCK,
            SyncOp::MutexTimedLock => MUTEX_TIMEDLOCK,
            SyncOp::MutexUnlock => MUTEX_UNLOCK,
            SyncOp::MutexAttrInit => ATTR_INIT,
            SyncOp::MutexAttrSetType => ATTR_SET,
            SyncOp::SpinLock => SPIN_LOCK,
            SyncOp::SpinUnlock => SPIN_UNLOCK,
            SyncOp::RwReadLock => RW_READ,
            SyncOp::RwTryReadLock => RW_TRY_READ,
            SyncOp::RwTimedReadLock => RW_TIMED_READ,
            SyncOp::RwWriteLock => RW_WRITE,
            SyncOp::RwTryWriteLock => RW_TRY_WRITE,
            SyncOp::RwTimedWriteLock => RW_TIMED_WRITE,
            SyncOp::RwUnlock => RW_UNLOCK,
            SyncOp::CondWait => COND_WAIT,
            SyncOp::CondTimedWait => COND_TIMEDWAIT,
            SyncOp::CondWake => COND_WAKE,
            SyncOp::CondTimedWake => COND_TIMEDWAKE,
            SyncOp::CondTimedOut => COND_TIMEDOUT,
            SyncOp::CondSignal => COND_SIGNAL,
            SyncOp::CondBroadcast => COND_BROADCAST,
            SyncOp::BarrierInit => BARRIER_INIT,
            SyncOp::BarrierWait => BARRIER_WAIT,
            SyncOp::BarrierPass => BARRIER_PASS,
            SyncOp::Once => ONCE,
            SyncOp::OnceFinish => ONCE_FINISH,
            SyncOp::SemInit => SEM_INIT,
            SyncOp::SemDestroy => SEM_DESTROY,
            SyncOp::SemWait => SEM_WAIT,
            SyncOp::SemTryWait => SEM_TRYWAIT,
            SyncOp::SemTimedWait => SEM_TIMEDWAIT,
            SyncOp::SemPost => SEM_POST,
            SyncOp::SemGetValue => SEM_GETVALUE,
        }
    }

    /// The kind of object it works on.
    #[must_use]
    pub fn class(self) -> Class {
        match self {
            SyncOp::MutexInit
            | SyncOp::MutexInitC11
            | SyncOp::MutexDestroy
            | SyncOp::MutexLock
            | SyncOp::MutexTryLock
            | SyncOp::MutexTimedLock
            | SyncOp::MutexUnlock => Class::Mutex,
            SyncOp::MutexAttrInit | SyncOp::MutexAttrSetType => Class::MutexAttr,
            SyncOp::SpinInit
            | SyncOp::SpinDestroy
            | SyncOp::SpinLock
            | SyncOp::SpinTryLock
            | SyncOp::SpinUnlock => Class::Spin,
            SyncOp::RwInit
            | SyncOp::RwDestroy
            | SyncOp::RwReadLock
            | SyncOp::RwTryReadLock
            | SyncOp::RwTimedReadLock
            | SyncOp::RwWriteLock
            | SyncOp::RwTryWriteLock
            | SyncOp::RwTimedWriteLock
            | SyncOp::RwUnlock => Class::Rw,
            SyncOp::CondInit
            | SyncOp::CondDestroy
            | SyncOp::CondWait
            | SyncOp::CondTimedWait
            | SyncOp::CondWake
            | SyncOp::CondTimedWake
            | SyncOp::CondTimedOut
            | SyncOp::CondSignal
            | SyncOp::CondBroadcast => Class::Cond,
            SyncOp::BarrierInit
            | SyncOp::BarrierDestroy
            | SyncOp::BarrierWait
            | SyncOp::BarrierPass => Class::Barrier,
            SyncOp::Once | SyncOp::OnceFinish => Class::Once,
            SyncOp::SemInit
            | SyncOp::SemDestroy
            | SyncOp::SemWait
            | SyncOp::SemTryWait
            | SyncOp::SemTimedWait
            | SyncOp::SemPost
            | SyncOp::SemGetValue => Class::Sem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every table ends in a case without conditions, so some case always applies.
    #[test]
    fn every_table_is_total() {
        for op in SyncOp::ALL {
            let last = op.cases().last().map(|case| case.when.len());
            assert_eq!(last, Some(0), "{op:?}");
        }
    }
}
