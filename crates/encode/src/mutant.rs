//! Parts of the encoding that tests break on purpose.

/// A part that can be left out, with the feature `mutants`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// Critical sections of one lock may overlap.
    NoLockDisjunction,
    /// Every read may take its value from every write of its object.
    NoAddressEquality,
    /// No bound is ever reached.
    NoBoundQuery,
    /// A signal that another takes is not lost.
    NoSignalConsumption,
    /// A wait ends only by a signal.
    NoSpuriousWakeups,
    /// Writers do not wait for readers.
    NoReaderCount,
    /// A release publishes nothing.
    NoReleaseEdges,
    /// An acquire learns nothing.
    NoAcquireEdges,
    /// A run that comes to a bound speaks neither against a core nor against what fails after it.
    CoresIgnoreBounds,
    /// A thread that turns a loop for ever counts as able to go on.
    SpinsNeverHang,
}
