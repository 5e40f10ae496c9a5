//! Deliberate bugs.
//!
//! A test that has never failed proves little. With the feature `mutants`, one rule of the theory can be broken on
//! purpose; the fuzz tests must notice each. Without the feature nothing of this is left in the program:
//! [`Mutation::is`] is then constantly false.

/// One way to break the theory.
#[cfg_attr(not(feature = "mutants"), allow(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// Reasons of rule CO lack the literal that says the overwriting write is live.
    CoReason,
    /// Reasons of rule FR lack the literal that says where the read takes its value from.
    FrReason,
    /// Reasons of rule P1 lack one literal of the path.
    P1Reason,
    /// Reasons of rule P2 lack the other of its two literals.
    P2Reason,
    /// Any topological order is taken for a run, and is not checked.
    NoCompleteness,
    /// Rule FR is never applied.
    NoFr,
    /// Rule CO is never applied.
    NoCo,
}

/// The bug that is switched on, if any.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mutation {
    #[cfg(feature = "mutants")]
    pub(crate) active: Option<Mutant>,
}

impl Mutation {
    /// Whether this bug is switched on.
    #[cfg(feature = "mutants")]
    pub(crate) fn is(self, mutant: Mutant) -> bool {
        self.active == Some(mutant)
    }

    /// Whether this bug is switched on: never, without the feature.
    #[cfg(not(feature = "mutants"))]
    #[allow(clippy::unused_self)]
    pub(crate) const fn is(self, _: Mutant) -> bool {
        false
    }
}
