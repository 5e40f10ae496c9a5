//! What a run can violate (DESIGN §2).

pub use unravel_kinds::{Properties, Property};
use unravel_program::SiteId;

use crate::state::ThreadId;

/// Every kind of violation with its property: the stable words of a report's `error[…]`.
///
/// A violation of any other kind is a mistake here, which tests notice: what a report can show,
/// `unravel explain` must know.
pub const KINDS: [(&str, Property); 33] = [
    ("assertion", Property::Reach),
    ("abort", Property::Reach),
    ("error-call", Property::Reach),
    ("null-dereference", Property::Memory),
    ("out-of-bounds", Property::Memory),
    ("use-after-free", Property::Memory),
    ("use-after-return", Property::Memory),
    ("use-after-exit", Property::Memory),
    ("double-free", Property::Memory),
    ("invalid-free", Property::Memory),
    ("uninitialized-pointer", Property::Memory),
    ("wild-pointer", Property::Memory),
    ("write-to-constant", Property::Memory),
    ("bad-access", Property::Memory),
    ("bad-call", Property::Memory),
    ("lock-cycle", Property::Deadlock),
    ("no-progress", Property::Deadlock),
    ("uninitialized-sync", Property::Misuse),
    ("use-after-destroy", Property::Misuse),
    ("relock", Property::Misuse),
    ("unlock-not-held", Property::Misuse),
    ("unlock-of-another", Property::Misuse),
    ("destroy-in-use", Property::Misuse),
    ("init-in-use", Property::Misuse),
    ("wait-without-mutex", Property::Misuse),
    ("join-twice", Property::Misuse),
    ("detach-twice", Property::Misuse),
    ("data-race", Property::Race),
    ("division-by-zero", Property::Ub),
    ("division-overflow", Property::Ub),
    ("shift-out-of-range", Property::Ub),
    ("signed-overflow", Property::Ub),
    ("unreachable", Property::Ub),
];

/// Whether it is one of [`KINDS`].
pub(crate) fn is_kind(property: Property, kind: &str) -> bool {
    KINDS.contains(&(kind, property))
}

/// A violation: the step at which a run goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Of what.
    pub property: Property,
    /// Finer kind, a stable word: `assertion`, `use-after-free`, `lock-cycle`.
    pub kind: &'static str,
    /// A sentence in the user's words, without a full stop.
    pub message: String,
    /// The thread that takes the step; for a deadlock one of those that cannot.
    pub thread: ThreadId,
    /// The place.
    pub site: SiteId,
    /// Other places that belong to it, each with a remark.
    pub related: Vec<(SiteId, String)>,
}
