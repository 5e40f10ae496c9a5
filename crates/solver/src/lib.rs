//! A SAT solver that also knows what an order is.
//!
//! # In and out
//!
//! The caller states clauses and a problem about the order of steps. [`Solver::solve`] answers with a [`Model`], which
//! has a value for every literal and a total order of the steps, or with the few assumptions that exclude every model.
//! The solver is incremental: more clauses and questions may follow.
//!
//! # What it decides
//!
//! A run of a concurrent program is an order of its steps. Which orders are possible depends on data, and data depends
//! on the order: a read sees the last write to its address, and what it sees decides what is executed next. The caller
//! states the data part as clauses over literals ([`ClauseSink`]), and the order part as
//!
//! - **nodes**: steps that nothing interrupts, with their reads and writes in a fixed inner order;
//! - **fixed edges**: program order, creating and joining threads;
//! - **conditional edges**: "if this literal is true, this node comes before that one";
//! - **sources**: per read, the writes that it may see, each with a literal `rf` ("the read takes its value from here")
//!   and a literal `live` ("the write is executed, at the address of the read").
//!
//! [`Solver::solve`] answers whether there is an assignment that satisfies all clauses together with a total order of
//! the nodes that respects all edges and in which each read sees its source: the write comes first, and no other live
//! write lies between.
//!
//! ```
//! use unravel_solver::{ClauseSink, Options, Outcome, Solver};
//!
//! // Initially x is 0. One thread writes x twice, another reads it in between or not.
//! let mut solver = Solver::new(Options::default());
//! let yes = solver.truth();
//! let (init, first, second, reader) = (solver.node(), solver.node(), solver.node(), solver.node());
//! solver.edge(init, first);
//! solver.edge(first, second);
//! solver.edge(init, reader);
//! let read = solver.read(reader, 0, yes);
//! let mut rfs = Vec::new();
//! for node in [init, first, second] {
//!     let write = solver.write(node, 0, yes);
//!     let rf = solver.new_lit();
//!     solver.source(read, write, Some(rf), yes);
//!     rfs.push(rf);
//! }
//! solver.clause(&rfs);
//!
//! // Can it see the first write?
//! let Outcome::Sat(model) = solver.solve(&[rfs[1]], &mut || false) else { unreachable!() };
//! assert!(model.order().before(first, reader) && model.order().before(reader, second));
//!
//! // Not if the reader comes last; and then it is the two assumptions together that exclude it.
//! let last = solver.new_lit();
//! solver.edge_if(last, second, reader);
//! let Outcome::Unsat(core) = solver.solve(&[rfs[1], last], &mut || false) else { unreachable!() };
//! assert_eq!(core.len(), 2);
//! ```
//!
//! # How, and in which order to read
//!
//! There are no clock variables. The SAT solver ([`Cadical`], or in tests another [`Backend`]) chooses values; the
//! [`theory`] watches, derives the order that follows, and reports a conflict as soon as that order has a cycle. One
//! file per idea, in reading order:
//!
//! | file | idea |
//! |---|---|
//! | `problem.rs` | what the caller has stated |
//! | `theory/chains.rs` | fixed edges as a few chains; what a node reaches is one number per chain |
//! | `theory/closure.rs` | the order so far, with undo and with the history that reasons need |
//! | `theory/index.rs` | which rules have to be tried when something happens |
//! | `theory/rules.rs` | what must be added to the order: RF, CO, FR, CYC |
//! | `theory/prevent.rs` | which literals can no longer be true: P1, P2 |
//! | `theory/reason.rs` | from an edge back to the literals it rests on |
//! | `theory/linear.rs` | from the partial order of an assignment to a total one |
//! | `cadical.rs` | the theory as CaDiCaL's user propagator |
//! | `solver.rs` | the search, and what to do when the partial order cannot be completed greedily |
//! | `maxsat/` | as many literals as possible true, by asking the solver repeatedly |
//! | `check.rs` | the check of every satisfiable answer, by the definition only |
//! | `mutant.rs` | deliberate bugs, which the tests must notice |
//!
//! # What can be trusted
//!
//! "Sat" comes with a total order that has been checked against the definition, in release builds as well; if the check
//! fails the answer is [`Outcome::Broken`]. "Unsat" rests on the reasons that the theory gives. They are compared in
//! `tests/fuzz` with two encodings that know nothing of the theory, on two SAT solvers.
//!
//! The same calls give the same answers: nothing depends on addresses, hash maps or time (except `stop`).

mod backend;
mod cadical;
mod check;
mod lit;
pub mod maxsat;
mod mutant;
mod options;
mod problem;
mod solver;
pub mod theory;

pub use backend::{Backend, Verdict};
pub use cadical::{Cadical, cadical_version};
pub use lit::{ClauseSink, Lit};
#[cfg(feature = "mutants")]
pub use mutant::Mutant;
pub use options::{Options, Stats};
pub use problem::{NodeId, ReadId, WriteId};
pub use solver::{Model, Outcome, Solver};
pub use theory::Order;
