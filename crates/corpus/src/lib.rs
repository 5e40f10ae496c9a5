//! The programs of `corpus/`, with what their headers say of them.
//!
//! `corpus/README.md` documents the header. This crate is its only reader: it finds the programs,
//! turns a header into a typed [`Header`], resolves markers to line numbers, and reports what is
//! malformed with file and line ([`Error`]).
//!
//! Only tests and `bench` use this crate. It reads the files below the root of the repository that
//! it was built in.
#![forbid(unsafe_code)]

mod error;
mod find;
mod header;
mod key;
mod marker;
mod program;
mod value;

pub use error::{Error, Problem};
pub use find::{all, directory, everyday, failing, program, root};
pub use header::Header;
pub use key::Key;
pub use marker::{Marker, Markers};
pub use program::{CorpusProgram, Source};
pub use value::{Flags, Order, Pattern, Size, Verdict};
