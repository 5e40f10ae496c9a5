//! Why a change is not offered, and why there is no repair.
//!
//! Messages of the compiler and of the writer of patches are carried as they are; nothing decides on
//! them.

use super::RunFailure;
use crate::{ReasonKind, Unmodelled, ViolationKind};

/// Why a change is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyRefused {
    /// It cannot be written in this source; the message says what is in the way.
    NotWritten(String),
    /// Two of its edits overlap.
    EditsOverlap,
    /// It does not compile without new warnings; the message is the compiler's.
    NotCompiled(String),
    /// Some schedule of the patched program fails.
    StillFails {
        /// What goes wrong.
        kind: Box<ViolationKind>,
        /// The line in the patched file, if it is known.
        line: Option<u32>,
    },
    /// The check of the patched program has no answer.
    NotVerified {
        /// The first reason that the check gives, if there is one.
        reason: Option<ReasonKind>,
    },
    /// Every schedule passes, but a data race is left on the data that it mends.
    LeavesRace,
    /// No run of the patched program comes to its end.
    NeverEnds,
    /// Some thread may stay in a loop of the patched program for ever.
    MayHang,
    /// Every schedule passes, but a run of the compiled program fails: a bug of ours.
    FailsWhenRun {
        /// How it fails.
        how: RunFailure,
        /// Which of the runs, from 1.
        run: u32,
        /// With delays at the changed places.
        delayed: bool,
    },
}

/// Why there is no repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNone {
    /// There is no diagnosis to start from.
    NotDiagnosed,
    /// The program fails in every schedule.
    FailsInEverySchedule,
    /// The diagnosis knows no order that causes the failure.
    NoOrderKnown,
    /// The program uses something that is not modelled, so that no change can be verified.
    NotModelled(Unmodelled),
    /// No change can be written in this source.
    NothingWritten,
    /// None of the changes that were tried makes every schedule pass.
    NoneHelps,
    /// It was stopped before a change was verified.
    Stopped,
}
