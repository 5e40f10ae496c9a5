//! What a run can violate (DESIGN §2).

pub use unravel_kinds::{Properties, Property};
use unravel_kinds::{Related, ViolationKind};
use unravel_program::SiteId;

use crate::state::ThreadId;

/// A violation: the step at which a run goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What goes wrong.
    pub kind: ViolationKind,
    /// The thread that takes the step; for a deadlock one of those that cannot.
    pub thread: ThreadId,
    /// The place of the step.
    pub site: SiteId,
    /// Other places that belong to it.
    pub related: Vec<(SiteId, Related)>,
}

impl Violation {
    /// The property that is violated.
    #[must_use]
    pub fn property(&self) -> Property {
        self.kind.property()
    }

    /// Whether another violation goes wrong in the same way at the same place. Which threads or
    /// values are involved does not count.
    #[must_use]
    pub fn is_same(&self, other: &Violation) -> bool {
        let key = |it: &Violation| (it.property(), it.kind.code(), it.site);
        key(self) == key(other)
    }
}
