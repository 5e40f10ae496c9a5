//! What a handler gives: a change, written or refused.

use unravel_kinds::repair::{Change, Cost};
use unravel_patch::{Edit, Refusal};
use unravel_repair::SourceOrder;

/// One way to meet a requirement, or to remove a cause.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// What is changed.
    pub change: Change,
    /// The edits with their cost; or why they cannot be written.
    pub written: Result<Written, Refusal>,
    /// The order that the change enforces, where that is more than what is required.
    pub enforces: Option<SourceOrder>,
    /// Whether it is tried only after the other attempts for the same requirement.
    pub is_last_resort: bool,
}

/// The edits of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The edits; none if the source has the change already.
    pub edits: Vec<Edit>,
    /// What they add to the program.
    pub cost: Cost,
}

/// A change that cannot be written.
#[derive(Clone, Debug)]
pub struct Unwritten {
    /// What would have been changed.
    pub change: Change,
    /// What is in the way.
    pub why: Refusal,
}

impl Attempt {
    /// A change with its cost.
    #[must_use]
    pub fn new(change: Change, cost: Cost, edits: Result<Vec<Edit>, Refusal>) -> Attempt {
        let written = edits.map(|edits| Written { edits, cost });
        Attempt { change, written, enforces: None, is_last_resort: false }
    }

    /// The same change, which enforces this order.
    #[must_use]
    pub fn enforcing(self, order: Option<SourceOrder>) -> Attempt {
        Attempt { enforces: order, ..self }
    }

    /// The edits, if they are written.
    #[must_use]
    pub fn edits(&self) -> Option<&[Edit]> {
        self.written.as_ref().ok().map(|it| it.edits.as_slice())
    }
}

/// The attempts that change something; those that cannot be written are added to `unwritten`.
pub(crate) fn only_written(attempts: Vec<Attempt>, unwritten: &mut Vec<Unwritten>) -> Vec<Attempt> {
    let mut kept = Vec::new();
    for attempt in attempts {
        match &attempt.written {
            Ok(written) if written.edits.is_empty() => {}
            Ok(_) => kept.push(attempt),
            Err(why) => {
                let why = why.clone();
                unwritten.push(Unwritten { change: attempt.change, why });
            }
        }
    }
    kept
}
