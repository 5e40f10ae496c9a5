//! What each operation does in each state of its object, as lists of cases.
//!
//! Sources: POSIX.1-2017, the C11 standard §7.26, and glibc where POSIX leaves a choice (`EDEADLK`
//! for a writer that asks again; readers are held back by waiting writers only where the kind of the
//! lock says so; which timed operations look at a time that they do not need).

use super::{Case, Cond as C, Effect as E, Misuse, MutexKind, SyncOp, Then};
use crate::codes;
use Then::{Block, Return};

/// Shorthand for a case.
const fn case(when: &'static [C], then: Then) -> Case {
    Case { when, then }
}

/// Shorthand for completing with a code and no change.
const fn code(code: i32) -> Then {
    Return(&[], code)
}

const UNINITIALIZED: Case =
    case(&[C::Uninitialized], Then::Misuse(Misuse::Uninitialized, &code(codes::EINVAL)));
const DESTROYED: Case =
    case(&[C::Destroyed], Then::Misuse(Misuse::AfterDestroy, &code(codes::EINVAL)));
const RECURSIVE: C = C::Kind(MutexKind::Recursive);
const ERRORCHECK: C = C::Kind(MutexKind::ErrorCheck);

const BAD_CLOCK: Case = case(&[C::ClockInvalid], code(codes::EINVAL));
const BAD_TIME: Case = case(&[C::TimeInvalid], code(codes::EINVAL));
const PREFERS_WRITERS: C = C::Kind(MutexKind::PrefersWriters);

pub(super) const INIT: &[Case] = &[
    case(&[C::InUse], Then::Misuse(Misuse::InitInUse, &Return(&[E::Initialize], 0))),
    case(&[], Return(&[E::Initialize], 0)),
];
pub(super) const LOCK_DESTROY: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::InUse], Then::Misuse(Misuse::DestroyInUse, &code(codes::EBUSY))),
    case(&[], Return(&[E::Destroy], 0)),
];
pub(super) const DESTROY: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HasWaiters], Then::Misuse(Misuse::DestroyInUse, &code(codes::EBUSY))),
    // POSIX allows it once all have been woken; glibc waits until they are gone.
    case(&[C::Leaving], Block),
    case(&[], Return(&[E::Destroy], 0)),
];
pub(super) const MUTEX_LOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf, RECURSIVE], Return(&[E::Relock], 0)),
    case(&[C::HeldBySelf, ERRORCHECK], code(codes::EDEADLK)),
    case(&[C::HeldBySelf], Then::Misuse(Misuse::Relock, &Block)),
    case(&[], Block),
];
pub(super) const MUTEX_TRYLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf, RECURSIVE], Return(&[E::Relock], 0)),
    case(&[], code(codes::EBUSY)),
];
pub(super) const MUTEX_TIMEDLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    BAD_CLOCK,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf, RECURSIVE], Return(&[E::Relock], 0)),
    case(&[C::HeldBySelf, ERRORCHECK], code(codes::EDEADLK)),
    // A mutex that can be had at once is had, whatever the time is.
    BAD_TIME,
    case(&[], code(codes::ETIMEDOUT)),
];
pub(super) const MUTEX_UNLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf, C::HeldTwice], Return(&[E::Unrelock], 0)),
    case(&[C::HeldBySelf], Return(&[E::Release], 0)),
    case(&[RECURSIVE], code(codes::EPERM)),
    case(&[ERRORCHECK], code(codes::EPERM)),
    case(&[C::Free], Then::Misuse(Misuse::UnlockNotHeld, &code(0))),
    case(&[], Then::Misuse(Misuse::UnlockHeldByOther, &Return(&[E::Release], 0))),
];
pub(super) const SPIN_LOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf], Then::Misuse(Misuse::Relock, &Block)),
    case(&[], Block),
];
pub(super) const SPIN_UNLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf], Return(&[E::Release], 0)),
    case(&[C::Free], Then::Misuse(Misuse::UnlockNotHeld, &code(0))),
    case(&[], Then::Misuse(Misuse::UnlockHeldByOther, &Return(&[E::Release], 0))),
];
pub(super) const RW_READ: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf], code(codes::EDEADLK)),
    case(&[C::HeldByOther], Block),
    case(&[PREFERS_WRITERS, C::WriterWaits], Block),
    case(&[], Return(&[E::AddReader], 0)),
];
pub(super) const RW_TRY_READ: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf], code(codes::EBUSY)),
    case(&[C::HeldByOther], code(codes::EBUSY)),
    case(&[PREFERS_WRITERS, C::WriterWaits], code(codes::EBUSY)),
    case(&[], Return(&[E::AddReader], 0)),
];
pub(super) const RW_TIMED_READ: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    BAD_CLOCK,
    BAD_TIME,
    case(&[C::HeldBySelf], code(codes::EDEADLK)),
    case(&[C::HeldByOther], code(codes::ETIMEDOUT)),
    case(&[PREFERS_WRITERS, C::WriterWaits], code(codes::ETIMEDOUT)),
    case(&[], Return(&[E::AddReader], 0)),
];
pub(super) const RW_WRITE: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf], code(codes::EDEADLK)),
    // From then on no new reader gets a lock that prefers writers.
    case(&[PREFERS_WRITERS, C::Read], Then::Enter(&[E::Enqueue], SyncOp::RwWriteWake)),
    case(&[], Block),
];
pub(super) const RW_WRITE_WAKE: &[Case] =
    &[case(&[C::Free], Return(&[E::Dequeue, E::Acquire], 0)), case(&[], Block)];
pub(super) const RW_TRY_WRITE: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[], code(codes::EBUSY)),
];
pub(super) const RW_TIMED_WRITE: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    BAD_CLOCK,
    BAD_TIME,
    case(&[C::Free], Return(&[E::Acquire], 0)),
    case(&[C::HeldBySelf], code(codes::EDEADLK)),
    case(&[PREFERS_WRITERS, C::Read], Then::Enter(&[E::Enqueue], SyncOp::RwTimedWriteWake)),
    case(&[], code(codes::ETIMEDOUT)),
];
pub(super) const RW_TIMED_WRITE_WAKE: &[Case] = &[
    case(&[C::Free], Return(&[E::Dequeue, E::Acquire], 0)),
    case(&[], Return(&[E::Dequeue], codes::ETIMEDOUT)),
];
pub(super) const RW_UNLOCK: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HeldBySelf], Return(&[E::Release], 0)),
    case(&[C::ReadBySelf], Return(&[E::RemoveReader], 0)),
    case(&[C::Free], Then::Misuse(Misuse::UnlockNotHeld, &code(0))),
    case(&[], Then::Misuse(Misuse::UnlockHeldByOther, &code(0))),
];
const NOT_HELD: Case =
    case(&[C::WaitMutexNotHeld], Then::Misuse(Misuse::WaitWithoutMutex, &code(codes::EPERM)));
const REFUSES_NOT_HELD: Case = case(&[C::WaitMutexNotHeld, C::WaitMutexChecks], code(codes::EPERM));
const WAIT: Then = Then::Enter(&[E::ReleaseWaitMutex, E::Enqueue], SyncOp::CondWake);
const TIMED_WAIT: Then = Then::Enter(&[E::ReleaseWaitMutex, E::Enqueue], SyncOp::CondTimedWake);
pub(super) const COND_WAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    REFUSES_NOT_HELD,
    NOT_HELD,
    case(&[C::OtherMutexWaits], Then::Misuse(Misuse::WaitWithOtherMutex, &WAIT)),
    case(&[], WAIT),
];
pub(super) const COND_TIMEDWAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    BAD_CLOCK,
    BAD_TIME,
    REFUSES_NOT_HELD,
    NOT_HELD,
    case(&[C::OtherMutexWaits], Then::Misuse(Misuse::WaitWithOtherMutex, &TIMED_WAIT)),
    case(&[], TIMED_WAIT),
];
const WAKE: &[E] = &[E::Dequeue, E::AcquireWaitMutex];
pub(super) const COND_WAKE: &[Case] = &[
    case(&[C::Signaled, C::WaitMutexAvailable], Return(WAKE, 0)),
    case(&[C::Signaled], Block),
    case(&[C::WaitMutexAvailable], Then::Spurious(WAKE, 0)),
    case(&[], Block),
];
/// A timed waiter may give up before it gets the mutex. Until it returns it may still take a signal
/// with it, which POSIX allows: it "may consume a condition signal directed concurrently" at the
/// condition variable.
const GIVE_UP: Then = Then::Enter(&[], SyncOp::CondTimedOut);
pub(super) const COND_TIMEDWAKE: &[Case] = &[
    case(&[C::Signaled, C::WaitMutexAvailable], Return(WAKE, 0)),
    case(&[C::Signaled], Block),
    case(&[C::WaitMutexAvailable], Then::Choice(&[GIVE_UP, Return(WAKE, 0)])),
    case(&[], GIVE_UP),
];
pub(super) const COND_TIMEDOUT: &[Case] =
    &[case(&[C::WaitMutexAvailable], Return(WAKE, codes::ETIMEDOUT)), case(&[], Block)];
pub(super) const COND_SIGNAL: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HasWaiters], Return(&[E::WakeOne], 0)),
    case(&[], code(0)),
];
pub(super) const COND_BROADCAST: &[Case] =
    &[UNINITIALIZED, DESTROYED, case(&[], Return(&[E::WakeAll], 0))];
pub(super) const BARRIER_INIT: &[Case] = &[
    case(&[C::ArgumentZero], code(codes::EINVAL)),
    case(&[C::ValueTooLarge], code(codes::EINVAL)),
    case(&[C::HasWaiters], Then::Misuse(Misuse::InitInUse, &Return(&[E::Initialize], 0))),
    case(&[], Return(&[E::Initialize], 0)),
];
pub(super) const BARRIER_WAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::LastToArrive], Return(&[E::OpenBarrier], codes::SERIAL_THREAD)),
    case(&[], Then::Enter(&[E::Arrive], SyncOp::BarrierPass)),
];
pub(super) const BARRIER_PASS: &[Case] =
    &[case(&[C::Released], Return(&[E::Pass], 0)), case(&[], Block)];
pub(super) const ONCE: &[Case] = &[
    UNINITIALIZED,
    case(&[C::OnceDone], Return(&[E::Synchronize], 0)),
    case(&[C::OnceRunning], Block),
    case(&[], Then::CallThenEnter(&[E::BeginOnce], SyncOp::OnceFinish)),
];
pub(super) const ONCE_FINISH: &[Case] = &[case(&[], Return(&[E::FinishOnce], 0))];
pub(super) const SEM_INIT: &[Case] = &[
    case(&[C::ValueTooLarge], code(codes::EINVAL)),
    case(&[C::Destroyed], Return(&[E::Initialize], 0)),
    case(&[C::HasWaiters], Then::Misuse(Misuse::InitInUse, &Return(&[E::Initialize], 0))),
    case(&[], Return(&[E::Initialize], 0)),
];
pub(super) const SEM_DESTROY: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::HasWaiters], Then::Misuse(Misuse::DestroyInUse, &code(codes::EBUSY))),
    case(&[], Return(&[E::Destroy], 0)),
];
pub(super) const SEM_WAIT: &[Case] =
    &[UNINITIALIZED, DESTROYED, case(&[C::Positive], Return(&[E::Decrement], 0)), case(&[], Block)];
pub(super) const SEM_TRYWAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Positive], Return(&[E::Decrement], 0)),
    case(&[], code(codes::EAGAIN)),
];
pub(super) const SEM_TIMEDWAIT: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    BAD_CLOCK,
    BAD_TIME,
    case(&[C::Positive], Return(&[E::Decrement], 0)),
    case(&[], code(codes::ETIMEDOUT)),
];
pub(super) const SEM_POST: &[Case] = &[
    UNINITIALIZED,
    DESTROYED,
    case(&[C::Full], code(codes::EOVERFLOW)),
    case(&[], Return(&[E::Increment], 0)),
];
pub(super) const SEM_GETVALUE: &[Case] =
    &[UNINITIALIZED, DESTROYED, case(&[], Return(&[E::ReportValue], 0))];
