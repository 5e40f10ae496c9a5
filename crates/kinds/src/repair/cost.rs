//! What changes add to a program.

/// What one change adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Nothing: statements change places.
    Nothing,
    /// No lock, where a lock would be the usual way.
    NoLock,
    /// No lock beside those that the program has.
    NoNewLock,
    /// Critical sections.
    Sections {
        /// Whether their mutex is new.
        new_mutex: bool,
        /// How many sections there are.
        sections: usize,
        /// How many statements of the user they hold.
        statements: usize,
    },
    /// A flag with a mutex and a condition variable of its own.
    Flag,
    /// A thread waits until another one has ended.
    WaitsForEnd,
    /// Two threads never run at the same time.
    NeverTogether,
}

impl Cost {
    /// Whether the change declares a mutex.
    #[must_use]
    pub fn has_new_mutex(&self) -> bool {
        matches!(self, Cost::Flag | Cost::Sections { new_mutex: true, .. })
    }
}

/// What all changes of one repair add, by rounds as in [`Changes`](super::Changes).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// One cost for each change.
    pub rounds: Vec<Vec<Cost>>,
}

impl Costs {
    /// The costs of one round.
    #[must_use]
    pub fn of(costs: Vec<Cost>) -> Costs {
        Costs { rounds: vec![costs] }
    }

    /// These costs, then others.
    #[must_use]
    pub fn then(&self, others: &Costs) -> Costs {
        Costs { rounds: [self.rounds.as_slice(), &others.rounds].concat() }
    }

    /// Whether a mutex is declared.
    #[must_use]
    pub fn has_new_mutex(&self) -> bool {
        self.rounds.iter().flatten().any(Cost::has_new_mutex)
    }
}
