//! What belongs to a violation beside its own place.

use crate::{SyncClass, Variable};

/// Something else that a violation is about, each with a place of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Related {
    /// The other access of a data race.
    OtherAccess {
        /// The thread of that access.
        thread: u32,
    },
    /// The thread that holds the lock that is misused.
    HeldBy {
        /// The thread.
        thread: u32,
    },
    /// A thread of a deadlock, and what it waits for.
    Waits(Wait),
    /// A thread of a hang, and what it turns its loop for.
    Spins(Spin),
    /// The step in which a thread of a deadlock took a lock that it still holds.
    Took {
        /// The thread.
        thread: u32,
        /// The lock.
        lock: Variable,
    },
}

/// A thread that turns a loop in which nothing changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spin {
    /// The thread.
    pub thread: u32,
    /// What the loop looks at: one of these has to change.
    pub until: Vec<Variable>,
    /// Other threads whose code would change one of them further on, or who hold it.
    pub others: Vec<u32>,
}

/// A thread that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    /// The thread that waits.
    pub thread: u32,
    /// What it waits for.
    pub awaited: Awaited,
    /// The thread that holds it, if it is held in a circle of waiting threads.
    pub held_by: Option<u32>,
}

/// What a thread can wait for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Awaited {
    /// Nothing is known that it waits for.
    Nothing,
    /// The end of a thread.
    End {
        /// The thread that has to end.
        thread: u32,
    },
    /// A signal of a condition variable.
    Signal(Variable),
    /// A lock, semaphore, barrier or once control.
    Object(SyncClass, Variable),
}

impl Related {
    /// The same with other names of variables.
    #[must_use]
    pub fn renamed(&self, rename: &impl Fn(&Variable) -> Variable) -> Related {
        match self {
            Related::Waits(wait) => {
                let awaited = match &wait.awaited {
                    Awaited::Signal(cond) => Awaited::Signal(rename(cond)),
                    Awaited::Object(class, object) => Awaited::Object(*class, rename(object)),
                    other => other.clone(),
                };
                Related::Waits(Wait { awaited, ..wait.clone() })
            }
            Related::Spins(spin) => {
                let until = spin.until.iter().map(rename).collect();
                Related::Spins(Spin { until, ..spin.clone() })
            }
            Related::Took { thread, lock } => Related::Took { thread: *thread, lock: rename(lock) },
            other => other.clone(),
        }
    }

    /// The wait, if it is one.
    #[must_use]
    pub fn as_wait(&self) -> Option<&Wait> {
        match self {
            Related::Waits(wait) => Some(wait),
            _ => None,
        }
    }
}

impl Wait {
    /// Whether the thread waits for a signal. Who was woken and waits for the mutex does not.
    #[must_use]
    pub fn is_for_signal(&self) -> bool {
        matches!(self.awaited, Awaited::Signal(_))
    }
}
