//! What a run can violate (DESIGN §2).

use unravel_program::SiteId;

use crate::state::ThreadId;

/// A property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// Assertions and error calls.
    Reach,
    /// Memory errors.
    Memory,
    /// Deadlocks.
    Deadlock,
    /// Misuse of synchronization objects.
    Misuse,
    /// Data races.
    Race,
    /// Undefined arithmetic.
    Ub,
}

impl Property {
    /// All of them, in the order they are documented.
    pub const ALL: [Property; 6] = [
        Property::Reach,
        Property::Memory,
        Property::Deadlock,
        Property::Misuse,
        Property::Race,
        Property::Ub,
    ];

    /// Its name on the command line and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Property::Reach => "reach",
            Property::Memory => "memory",
            Property::Deadlock => "deadlock",
            Property::Misuse => "misuse",
            Property::Race => "race",
            Property::Ub => "ub",
        }
    }

    /// The property of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|property| property.name() == name)
    }
}

/// A set of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties(u8);

impl Properties {
    /// None.
    pub const NONE: Properties = Properties(0);

    /// Those that are checked unless the user says otherwise: all but `race` and `ub`.
    #[must_use]
    pub fn by_default() -> Properties {
        [Property::Reach, Property::Memory, Property::Deadlock, Property::Misuse]
            .into_iter()
            .fold(Properties::NONE, Properties::with)
    }

    /// With one more.
    #[must_use]
    pub fn with(self, property: Property) -> Properties {
        Properties(self.0 | 1 << property as u8)
    }

    /// With one less.
    #[must_use]
    pub fn without(self, property: Property) -> Properties {
        Properties(self.0 & !(1 << property as u8))
    }

    /// Whether it is in the set.
    #[must_use]
    pub fn has(self, property: Property) -> bool {
        self.0 & 1 << property as u8 != 0
    }

    /// Its members, in order.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |&property| self.has(property))
    }
}

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
