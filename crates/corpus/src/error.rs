//! What can be wrong with a corpus program.

use std::fmt;

use crate::Key;

/// A corpus program that cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file, as a path from the root of the repository.
    pub file: String,
    /// The line, from 1; 0 if the whole file is meant.
    pub line: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a file or one of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file or directory cannot be read; the message of the system.
    Unreadable(String),
    /// The file does not begin with `/* unravel-corpus`.
    NoHeader,
    /// The header has no line ` */` that ends it.
    NotClosed,
    /// A line of the header is not ` * key: value`.
    NotAKey(String),
    /// The key is not documented.
    UnknownKey(String),
    /// The key stands after one that has to follow it, or twice.
    OutOfOrder {
        /// The key of this line.
        key: Key,
        /// The key of an earlier line.
        after: Key,
    },
    /// A key that this program needs is missing.
    Missing(Key),
    /// The program has a key that only failing programs have.
    NotUnsafe(Key),
    /// The value is none of those that the key can have.
    BadValue {
        /// The key.
        key: Key,
        /// The part of its value that is wrong.
        value: String,
    },
    /// The header names a marker that no line has.
    NoMarker(String),
    /// Two lines have the same marker.
    MarkerTwice(String),
    /// A marker is not one word at the end of its line.
    BadMarker(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Problem::NoHeader => write!(f, "does not begin with `/* unravel-corpus`"),
            Problem::NotClosed => write!(f, "no line ` */` ends the header"),
            Problem::NotAKey(line) => write!(f, "`{line}` is not ` * key: value`"),
            Problem::UnknownKey(key) => write!(f, "unknown key `{key}`"),
            Problem::OutOfOrder { key, after } if key == after => write!(f, "`{key}` stands twice"),
            Problem::OutOfOrder { key, after } => {
                write!(f, "`{key}` has to stand before `{after}`")
            }
            Problem::Missing(key) => write!(f, "no `{key}`"),
            Problem::NotUnsafe(key) => write!(f, "`{key}`, but the verdict is not `unsafe`"),
            Problem::BadValue { key, value } => write!(f, "`{key}` cannot be `{value}`"),
            Problem::NoMarker(name) => write!(f, "no line has the marker `//@{name}`"),
            Problem::MarkerTwice(name) => write!(f, "a second line has the marker `//@{name}`"),
            Problem::BadMarker(name) => write!(f, "the marker `//@{name}` is not one word"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.problem),
            line => write!(f, "{}:{line}: {}", self.file, self.problem),
        }
    }
}

impl std::error::Error for Error {}

/// A problem at a line of a file whose name the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) line: u64,
    pub(crate) problem: Problem,
}

impl Located {
    pub(crate) fn new(line: u64, problem: Problem) -> Located {
        Located { line, problem }
    }
}
