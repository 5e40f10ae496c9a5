//! What a run can violate (DESIGN §2).

/// A property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// Assertions and error calls.
    Reach,
    /// Memory errors.
    Memory,
    /// Threads that wait for ever.
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
    /// The empty set.
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
