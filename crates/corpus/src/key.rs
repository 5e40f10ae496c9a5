//! The keys of a header.

use std::fmt;

/// A key of a header. Keys are compared by the order in which a header has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// What goes wrong, or what is done right.
    Title,
    /// The figure, the published program or the primitive.
    StandsFor,
    /// The right answer.
    Verdict,
    /// The property that is violated.
    Property,
    /// Markers of the lines at which the violation may be reported.
    At,
    /// Markers of the lines that a maintainer would change.
    Fault,
    /// Flags of `unravel check` that the answer needs.
    Flags,
    /// The kind of bug.
    Pattern,
    /// The orders between steps that cause the violation.
    Orders,
    /// Kinds of repair, best first.
    Repair,
    /// The file that the best patch is in.
    Patch,
    /// Values of `SIZE` for runs of several lengths.
    Sizes,
    /// Markers of the lines that a fault localization should name.
    FaultyLines,
    /// Whether every run prints the same.
    Output,
    /// Why the right answer is not the published one.
    Differs,
    /// Most iterations of a loop.
    Turns,
}

impl Key {
    /// All keys, in the order in which a header has them.
    pub const ALL: [Key; 16] = [
        Key::Title,
        Key::StandsFor,
        Key::Verdict,
        Key::Property,
        Key::At,
        Key::Fault,
        Key::Flags,
        Key::Pattern,
        Key::Orders,
        Key::Repair,
        Key::Patch,
        Key::Sizes,
        Key::FaultyLines,
        Key::Output,
        Key::Differs,
        Key::Turns,
    ];

    /// The key as a header spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Key::Title => "title",
            Key::StandsFor => "stands-for",
            Key::Verdict => "verdict",
            Key::Property => "property",
            Key::At => "at",
            Key::Fault => "fault",
            Key::Flags => "flags",
            Key::Pattern => "pattern",
            Key::Orders => "orders",
            Key::Repair => "repair",
            Key::Patch => "patch",
            Key::Sizes => "sizes",
            Key::FaultyLines => "faulty-lines",
            Key::Output => "output",
            Key::Differs => "differs",
            Key::Turns => "turns",
        }
    }

    /// The key that is spelled like this.
    #[must_use]
    pub fn named(name: &str) -> Option<Key> {
        Key::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Whether only a program that fails can have this key.
    pub(crate) fn is_of_failing_programs(self) -> bool {
        matches!(
            self,
            Key::Property
                | Key::At
                | Key::Fault
                | Key::Pattern
                | Key::Orders
                | Key::Repair
                | Key::Patch
                | Key::Sizes
                | Key::FaultyLines
        )
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
