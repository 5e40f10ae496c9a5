//! Repairs: the kinds of change that make every schedule pass, and what each change is, as data.
//!
//! - [`RepairKind`]: the kind of a repair;
//! - [`Change`]: what is changed, one variant per kind, with the lines, names and numbers that a
//!   title needs. [`Changes`] are all changes of one repair;
//! - [`Because`]: why a change helps;
//! - [`Code`], [`CodeOrder`], [`Required`]: lines of the source, and what a repair enforces on them;
//! - [`Cost`]: what a change adds to the program;
//! - [`WhyRefused`], [`WhyNone`]: why a change is not offered, and why there is none at all.

mod code;
mod cost;
mod refusal;
mod tried;

pub use code::{Code, CodeOrder, Required};
pub use cost::{Cost, Costs};
pub use refusal::{WhyNone, WhyRefused};
pub use tried::{RunFailure, Tried, WhyNotRun};

/// The kind of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RepairKind {
    /// Regions are guarded by a mutex.
    Mutex,
    /// A critical section that exists is made longer.
    Widen,
    /// An update becomes one atomic operation.
    Atomic,
    /// A statement moves.
    Move,
    /// A thread is joined earlier, or created later.
    Join,
    /// One thread waits until another has come to a step.
    SignalWait,
    /// Locks are taken in one order.
    LockOrder,
    /// A wait on a condition variable is repeated until its predicate holds.
    PredicateLoop,
}

impl RepairKind {
    /// All of them, in the order they are documented.
    pub const ALL: [RepairKind; 8] = [
        RepairKind::Mutex,
        RepairKind::Widen,
        RepairKind::Atomic,
        RepairKind::Move,
        RepairKind::Join,
        RepairKind::SignalWait,
        RepairKind::LockOrder,
        RepairKind::PredicateLoop,
    ];

    /// The word for it in JSON, on the command line and in corpus headers.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            RepairKind::Mutex => "mutex",
            RepairKind::Widen => "widen",
            RepairKind::Atomic => "atomic",
            RepairKind::Move => "move",
            RepairKind::Join => "join",
            RepairKind::SignalWait => "signal-wait",
            RepairKind::LockOrder => "lock-order",
            RepairKind::PredicateLoop => "predicate-loop",
        }
    }

    /// The kind with this code.
    #[must_use]
    pub fn named(code: &str) -> Option<RepairKind> {
        RepairKind::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// One change of the source. It has only what its title shows, so that two changes are equal exactly
/// if their titles are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Code is guarded by a mutex.
    Mutex {
        /// The code, each part once.
        what: Vec<Code>,
        /// The mutex.
        with: GuardedBy,
    },
    /// A critical section that exists is made longer.
    Widen {
        /// The code that the section holds afterwards, each part once.
        what: Vec<Code>,
        /// The mutex of the section.
        held: HeldBy,
        /// Functions that took the mutex themselves; now their callers take it.
        callers_lock_for: Vec<String>,
    },
    /// Each update of a variable becomes one atomic operation.
    Atomic {
        /// The variable, as the source writes it.
        variable: String,
    },
    /// A statement moves.
    Move {
        /// The line of the statement.
        line: u32,
        /// The line that it comes before.
        before: Code,
    },
    /// A thread is joined earlier, or created later.
    Join(Join),
    /// One thread waits until another has come to a step.
    SignalWait(SignalWait),
    /// Locks are taken in one order.
    LockOrder(LockOrder),
    /// The use of a condition variable is mended.
    PredicateLoop(PredicateLoop),
}

impl Change {
    /// The kind of repair that makes such a change.
    #[must_use]
    pub fn kind(&self) -> RepairKind {
        match self {
            Change::Mutex { .. } => RepairKind::Mutex,
            Change::Widen { .. } => RepairKind::Widen,
            Change::Atomic { .. } => RepairKind::Atomic,
            Change::Move { .. } => RepairKind::Move,
            Change::Join(_) => RepairKind::Join,
            Change::SignalWait(_) => RepairKind::SignalWait,
            Change::LockOrder(_) => RepairKind::LockOrder,
            Change::PredicateLoop(_) => RepairKind::PredicateLoop,
        }
    }
}

/// The mutex that guards code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuardedBy {
    /// A mutex that the repair declares, by its name.
    NewMutex(String),
    /// A mutex that the program has, as the source writes it.
    Mutex(String),
    /// A lock that the program takes by a statement of its own: `spin_lock(&guard)`.
    Statement(String),
}

/// The mutex of a critical section that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldBy {
    /// A mutex, as the source writes it.
    Mutex(String),
    /// A lock that the program takes and gives back by statements of its own.
    Statements {
        /// The statement that takes the lock.
        take: String,
        /// The statement that gives it back.
        give: String,
    },
}

/// Where a thread is joined or created. Threads are named by their start function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Join {
    /// A thread is joined before a step of the thread that created it.
    Thread {
        /// The thread that is joined.
        thread: String,
        /// The step.
        before: Code,
        /// The join that is taken away for it, if that is in another function.
        instead_of: Option<Code>,
    },
    /// A thread is joined before another one is created.
    BeforeCreation {
        /// The thread that is joined.
        thread: String,
        /// The thread that is created afterwards.
        other: String,
    },
    /// Of threads that a loop creates, each is joined before the next is created.
    EachBeforeNext {
        /// Their start function.
        thread: String,
    },
    /// Of two threads with one start function, the first is joined before a statement.
    FirstThread {
        /// The statement.
        before: Code,
        /// Whether the statement is the creation of the second thread.
        is_creation: bool,
    },
    /// A statement moves before the creation of a thread.
    StatementFirst {
        /// The statement.
        statement: Code,
        /// The thread.
        thread: String,
    },
    /// The creation of a thread moves behind a statement.
    CreatedAfter {
        /// The thread.
        thread: String,
        /// The statement.
        statement: Code,
    },
}

/// Which step waits for which, with a flag and a condition variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignalWait {
    /// A step waits for a step of another thread.
    Step {
        /// The step that waits.
        waiting: Code,
        /// The step that it waits for.
        awaited: Code,
    },
    /// The creation of a thread waits for a step of another one.
    Creation {
        /// Where the thread is created.
        creation: Code,
        /// The step that the creation waits for.
        awaited: Code,
    },
    /// Of threads that a loop creates, the next is created when the last has passed a line.
    NextCreation {
        /// Their start function.
        thread: String,
        /// The line.
        passed: u32,
    },
}

/// In which order locks are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockOrder {
    /// The lock that was taken second is taken first.
    InnerFirst {
        /// The line that took the inner lock.
        inner: u32,
        /// Where the outer lock was taken.
        outer: Code,
    },
    /// The locks are taken in the order of their addresses.
    ByAddress {
        /// The lines that take them.
        lines: Vec<u32>,
    },
}

/// What is changed in the use of a condition variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PredicateLoop {
    /// What is waited for is tested again after these waits.
    TestAgain {
        /// The waits.
        waits: Vec<Code>,
    },
    /// What is waited for is tested again after the wait, and the signal is sent under the mutex.
    TestAgainAndLockSignal {
        /// The wait.
        wait: Code,
    },
    /// The signal is sent under the mutex.
    LockSignal {
        /// The signal.
        signal: Code,
    },
    /// What is waited for is changed, and the signal sent, under the mutex.
    LockChangeAndSignal {
        /// The signal.
        signal: Code,
    },
    /// What is waited for is changed under the mutex, and all waiters are woken.
    LockChangeAndWakeAll {
        /// The signal that wakes all of them.
        signal: Code,
    },
    /// All waiters are woken instead of one.
    WakeAll {
        /// The signal that wakes all of them.
        signal: Code,
    },
    /// All waiters are woken, under the mutex.
    WakeAllLocked {
        /// The signal that wakes all of them.
        signal: Code,
    },
    /// The signal is remembered in a new flag, which the wait tests.
    RememberSignal,
}

/// All changes that one repair makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Changes of one round are made to the same text. Those of a later round are made to the text
    /// that the rounds before give. Most repairs have one round with one change.
    pub rounds: Vec<Vec<Change>>,
}

impl Changes {
    /// One round of changes.
    #[must_use]
    pub fn of(changes: Vec<Change>) -> Changes {
        Changes { rounds: vec![changes] }
    }

    /// These changes, then others.
    #[must_use]
    pub fn then(&self, others: &Changes) -> Changes {
        Changes { rounds: [self.rounds.as_slice(), &others.rounds].concat() }
    }
}

/// Why a repair helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// What the repair requires ([`Required`]) excludes the failing runs.
    Required,
    /// As [`Because::Required`], where code that excludes each other is an atomic operation.
    RequiredByAtomics,
    /// The orders of the failing runs cannot happen any more; more is not known.
    OrdersExcluded,
    /// All threads take the locks in one order.
    OneLockOrder,
    /// A wait ends only when what it waits for holds.
    WaitTests,
    /// What other threads are told of is written before they are told.
    WrittenFirst,
    /// Another thread that takes the mutex has to wait for the whole section.
    WholeSection,
}
