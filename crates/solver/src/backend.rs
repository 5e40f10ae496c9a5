//! What the solver needs of a SAT solver.

use crate::lit::Lit;
use crate::options::Options;
use crate::theory::Theory;
use std::cell::RefCell;
use std::rc::Rc;

/// What a SAT solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Satisfiable, also in the eyes of the theory, whose answer has been prepared by [`Theory::linearize`].
    Sat,
    /// Unsatisfiable under the assumptions.
    Unsat,
    /// Stopped before it knew.
    Unknown,
}

/// A SAT solver that consults the theory while it searches. The product has one, [`crate::Cadical`]; the tests have
/// another, because a wrong theory can pass with one and show at once with the other.
pub trait Backend {
    /// A SAT solver without clauses.
    fn new(theory: Rc<RefCell<Theory>>, options: &Options) -> Self;

    /// The next variable; variables are numbered from 1.
    fn new_var(&mut self, var: u32);

    /// Adds a clause.
    fn clause(&mut self, lits: &[Lit]);

    /// The theory wants to know the value of this variable. The variable is either new since the last search, or was
    /// observed before.
    fn observe(&mut self, var: u32);

    /// The next search is to give up after this many conflicts. A SAT solver that cannot do so ignores it.
    fn limit_conflicts(&mut self, _conflicts: u64) {}

    /// Searches for a model under these assumptions.
    fn solve(&mut self, assumptions: &[Lit], stop: &mut dyn FnMut() -> bool) -> Verdict;

    /// The value of a literal, after [`Verdict::Sat`].
    fn value(&mut self, lit: Lit) -> bool;

    /// Whether an assumption is in the core, after [`Verdict::Unsat`].
    fn failed(&mut self, lit: Lit) -> bool;

    /// How many conflicts there have been.
    fn conflicts(&self) -> u64;

    /// Nothing more is asked, and the process ends soon: memory need not be given back piece by piece.
    fn abandon(&mut self) {}
}
