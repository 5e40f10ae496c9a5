//! What a run met that limits what may be concluded from it.

use std::collections::BTreeSet;

use unravel_program::SiteId;

/// A remark on what was cut or not modelled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Note {
    /// A bound was reached: more behaviour exists.
    Bound {
        /// The loop, call or creation that was cut.
        site: SiteId,
        /// What was cut, as a clause: "this loop ran 8 times; more iterations are possible".
        what: String,
    },
    /// A construct that is not modelled was reached.
    Unsupported {
        /// Where.
        site: SiteId,
        /// What, as a noun phrase.
        what: String,
    },
    /// A function without a model was called that is known to do nothing but return a value: it is
    /// arbitrary here.
    External {
        /// Where.
        site: SiteId,
        /// Its name.
        name: String,
    },
}

/// A set of remarks, in a fixed order.
pub type Notes = BTreeSet<Note>;

impl Note {
    /// Whether it turns *safe* into *inconclusive*.
    #[must_use]
    pub fn limits(&self) -> bool {
        !matches!(self, Note::External { .. })
    }

    /// Its place.
    #[must_use]
    pub fn site(&self) -> SiteId {
        match self {
            Note::Bound { site, .. }
            | Note::Unsupported { site, .. }
            | Note::External { site, .. } => *site,
        }
    }
}
