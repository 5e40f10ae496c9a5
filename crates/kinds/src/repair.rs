//! Kinds of change that make every schedule pass.

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
