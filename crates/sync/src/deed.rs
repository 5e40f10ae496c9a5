//! What a thread does to a synchronization object.

/// One operation on a mutex, condition variable, semaphore or the like, as a report names it.
///
/// Several C functions may be one deed: `pthread_mutex_lock`, `mtx_lock` and `pthread_spin_lock`
/// are all [`Deed::Lock`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deed {
    /// Initializes the object.
    Init,
    /// Destroys the object.
    Destroy,
    /// Takes a mutex or spin lock, waiting until it is free.
    Lock,
    /// Takes a lock for writing if it is free.
    TryLock,
    /// Takes a lock for writing, or gives up after a time.
    TimedLock,
    /// Takes a read-write lock for reading, waiting until nobody writes.
    ReadLock,
    /// Takes a read-write lock for reading if nobody writes.
    TryReadLock,
    /// Takes a read-write lock for reading, or gives up after a time.
    TimedReadLock,
    /// Takes a read-write lock for writing, waiting until it is free. Its code is that of
    /// [`Deed::Lock`]: like a mutex, the lock is then held by one thread.
    WriteLock,
    /// Gives a lock back.
    Unlock,
    /// Begins to wait on a condition variable.
    Wait,
    /// Wakes up from such a wait and takes the mutex again.
    Wake,
    /// Takes the mutex again after a wait that lasted too long.
    TimedOut,
    /// Wakes one thread that waits on a condition variable.
    Signal,
    /// Wakes all threads that wait on a condition variable.
    Broadcast,
    /// Arrives at a barrier.
    Arrive,
    /// Goes on behind a barrier that has opened.
    Pass,
    /// Comes to a one-time initialization.
    Once,
    /// Completes a one-time initialization.
    OnceDone,
    /// Takes one from a semaphore, waiting until there is one.
    SemWait,
    /// Takes one from a semaphore if there is one.
    SemTryWait,
    /// Takes one from a semaphore, or gives up after a time.
    SemTimedWait,
    /// Gives one to a semaphore.
    Post,
    /// Asks for the value of a semaphore.
    GetValue,
}

impl Deed {
    /// All of them.
    pub const ALL: [Deed; 24] = [
        Deed::Init,
        Deed::Destroy,
        Deed::Lock,
        Deed::TryLock,
        Deed::TimedLock,
        Deed::ReadLock,
        Deed::TryReadLock,
        Deed::TimedReadLock,
        Deed::WriteLock,
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

    /// The word for it in JSON, the same in a schedule and in an order.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Deed::Init => "init",
            Deed::Destroy => "destroy",
            Deed::Lock | Deed::WriteLock => "lock",
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

    /// Whether it takes a lock if it succeeds. The end of a wait on a condition variable takes its
    /// mutex again, but is no lock operation of the program.
    #[must_use]
    pub fn takes_lock(self) -> bool {
        self.is_shared()
            || matches!(self, Deed::Lock | Deed::WriteLock | Deed::TryLock | Deed::TimedLock)
    }

    /// Whether it takes a lock that several threads may hold at once.
    #[must_use]
    pub fn is_shared(self) -> bool {
        matches!(self, Deed::ReadLock | Deed::TryReadLock | Deed::TimedReadLock)
    }

    /// Whether it takes one from a semaphore if it succeeds.
    #[must_use]
    pub fn takes_from_semaphore(self) -> bool {
        matches!(self, Deed::SemWait | Deed::SemTryWait | Deed::SemTimedWait)
    }

    /// Whether it may come back without what it asked for, at once or after a time.
    #[must_use]
    pub fn is_attempt(self) -> bool {
        matches!(
            self,
            Deed::TryLock
                | Deed::TimedLock
                | Deed::TryReadLock
                | Deed::TimedReadLock
                | Deed::SemTryWait
                | Deed::SemTimedWait
        )
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    #[test]
    fn every_deed_is_listed_once_and_has_a_code_of_its_own() {
        let mut codes: Vec<&str> = Deed::ALL.iter().map(|deed| deed.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        // Two deeds share `lock`.
        assert_eq!(codes.len(), Deed::ALL.len() - 1);
        for (at, deed) in Deed::ALL.into_iter().enumerate() {
            assert_eq!(deed as usize, at, "{deed:?}");
        }
    }

    #[test]
    fn what_may_give_up_takes_something() {
        for deed in Deed::ALL.into_iter().filter(|deed| deed.is_attempt()) {
            assert!(deed.takes_lock() != deed.takes_from_semaphore(), "{deed:?}");
        }
    }
}
