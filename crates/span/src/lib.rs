//! Where things are in the source the user wrote.
//!
//! Every stage of Unravel speaks about source through the types of this crate, so that a step of a
//! run, a literal of a core or an edit of a patch leads back to a place without guessing.
//!
//! - [`Files`] holds the files of one analysis, in the order they were first seen; a [`FileId`]
//!   is an index into it.
//! - [`Span`] is a point in a file as debug information gives it: line and column, both counted
//!   from 1, with 0 for "not known". LLVM gives points, not ranges; whoever renders a span finds
//!   the range in the text (see [`Files::token_at`]).
//!
//! - [`bytes`] takes files that are no UTF-8 as text and back.
//! - [`Edit`] replaces a range of a file's text; [`apply`] makes edits.
//!
//! The crate depends on nothing, does no IO and never panics: a span that lies outside its file
//! yields `None`.
#![forbid(unsafe_code)]

pub mod bytes;
mod edit;
mod files;

pub use edit::{Edit, apply, in_order, origin};
pub use files::{File, FileId, Files};

/// A point in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file it lies in.
    pub file: FileId,
    /// Line, from 1; 0 where debug information has none.
    pub line: u32,
    /// Column, from 1; 0 where debug information has none.
    pub column: u32,
}

impl Span {
    /// A span at the given place.
    #[must_use]
    pub fn new(file: FileId, line: u32, column: u32) -> Self {
        Span { file, line, column }
    }
}
