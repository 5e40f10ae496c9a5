//! Recorded runs.
//!
//! - [`file`]: a run as a file: a header, chunks of records, a trailer. What was written before a
//!   crash can be read; what is missing is said.
//! - [`pack`]: how a chunk of records is made small.
//! - [`repeat`]: the schedule that makes the binary go the same way again.
//! - [`compare`]: where two runs part.
//! - [`symbols`] and [`memory`]: which variable, block or local lies at an address, at each moment.
#![forbid(unsafe_code)]

pub mod compare;
pub mod file;
pub mod memory;
pub mod pack;
pub mod repeat;
pub mod symbols;

pub use file::{Damage, Header, Recording, Trailer, Writer};
