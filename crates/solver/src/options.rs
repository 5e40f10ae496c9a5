//! What the caller may choose, and what the solver counts.

#[cfg(feature = "mutants")]
use crate::mutant::Mutant;
use crate::mutant::Mutation;

/// How to search. The default is what measured best; see `examples/scale.rs`.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the theory propagates (rules P1 and P2) or only reports conflicts.
    pub propagate: bool,
    /// Whether the theory picks decisions: open `rf` literals of executed reads first.
    pub decide: bool,
    /// CaDiCaL's random seed. The same calls with the same seed give the same answers.
    pub seed: u32,
    /// The deliberate bug to switch on, for testing the tests.
    #[cfg(feature = "mutants")]
    pub mutant: Option<Mutant>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            propagate: true,
            decide: false,
            seed: 0,
            #[cfg(feature = "mutants")]
            mutant: None,
        }
    }
}

impl Options {
    pub(crate) fn mutation(&self) -> Mutation {
        Mutation {
            #[cfg(feature = "mutants")]
            active: self.mutant,
        }
    }
}

/// Sizes of the problem and effort spent on it so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Variables of the SAT solver.
    pub variables: u64,
    /// Clauses added from outside the SAT solver.
    pub clauses: u64,
    /// Nodes (steps).
    pub nodes: u64,
    /// Candidate pairs of a read and a write.
    pub sources: u64,
    /// Literals that the theory implied.
    pub theory_propagations: u64,
    /// Cycles that the theory reported.
    pub theory_conflicts: u64,
    /// Conflicts of the SAT solver, those of the theory included.
    pub solver_conflicts: u64,
    /// Rounds in which order literals had to be added; see [`crate::theory`].
    pub refinements: u64,
}
