//! Memory, as a report names it.

use std::fmt;

/// The memory that a step reads, writes or synchronizes on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A path through an object that has a name: `queue.slots[2].next`.
    Named(String),
    /// A part of a heap block. A block has no name of its own.
    Heap {
        /// The line of the source that allocated the block; 0 if it is not known.
        line: u32,
        /// How many blocks that line had allocated by then, from 1.
        nth: u32,
        /// The first byte.
        offset: u64,
    },
    /// A heap block that was given back before, or a local that is gone.
    Freed,
}

impl Variable {
    /// Whether it lies on the heap, where only an expression of the source gives it a name.
    #[must_use]
    pub fn is_heap(&self) -> bool {
        matches!(self, Variable::Heap { .. })
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variable::Named(name) => write!(out, "{name}"),
            Variable::Heap { line, nth: 1, offset } => write!(out, "heap@{line}+{offset}"),
            Variable::Heap { line, nth, offset } => write!(out, "heap@{line}#{nth}+{offset}"),
            Variable::Freed => write!(out, "freed memory"),
        }
    }
}

/// A whole object, as a message names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectName {
    /// A variable.
    Variable(String),
    /// A heap block.
    HeapBlock {
        /// Its size.
        bytes: u64,
        /// The line of the source that allocated it; 0 if it is not known.
        line: u32,
    },
    /// Memory that was given back before.
    Freed,
}
