//! What a thread does to a synchronization object.

/// What an operation on a synchronization object does, as a report names it.
///
/// Several library operations may do the same: `pthread_mutex_lock` and `pthread_spin_lock` both
/// [`Deed::Lock`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deed {
    /// Makes the object ready for use.
    Init,
    /// Ends the use of the object.
    Destroy,
    /// Takes a lock, waiting if necessary.
    Lock,
    /// Takes a lock if it is free.
    TryLock,
    /// Takes a lock, waiting for a limited time.
    TimedLock,
    /// Takes a read-write lock for reading, waiting if necessary.
    ReadLock,
    /// Takes a read-write lock for reading if no writer has it.
    TryReadLock,
    /// Takes a read-write lock for reading, waiting for a limited time.
    TimedReadLock,
    /// Gives a lock back.
    Unlock,
    /// Begins to wait on a condition variable.
    Wait,
    /// Ends a wait on a condition variable and takes the mutex again.
    Wake,
    /// Ends a wait because its time is over, and takes the mutex again.
    TimedOut,
    /// Wakes one waiter of a condition variable.
    Signal,
    /// Wakes all waiters of a condition variable.
    Broadcast,
    /// Arrives at a barrier.
    Arrive,
    /// Goes on behind a barrier.
    Pass,
    /// Comes to a `pthread_once`.
    Once,
    /// Has run the function of a `pthread_once`.
    OnceDone,
    /// Takes one from a semaphore, waiting if necessary.
    SemWait,
    /// Takes one from a semaphore if there is one.
    SemTryWait,
    /// Takes one from a semaphore, waiting for a limited time.
    SemTimedWait,
    /// Adds one to a semaphore.
    Post,
    /// Reads the value of a semaphore.
    GetValue,
}

impl Deed {
    /// All of them, in the order they are declared.
    pub const ALL: [Deed; 23] = [
        Deed::Init,
        Deed::Destroy,
        Deed::Lock,
        Deed::TryLock,
        Deed::TimedLock,
        Deed::ReadLock,
        Deed::TryReadLock,
        Deed::TimedReadLock,
        Deed::Unlock,
        Deed::Wait,
        Deed::Wake,
        Deed::TimedOut,
        Deed::Signal,
        Deed::Broadcast,
        Deed::Arrive,
        Deed::Pass,
        Deed::Once,
        Deed::OnceDone,
        Deed::SemWait,
        Deed::SemTryWait,
        Deed::SemTimedWait,
        Deed::Post,
        Deed::GetValue,
    ];

    /// The word for it in JSON.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Deed::Init => "init",
            Deed::Destroy => "destroy",
            Deed::Lock => "lock",
            Deed::TryLock => "trylock",
            Deed::TimedLock => "timedlock",
            Deed::ReadLock => "read-lock",
            Deed::TryReadLock => "try-read-lock",
            Deed::TimedReadLock => "timed-read-lock",
            Deed::Unlock => "unlock",
            Deed::Wait => "wait",
            Deed::Wake => "wake",
            Deed::TimedOut => "timeout",
            Deed::Signal => "signal",
            Deed::Broadcast => "broadcast",
            Deed::Arrive => "arrive",
            Deed::Pass => "pass",
            Deed::Once => "once",
            Deed::OnceDone => "once-done",
            Deed::SemWait => "sem-wait",
            Deed::SemTryWait => "sem-trywait",
            Deed::SemTimedWait => "sem-timedwait",
            Deed::Post => "post",
            Deed::GetValue => "sem-getvalue",
        }
    }

    /// Whether it takes a lock, if it succeeds.
    #[must_use]
    pub fn takes_lock(self) -> bool {
        matches!(self, Deed::Lock | Deed::ReadLock) || self.is_lock_attempt()
    }

    /// Whether it takes a lock only if that is possible, or possible in time.
    #[must_use]
    pub fn is_lock_attempt(self) -> bool {
        matches!(self, Deed::TryLock | Deed::TimedLock | Deed::TryReadLock | Deed::TimedReadLock)
    }

    /// Whether it takes one from a semaphore, if it succeeds.
    #[must_use]
    pub fn takes_from_semaphore(self) -> bool {
        matches!(self, Deed::SemWait | Deed::SemTryWait | Deed::SemTimedWait)
    }
}
