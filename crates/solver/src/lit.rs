//! Literals.

use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;

/// A propositional variable or its negation, numbered as in DIMACS: variables from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(NonZeroI32);

impl Lit {
    /// The positive literal of a variable. Variables are numbered from 1; 0 is taken as 1.
    #[must_use]
    pub fn positive(var: u32) -> Lit {
        let number = i32::try_from(var).unwrap_or(i32::MAX);
        Lit(NonZeroI32::new(number).unwrap_or(NonZeroI32::MIN))
    }

    /// The literal with this DIMACS number, if it is one.
    #[must_use]
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        NonZeroI32::new(number).map(Lit)
    }

    /// Its DIMACS number.
    #[must_use]
    pub fn dimacs(self) -> i32 {
        self.0.get()
    }

    /// Its variable, from 1.
    #[must_use]
    pub fn var(self) -> u32 {
        self.0.get().unsigned_abs()
    }

    /// Whether it is the variable itself.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0.get() > 0
    }

    /// A dense index: `2·var` for the positive, `2·var + 1` for the negative literal.
    #[must_use]
    pub fn index(self) -> usize {
        2 * self.var() as usize + usize::from(!self.is_positive())
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Takes clauses: the solver itself, or a list in tests.
pub trait ClauseSink {
    /// A fresh variable.
    fn new_lit(&mut self) -> Lit;

    /// Adds a clause.
    fn clause(&mut self, lits: &[Lit]);
}
