//! The values that keys can have.

use std::fmt;

use unravel_kinds::{Properties, Property};

use crate::Marker;

/// The right answer about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No run fails.
    Safe,
    /// Some run fails.
    Unsafe,
    /// Nothing can be promised.
    Inconclusive,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 3] = [Verdict::Safe, Verdict::Unsafe, Verdict::Inconclusive];

    /// The word in headers and in JSON reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Inconclusive => "inconclusive",
        }
    }

    /// The verdict of that name.
    pub(crate) fn named(name: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The kind of bug that a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pattern {
    /// Steps that belong together are interleaved with others.
    AtomicityViolation,
    /// A step comes before another that it has to follow.
    OrderViolation,
    /// Two accesses that nothing orders.
    DataRace,
    /// Threads wait for each other.
    Deadlock,
    /// A signal comes before the wait for it.
    LostWakeup,
    /// Memory is used after it was freed.
    UseAfterFree,
    /// A value is used before it is set.
    UseBeforeInitialization,
    /// Memory is freed twice.
    DoubleFree,
    /// A synchronization object is used in a way that it does not allow.
    Misuse,
    /// It fails in every schedule, or by its input alone.
    Sequential,
}

impl Pattern {
    /// All patterns, in the order they are documented.
    pub const ALL: [Pattern; 10] = [
        Pattern::AtomicityViolation,
        Pattern::OrderViolation,
        Pattern::DataRace,
        Pattern::Deadlock,
        Pattern::LostWakeup,
        Pattern::UseAfterFree,
        Pattern::UseBeforeInitialization,
        Pattern::DoubleFree,
        Pattern::Misuse,
        Pattern::Sequential,
    ];

    /// The words in headers and in JSON reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Pattern::AtomicityViolation => "atomicity violation",
            Pattern::OrderViolation => "order violation",
            Pattern::DataRace => "data race",
            Pattern::Deadlock => "deadlock",
            Pattern::LostWakeup => "lost wakeup",
            Pattern::UseAfterFree => "use after free",
            Pattern::UseBeforeInitialization => "use before initialization",
            Pattern::DoubleFree => "double free",
            Pattern::Misuse => "misuse",
            Pattern::Sequential => "sequential",
        }
    }

    /// The pattern of that name.
    pub(crate) fn named(name: &str) -> Option<Pattern> {
        Pattern::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// One line is executed before another, in different threads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order {
    /// The line that comes first.
    pub before: Marker,
    /// The line that comes later.
    pub after: Marker,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} < {}", self.before.name, self.after.name)
    }
}

/// A size of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// `S`, `M` or `L`.
    pub name: String,
    /// The value of the macro `SIZE` that makes it.
    pub value: u32,
}

impl Size {
    /// Pairs of name and value: `S 2 M 18 L 100`.
    pub(crate) fn list(text: &str) -> Option<Vec<Size>> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let size = |pair: &[&str]| match pair {
            [name @ ("S" | "M" | "L"), value] => {
                Some(Size { name: (*name).to_owned(), value: value.parse().ok()? })
            }
            _ => None,
        };
        words.chunks(2).map(size).collect()
    }
}

/// Flags of `unravel check` that the right answer needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    /// The flags as words of the command line.
    pub words: Vec<String>,
    /// The properties that they ask for.
    pub properties: Properties,
    /// What the program is called with, if they say it. No argument has a space in it, since flags
    /// are split at spaces.
    pub arguments: Option<Vec<String>>,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags { words: Vec::new(), properties: Properties::by_default(), arguments: None }
    }
}

impl Flags {
    /// Whether there are no flags.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The flags as arguments of a call.
    #[must_use]
    pub fn args(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    /// Reads flags as a command line has them; the first word that is not known otherwise.
    pub(crate) fn parse(text: &str) -> Result<Flags, String> {
        let mut flags = Flags::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            flags.words.push(word.to_owned());
            match word {
                "--races" => flags.properties = flags.properties.with(Property::Race),
                "--ub" => flags.properties = flags.properties.with(Property::Ub),
                "--only" => {
                    let name = words.next().unwrap_or_default();
                    let only = Property::named(name).ok_or(format!("--only {name}"))?;
                    flags.words.push(name.to_owned());
                    flags.properties = Properties::NONE.with(only);
                }
                other => match other.strip_prefix("--args=") {
                    Some(argument) => flags.arguments = Some(vec![argument.to_owned()]),
                    None => return Err(other.to_owned()),
                },
            }
        }
        Ok(flags)
    }
}
