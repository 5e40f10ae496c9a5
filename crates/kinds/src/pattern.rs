//! What goes wrong, in the words of the field.

/// The name of a concurrency bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// A region that should be one step is interrupted.
    AtomicityViolation {
        /// The orders concern several variables.
        multi_variable: bool,
    },
    /// Two steps come in the wrong order.
    OrderViolation,
    /// Memory is read before it gets its first value.
    UseBeforeInitialization,
    /// Memory is used after it was given back.
    UseAfterFree,
    /// Threads wait for each other.
    Deadlock,
    /// A thread waits for a signal that was given too early, or to another.
    LostWakeup,
    /// Two accesses that nothing orders.
    DataRace,
    /// It fails in every order: not a concurrency bug.
    Sequential,
}

impl Pattern {
    /// All of them; of an atomicity violation, the one of a single variable.
    pub const ALL: [Pattern; 8] = [
        Pattern::AtomicityViolation { multi_variable: false },
        Pattern::OrderViolation,
        Pattern::UseBeforeInitialization,
        Pattern::UseAfterFree,
        Pattern::Deadlock,
        Pattern::LostWakeup,
        Pattern::DataRace,
        Pattern::Sequential,
    ];

    /// Its name in JSON and in corpus headers.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Pattern::AtomicityViolation { .. } => "atomicity violation",
            Pattern::OrderViolation => "order violation",
            Pattern::UseBeforeInitialization => "use before initialization",
            Pattern::UseAfterFree => "use after free",
            Pattern::Deadlock => "deadlock",
            Pattern::LostWakeup => "lost wakeup",
            Pattern::DataRace => "data race",
            Pattern::Sequential => "sequential",
        }
    }
}
