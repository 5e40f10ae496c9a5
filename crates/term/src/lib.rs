//! Bit-vector terms, shared and folded while they are built.
//!
//! # In and out
//!
//! A symbolic executor computes with *terms* where an interpreter computes with numbers: a
//! program's `x + 1` becomes the term `Add(x, 1)`. `unravel-events` builds terms, and
//! `unravel-encode` turns them into clauses. Every term has a width of 1 to [`MAX_WIDTH`] bits; a
//! truth value is a term of width 1. Terms live in a pool, [`Terms`], and are named by a small
//! number, [`Term`]; [`Terms::node`] says what a term is made of.
//!
//! ```
//! use unravel_term::Terms;
//!
//! let mut terms = Terms::new();
//! let x = terms.var(32);
//! let one = terms.constant(32, 1);
//! let y = terms.add(x, one);
//! let z = terms.add(y, one);
//! let three = terms.constant(32, 3);
//! let same = terms.eq(z, three); // (x + 1) + 1 = 3 is kept as x = 1
//! assert_eq!(same, terms.eq(x, one));
//! assert_eq!(terms.eval(z, &|_| 40), 42);
//! ```
//!
//! # Sharing
//!
//! Building the same node twice gives the same [`Term`] (hash-consing), so equal terms are often
//! equal numbers, and a pool is a graph without cycles: the parts of a term always have smaller
//! numbers than the term itself.
//!
//! # Folding
//!
//! There is no simplification pass. Each constructor looks at the top one or two levels of its
//! operands and returns something simpler where a rule applies. What is left has a *normal form*,
//! so that equal things meet more often:
//!
//! - constants are the second operand; the others are in the order of their numbers;
//! - there is no subtraction (`Add` of a `Neg`), no `≤` (the negation of `<` the other way), no
//!   shift by a constant (`Concat`, `Extract`, extensions), no extension of one bit (an `Ite` of
//!   two constants);
//! - of a boolean operation, negations are pulled outward where both operands have one.
//!
//! A pool also keeps bounds of each term ([`Terms::range`]); they decide many comparisons.
//!
//! # Arithmetic
//!
//! As in SMT-LIB: everything wraps; a division by zero has all bits set (signed: 1 or -1, away from
//! the dividend's sign) and leaves the dividend as remainder; a shift by the width or more gives 0,
//! or copies of the sign.
//!
//! # Cost
//!
//! Terms may be hundreds of thousands of nodes deep, so nothing here recurses along the depth:
//! traversals have a stack of their own, and a rule that builds further terms nests at most
//! [`MAX_NESTING`] deep. A constructor takes constant time but for that.
//!
//! # Reading order
//!
//! `node` for what a term is made of, `pool` for how each term is stored once, then the
//! constructors: `arith`, `divide`, `shift`, `slice`, `logic`, `xor`, `equal`, `compare` and
//! `select`. `range` keeps the bounds of terms and `eval` computes their values. [`mod@value`] says
//! what the operations mean on numbers; folding and evaluation both use it. [`float`] builds IEEE
//! arithmetic out of integer terms.
//!
//! # Misuse
//!
//! Operands of different widths, or a width of 0 or above 128, are mistakes of the caller. Debug
//! builds stop at them; release builds give some term.
#![forbid(unsafe_code)]

mod arith;
mod compare;
mod divide;
mod equal;
mod eval;
pub mod float;
pub mod hash;
mod logic;
mod node;
mod pool;
mod range;
mod select;
mod shift;
mod slice;
pub mod value;
mod xor;

pub use eval::Evaluator;
pub use node::{Children, Node, Term, VarId};
pub use pool::{MAX_NESTING, MAX_WIDTH, Terms};
