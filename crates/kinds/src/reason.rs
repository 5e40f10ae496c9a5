//! Why an answer is inconclusive.

use crate::{Cut, StopReason, Unmodelled};

/// What makes an answer inconclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReasonKind {
    /// A bound was reached.
    Bound {
        /// What it cut.
        cut: Cut,
        /// The bound on loops that the user set, if one was.
        unwind: Option<u32>,
    },
    /// Something is not modelled.
    Unmodelled(Unmodelled),
    /// An input is too wide to try every value.
    Inputs,
    /// No run comes to its end.
    NoEnd,
    /// There are too many states.
    States,
    /// The time, the memory or the user's patience ended.
    Budget(StopReason),
    /// A single run that passes shows nothing about the others.
    OneRun,
    /// A single run that was not completed.
    Incomplete,
}

impl ReasonKind {
    /// The word for it in JSON.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ReasonKind::Bound { .. } => "bound",
            ReasonKind::Unmodelled(_) => "unsupported",
            ReasonKind::Inputs => "inputs",
            ReasonKind::NoEnd => "no-end",
            ReasonKind::States => "states",
            ReasonKind::Budget(StopReason::Interrupted) => "interrupted",
            ReasonKind::Budget(_) => "budget",
            ReasonKind::OneRun => "one-run",
            ReasonKind::Incomplete => "incomplete",
        }
    }

    /// Whether it is a bound on loops, calls, threads or memory.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        matches!(self, ReasonKind::Bound { .. })
    }
}
