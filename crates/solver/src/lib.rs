//! To be written.
mod backend;
mod cadical;
mod check;
mod lit;
mod mutant;
mod options;
mod problem;
mod solver;
pub mod theory;
pub use backend::{Backend, Verdict};
pub use cadical::Cadical;
pub use lit::{ClauseSink, Lit};
#[cfg(feature = "mutants")]
pub use mutant::Mutant;
pub use options::{Options, Stats};
pub use problem::{NodeId, ReadId, WriteId};
pub use solver::{Model, Outcome, Solver};
pub use theory::Order;
