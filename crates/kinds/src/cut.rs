//! What a bound cut off.

/// A bound that a run reached: more behaviour exists behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cut {
    /// A loop ran this many iterations and may go on.
    Loop {
        /// The iterations that were looked at.
        iterations: u32,
    },
    /// Calls are nested this deep and may go deeper.
    Calls {
        /// The depth that was looked at.
        depth: u64,
    },
    /// This many threads were created, and there may be more.
    Threads {
        /// The number of threads that was looked at.
        limit: u64,
    },
    /// All objects together take this many bytes, and there may be more.
    Memory {
        /// The bytes in use.
        bytes: u128,
    },
    /// A thread ran this many instructions without an access to shared memory.
    Instructions {
        /// The instructions that were looked at.
        limit: u64,
    },
    /// Threads turn loops, and whether they ever leave them was not decided.
    Polling,
}
