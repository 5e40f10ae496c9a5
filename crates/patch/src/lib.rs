//! Changes of C source that enforce an order, as edits of the text the user wrote.
//!
//! # In and out
//!
//! In go the files of a program and places in them, with what must hold: "these statements are one
//! step", "this comes before that". Out come [`Edit`]s, or a [`Refusal`] that says why the change
//! cannot be written. This crate knows the syntax of C and the user's style, and nothing of
//! engines.
//!
//! ```text
//!   Files ──► Sources (syntax trees) ──► one of the kinds of change ──► edits ──► diff
//! ```
//!
//! # What every change keeps
//!
//! No expression is split. Where an access cannot be guarded without that, its value is first read
//! into a local variable. Every way out of a guarded region gives the lock back first. New lines
//! have the indentation of the file. The edits do not claim that the change helps: every patch is
//! compiled and checked from its text afterwards.
//!
//! Syntax trees come from tree-sitter, which keeps the text as it is and continues after something
//! it does not know. A function in which it found an error is not changed.
//!
//! # Reading order
//!
//! [`source`] first: the files, parsed, with statements, functions, blocks, indentation and names
//! in use. [`style`] writes whole lines before and after statements. Then one of the kinds of
//! change:
//!
//! - [`guard`]: regions that exclude each other, by a new mutex or one that exists; a section that
//!   exists is widened;
//! - [`atomic`]: a torn read-modify-write as one atomic operation;
//! - [`wait`]: a wait for a flag, which is set and signalled elsewhere;
//! - [`threads`]: a join, or a creation, at another place;
//! - [`statements`]: a statement before the one that announces what it writes;
//! - [`locks`]: locks taken in another order;
//! - [`predicate`]: a wait on a condition variable in a loop that tests what is waited for.
//!
//! What they use:
//!
//! - [`spelling`] and `aliases`: locks and calls of the thread library under names of the program;
//! - [`functions`]: definitions, and what their expressions are called by their callers;
//! - [`around`]: the loop, the call, the function that a place is in; [`exits`]: the ways out;
//! - [`source_name`]: the expression that is accessed at a place;
//! - [`combine`]: the edits of several changes as those of one; [`mod@between`]: from two texts to
//!   edits; [`mod@diff`]: edits as a patch for `git apply`.
#![forbid(unsafe_code)]

mod aliases;
pub mod around;
pub mod atomic;
pub mod between;
mod calls;
pub mod combine;
pub mod delays;
pub mod diff;
pub mod exits;
mod expr;
pub mod functions;
pub mod guard;
pub mod locks;
mod masked;
pub mod names;
mod objects;
mod place;
pub mod predicate;
pub mod source;
pub mod source_name;
pub mod spelling;
pub mod statements;
pub mod stubs;
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
