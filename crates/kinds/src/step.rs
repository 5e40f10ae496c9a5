//! What a thread does in one step of a run.

use crate::Deed;

/// What a thread does that others can notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// Read of shared memory.
    Read,
    /// Write of shared memory.
    Write,
    /// Atomic read-modify-write.
    Update,
    /// Compare-and-swap that found another value.
    FailedUpdate,
    /// Free of a heap block that others can reach.
    Free,
    /// Operation on a synchronization object.
    Sync {
        /// What it does.
        deed: Deed,
        /// Its error code, once it is complete.
        code: Option<i32>,
    },
    /// End of a wait on a condition variable without a signal.
    SpuriousWake,
    /// Creation of this thread.
    Create(u32),
    /// Join of this thread.
    Join(u32),
    /// End of the thread.
    End,
    /// End of the process with this exit code.
    Exit(i32),
    /// An input.
    Input,
    /// A failed `assume`.
    AssumeFailed,
    /// The program prints something.
    Output,
    /// A local variable got a value; nobody else notices.
    Local,
}

impl StepKind {
    /// The word for it in JSON.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            StepKind::Read => "read",
            StepKind::Write => "write",
            StepKind::Update => "update",
            StepKind::FailedUpdate => "failed-update",
            StepKind::Free => "free",
            StepKind::Sync { deed, .. } => deed.code(),
            StepKind::SpuriousWake => Deed::Wake.code(),
            StepKind::Create(_) => "create",
            StepKind::Join(_) => "join",
            StepKind::End => "end",
            StepKind::Exit(_) => "exit",
            StepKind::Input => "input",
            StepKind::AssumeFailed => "assume-failed",
            StepKind::Output => "output",
            StepKind::Local => "local",
        }
    }

    /// Whether it reads or writes memory.
    #[must_use]
    pub fn is_access(self) -> bool {
        matches!(self, StepKind::Read | StepKind::FailedUpdate) || self.is_write()
    }

    /// Whether it writes memory.
    #[must_use]
    pub fn is_write(self) -> bool {
        matches!(self, StepKind::Write | StepKind::Update)
    }

    /// What it does to a synchronization object, if it is such a step.
    #[must_use]
    pub fn deed(self) -> Option<Deed> {
        match self {
            StepKind::Sync { deed, .. } => Some(deed),
            StepKind::SpuriousWake => Some(Deed::Wake),
            _ => None,
        }
    }
}

/// Where an input of a run comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InputSource {
    /// A function that returns an arbitrary value: `__VERIFIER_nondet_…`, `rand`.
    Call(String),
    /// Memory or a local that was never written.
    Uninitialized,
    /// Which of two objects lies lower in memory.
    Layout,
}
