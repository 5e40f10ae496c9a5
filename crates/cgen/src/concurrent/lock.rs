//! Locks other than plain mutexes: of the library, and made by hand.

use super::construct::Construct;
use super::generator::Gen;
use super::objects::{ERRORCHECK, MTX, RECURSIVE, RECURSIVE_MTX, RWLOCK, SPIN};
use super::tree::{Item, parts};

/// What a lock consists of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum LockKind {
    Mutex,
    /// A semaphore with one token.
    Semaphore,
    /// The write lock of a read-write lock.
    Write,
    Spin,
    /// A recursive mutex, locked twice.
    Recursive,
    ErrorCheck,
    Mtx,
    RecursiveMtx,
    /// A mutex that is tried until it is free.
    Tried,
    Exchange,
    CompareExchange,
    SyncBuiltin,
    Flag,
}

/// A lock of the program.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Lock {
    pub(super) kind: LockKind,
    pub(super) name: String,
}

const KINDS: &[(u32, LockKind)] = &[
    (10, LockKind::Semaphore),
    (10, LockKind::Write),
    (14, LockKind::Spin),
    (14, LockKind::Recursive),
    (14, LockKind::ErrorCheck),
    (8, LockKind::Mtx),
    (13, LockKind::RecursiveMtx),
    (8, LockKind::Tried),
    (8, LockKind::Exchange),
    (8, LockKind::CompareExchange),
    (5, LockKind::SyncBuiltin),
    (28, LockKind::Flag),
];

/// Kinds whose waiters stand still, so that waiting in a circle is a deadlock.
const BLOCKING: &[(u32, LockKind)] = &[
    (14, LockKind::Mutex),
    (8, LockKind::Semaphore),
    (8, LockKind::Write),
    (8, LockKind::Spin),
    (6, LockKind::ErrorCheck),
    (6, LockKind::Recursive),
    (8, LockKind::Mtx),
];

impl Gen {
    /// A new lock of any kind but a plain mutex.
    pub(super) fn any_lock(&mut self) -> Lock {
        let kind = self.rng.weighted(KINDS);
        self.lock(kind)
    }

    /// A new lock whose waiters stand still.
    pub(super) fn blocking_lock(&mut self) -> Lock {
        let kind = self.rng.weighted(BLOCKING);
        self.lock(kind)
    }

    /// A new lock.
    pub(super) fn lock(&mut self, kind: LockKind) -> Lock {
        let name = match kind {
            LockKind::Mutex | LockKind::Tried => self.new_mutex(),
            LockKind::Semaphore => self.semaphore(1),
            LockKind::Write => self.object(&RWLOCK),
            LockKind::Spin => self.object(&SPIN),
            LockKind::Recursive => self.object(&RECURSIVE),
            LockKind::ErrorCheck => self.object(&ERRORCHECK),
            LockKind::Mtx => self.object(&MTX),
            LockKind::RecursiveMtx => self.object(&RECURSIVE_MTX),
            LockKind::Exchange | LockKind::CompareExchange => self.by_hand("atomic_int", ""),
            LockKind::SyncBuiltin => self.by_hand("int", ""),
            LockKind::Flag => self.by_hand("atomic_flag", " = ATOMIC_FLAG_INIT"),
        };
        Lock { kind, name }
    }

    fn by_hand(&mut self, ty: &str, initializer: &str) -> String {
        let name = self.name("lk");
        let parts = parts![format!("{ty} {name}{initializer};"), Construct::HandMadeLock];
        self.globals.push(Item { name: name.clone(), parts });
        name
    }
}

impl Lock {
    /// The statement that takes it.
    pub(super) fn acquire(&self) -> String {
        let name = &self.name;
        match self.kind {
            LockKind::Mutex => format!("pthread_mutex_lock(&{name});"),
            LockKind::Semaphore => format!("sem_wait(&{name});"),
            LockKind::Write => format!("pthread_rwlock_wrlock(&{name});"),
            LockKind::Spin => format!("pthread_spin_lock(&{name});"),
            LockKind::Recursive => {
                format!("pthread_mutex_lock(&{name}); pthread_mutex_lock(&{name});")
            }
            LockKind::ErrorCheck => format!("if (pthread_mutex_lock(&{name})) abort();"),
            LockKind::Mtx => format!("mtx_lock(&{name});"),
            LockKind::RecursiveMtx => format!("mtx_lock(&{name}); mtx_lock(&{name});"),
            LockKind::Tried => format!("while (pthread_mutex_trylock(&{name})) ;"),
            LockKind::Exchange => format!("while (atomic_exchange(&{name}, 1)) ;"),
            LockKind::CompareExchange => {
                format!("while (!atomic_compare_exchange_strong(&{name}, &(int){{0}}, 1)) ;")
            }
            LockKind::SyncBuiltin => {
                format!("while (!__sync_bool_compare_and_swap(&{name}, 0, 1)) ;")
            }
            LockKind::Flag => format!("while (atomic_flag_test_and_set(&{name})) ;"),
        }
    }

    /// The statement that gives it back.
    pub(super) fn release(&self) -> String {
        let name = &self.name;
        match self.kind {
            LockKind::Mutex | LockKind::Tried => format!("pthread_mutex_unlock(&{name});"),
            LockKind::Semaphore => format!("sem_post(&{name});"),
            LockKind::Write => format!("pthread_rwlock_unlock(&{name});"),
            LockKind::Spin => format!("pthread_spin_unlock(&{name});"),
            LockKind::Recursive => {
                format!("pthread_mutex_unlock(&{name}); pthread_mutex_unlock(&{name});")
            }
            LockKind::ErrorCheck => format!("if (pthread_mutex_unlock(&{name})) abort();"),
            LockKind::Mtx => format!("mtx_unlock(&{name});"),
            LockKind::RecursiveMtx => format!("mtx_unlock(&{name}); mtx_unlock(&{name});"),
            LockKind::Exchange | LockKind::CompareExchange => format!("atomic_store(&{name}, 0);"),
            LockKind::SyncBuiltin => format!("__sync_lock_release(&{name});"),
            LockKind::Flag => format!("atomic_flag_clear(&{name});"),
        }
    }

    /// Statements in place of those two that do not keep the others out, though they look alike.
    pub(super) fn mistaken(&self) -> Option<(String, String)> {
        let name = &self.name;
        let acquire = match self.kind {
            LockKind::Write => format!("pthread_rwlock_rdlock(&{name});"),
            // The test and the change are two steps.
            LockKind::Exchange | LockKind::CompareExchange => {
                format!("while (atomic_load(&{name})) {{}} atomic_store(&{name}, 1);")
            }
            LockKind::SyncBuiltin => format!("while ({name}) {{}} {name} = 1;"),
            _ => return None,
        };
        Some((acquire, self.release()))
    }
}
