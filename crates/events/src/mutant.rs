//! Parts of the execution that tests break on purpose.

/// A part that can be broken, with the feature `mutants`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// A barrier opens for one thread less than it wants.
    BarrierOpensEarly,
    /// A turn of a loop changes nothing even if it writes shared memory.
    WritingTurnsAreIdle,
    /// Threads are interchangeable whatever they are given.
    ArgumentsAreAlike,
    /// What a thread has written is still there, whoever else writes it.
    NobodyElseWrites,
}
