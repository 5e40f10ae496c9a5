//! Synchronization objects, and how they can be misused.

/// Kind of synchronization object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are POSIX's")]
pub enum Class {
    Mutex,
    Spin,
    Rw,
    Cond,
    Barrier,
    Once,
    Sem,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 7] = [
        Class::Mutex,
        Class::Spin,
        Class::Rw,
        Class::Cond,
        Class::Barrier,
        Class::Once,
        Class::Sem,
    ];

    /// Whether zeroed memory is a valid object, as after `PTHREAD_MUTEX_INITIALIZER`.
    #[must_use]
    pub fn has_static_initializer(self) -> bool {
        matches!(self, Class::Mutex | Class::Rw | Class::Cond | Class::Once)
    }

    /// The first bytes of such an object, which say what it is: a write over them begins it anew.
    #[must_use]
    pub fn footprint(self) -> u64 {
        match self {
            Class::Spin | Class::Once => 4,
            _ => 8,
        }
    }

    /// The bytes that such an object takes in glibc on x86, for a width of pointers: what lies
    /// there must be memory.
    #[must_use]
    pub fn size(self, pointer_bytes: u64) -> u64 {
        let wide = pointer_bytes == 8;
        match self {
            Class::Spin | Class::Once => 4,
            Class::Cond => 48,
            Class::Mutex => {
                if wide {
                    40
                } else {
                    24
                }
            }
            Class::Rw => {
                if wide {
                    56
                } else {
                    32
                }
            }
            Class::Barrier => {
                if wide {
                    32
                } else {
                    20
                }
            }
            Class::Sem => {
                if wide {
                    32
                } else {
                    16
                }
            }
        }
    }

    /// Whether threads hold such an object: a mutex, spin lock or read-write lock.
    #[must_use]
    pub fn is_lock(self) -> bool {
        matches!(self, Class::Mutex | Class::Spin | Class::Rw)
    }
}

/// Misuse of a synchronization object or of a thread (property `misuse`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Misuse {
    /// The object was never initialized.
    Uninitialized,
    /// The object was destroyed before.
    AfterDestroy,
    /// The thread locks a non-recursive lock that it already holds.
    Relock,
    /// Nobody holds the lock that is unlocked.
    UnlockNotHeld,
    /// Another thread holds the lock that is unlocked.
    UnlockHeldByOther,
    /// The object that is destroyed is in use.
    DestroyInUse,
    /// The object that is initialized is in use.
    InitInUse,
    /// The thread waits on a condition variable without holding its mutex.
    WaitWithoutMutex,
    /// The thread waits on a condition variable where others wait with another mutex.
    WaitWithOtherMutex,
    /// The key of thread-specific data was deleted before.
    DeletedKey,
    /// The thread that is joined was already joined or detached.
    JoinTwice,
    /// The thread joins itself.
    JoinSelf,
    /// The thread that is detached was already joined or detached.
    DetachTwice,
}

impl Misuse {
    /// All of them.
    pub const ALL: [Misuse; 13] = [
        Misuse::Uninitialized,
        Misuse::AfterDestroy,
        Misuse::Relock,
        Misuse::UnlockNotHeld,
        Misuse::UnlockHeldByOther,
        Misuse::DestroyInUse,
        Misuse::InitInUse,
        Misuse::WaitWithoutMutex,
        Misuse::WaitWithOtherMutex,
        Misuse::DeletedKey,
        Misuse::JoinTwice,
        Misuse::JoinSelf,
        Misuse::DetachTwice,
    ];

    /// The word for it in JSON.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Misuse::Uninitialized => "uninitialized-sync",
            Misuse::AfterDestroy => "use-after-destroy",
            Misuse::Relock => "relock",
            Misuse::UnlockNotHeld => "unlock-not-held",
            Misuse::UnlockHeldByOther => "unlock-of-another",
            Misuse::DestroyInUse => "destroy-in-use",
            Misuse::InitInUse => "init-in-use",
            Misuse::WaitWithoutMutex => "wait-without-mutex",
            Misuse::WaitWithOtherMutex => "wait-with-other-mutex",
            Misuse::DeletedKey => "deleted-key",
            Misuse::JoinTwice => "join-twice",
            Misuse::JoinSelf => "join-self",
            Misuse::DetachTwice => "detach-twice",
        }
    }
}
