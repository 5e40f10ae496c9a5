//! The operations of the thread library: what each one is, and what it does in each state of its
//! object.
//!
//! They are described once, here. The interpreter, the symbolic engine and the runtime that is
//! linked into recorded programs all read this description, so that a lock means the same to each.
//! The crate uses neither the standard library nor memory of its own, since the runtime may not.
//!
//! - [`Class`] is the kind of object, [`Deed`] what reports call an operation, [`Misuse`] what can
//!   be done wrongly.
//! - [`codes`] has the numbers of the platform: error codes, and where glibc keeps a mutex's kind.
//! - [`attributes`]: what attribute objects hold, for those who are given one.
//!
//! `operations.rs` has one row per [`SyncOp`]: the class of object, the [`Deed`] that reports name,
//! the [`Argument`] that matters, and its [`Case`]s (`cases.rs`). The cases are tried in order: the
//! first whose conditions hold decides.
//!
//! The interpreter executes the cases as they stand. The symbolic engine reads rows and cases, too
//! ([`SyncOp::in_state`]): error codes, which states are misuse, what waits, what an owner may do
//! again, where arguments stand. It does not execute the effects: who holds a lock, in which order
//! threads come to it and who is woken are constraints there, and
//! `unravel_events::exec::sync::encoder` says for each kind of operation which.
//!
//! An operation that waits in the middle is split into two: [`Then::Enter`] ends the step and
//! leaves the thread at the second operation, e.g. [`SyncOp::CondWait`] at [`SyncOp::CondWake`].

#![no_std]
#![forbid(unsafe_code)]

pub mod attributes;
mod cases;
mod class;
pub mod codes;
mod deed;
mod operations;

pub use class::{Class, Misuse};
pub use deed::Deed;
pub use operations::{Argument, SyncOp};

/// Kind of mutex, or of read-write lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MutexKind {
    /// Relocking by the owner is misuse (and blocks).
    Normal,
    /// May be locked again by its owner.
    Recursive,
    /// Reports misuse as an error code.
    ErrorCheck,
    /// A read-write lock that new readers do not get while a writer waits
    /// (`PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP`).
    PrefersWriters,
}

impl MutexKind {
    /// The kind that a number means in `pthread_mutexattr_settype` and in glibc's
    /// `pthread_mutex_t`.
    #[must_use]
    pub fn of_number(number: u32) -> MutexKind {
        match number {
            codes::MUTEX_RECURSIVE => MutexKind::Recursive,
            codes::MUTEX_ERRORCHECK => MutexKind::ErrorCheck,
            _ => MutexKind::Normal,
        }
    }

    /// The kind that a number means in `pthread_rwlockattr_setkind_np` and in glibc's
    /// `pthread_rwlock_t`. `PTHREAD_RWLOCK_PREFER_WRITER_NP` does the same as the default there.
    #[must_use]
    pub fn of_rwlock_number(number: u32) -> MutexKind {
        if number == codes::RWLOCK_PREFERS_WRITERS {
            MutexKind::PrefersWriters
        } else {
            MutexKind::Normal
        }
    }

    /// The kind that a number means for an object of a class.
    #[must_use]
    pub fn of(class: Class, number: u32) -> MutexKind {
        match class {
            Class::Rw => MutexKind::of_rwlock_number(number),
            _ => MutexKind::of_number(number),
        }
    }

    /// The kind that the flags of `mtx_init` mean.
    #[must_use]
    pub fn of_flags(flags: u32) -> MutexKind {
        let recursive = flags & codes::C11_RECURSIVE != 0;
        if recursive { MutexKind::Recursive } else { MutexKind::Normal }
    }
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
    /// A writer has begun to wait for a lock that readers hold and that prefers writers.
    WriterWaits,
    /// There is a reader.
    Read,
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
    /// The mutex given to the wait reports misuse as an error code.
    WaitMutexChecks,
    /// Somebody waits at the condition variable with another mutex.
    OtherMutexWaits,
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
    /// The third argument (a semaphore's value, a barrier's count) is above its maximum.
    ValueTooLarge,
    /// A timed wait is given a clock that it cannot use.
    ClockInvalid,
    /// A timed wait is given a time whose nanoseconds are no part of a second.
    TimeInvalid,
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
