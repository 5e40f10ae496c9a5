//! Changes of C source that enforce an order, as edits of the text the user wrote.
//!
//! The stage before says *what* must hold ("these statements are one step", "this comes before
//! that") and where, as places of the source. This crate knows C's syntax and the user's style, and
//! nothing of engines: it finds the statements, writes the lock, the wait or the join in the file's
//! own indentation, and refuses what it cannot write without rebuilding the code around it.
//!
//! ```text
//!   Files ──► Sources (syntax trees) ──► one of the kinds of change ──► edits ──► diff
//! ```
//!
//! - [`source`]: the files, parsed: statements, functions, blocks, indentation, names in use;
//! - [`guard`]: regions that exclude each other, by a new mutex or one that exists; a section that
//!   exists is widened;
//! - [`atomic`]: a torn read-modify-write as one atomic operation;
//! - [`wait`]: a wait for a flag, which is set and signalled elsewhere;
//! - [`threads`]: a join, or a creation, at another place;
//! - [`statements`]: a statement before the one that announces what it writes;
//! - [`locks`]: locks taken in another order;
//! - [`predicate`]: a wait on a condition variable in a loop that tests what is waited for;
//! - [`spelling`]: locks that the program takes in words of its own;
//! - [`functions`]: definitions, and what their expressions are called by their callers;
//! - [`around`]: the loop, the call, the function that a place is in;
//! - [`source_name`]: the expression that is accessed at a place;
//! - [`combine`]: the edits of several changes as those of one; [`mod@between`]: from two texts to edits; [`mod@diff`]: edits as a patch for `git apply`.
//!
//! # What every change keeps
//!
//! No expression is split; where an access cannot be guarded without that, its value is hoisted into
//! a local. Whoever leaves a guarded region early gives the lock back first, on every way out. The
//! edits say nothing about whether the change helps: every patch is compiled and checked from its
//! text afterwards.
//!
//! Syntax trees come from tree-sitter, which keeps the text as it is and goes on after what it does
//! not know; a function in which it found an error is not changed.
#![forbid(unsafe_code)]

mod aliases;
pub mod around;
pub mod atomic;
pub mod between;
mod calls;
pub mod combine;
pub mod diff;
pub mod exits;
mod expr;
pub mod functions;
pub mod guard;
pub mod locks;
pub mod names;
mod objects;
mod place;
pub mod predicate;
pub mod source;
pub mod source_name;
pub mod spelling;
pub mod statements;
pub mod style;
pub mod threads;
pub mod types;
pub mod wait;

pub use source::{Refusal, Sources};
pub use unravel_span::Edit;

use unravel_span::Span;

/// Statements of one function, from the one at `first` to the one at `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    /// A place in the first statement.
    pub first: Span,
    /// A place in the last statement.
    pub last: Span,
}
