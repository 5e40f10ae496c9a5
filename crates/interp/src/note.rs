//! What a run met that limits what may be concluded from it.

use std::collections::BTreeSet;

use unravel_kinds::{Cut, Unmodelled};
use unravel_program::SiteId;

/// A remark on what was cut or not modelled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Note {
    /// A bound was reached: more behaviour exists.
    Bound {
        /// The loop, call or creation that was cut.
        site: SiteId,
        /// What was cut.
        what: Cut,
    },
    /// A construct that is not modelled was reached.
    Unsupported {
        /// The place in the source.
        site: SiteId,
        /// What is not modelled.
        what: Unmodelled,
    },
}

/// A set of remarks, in a fixed order.
pub type Notes = BTreeSet<Note>;

impl Note {
    /// The place that it is about.
    #[must_use]
    pub fn site(&self) -> SiteId {
        match self {
            Note::Bound { site, .. } | Note::Unsupported { site, .. } => *site,
        }
    }
}
