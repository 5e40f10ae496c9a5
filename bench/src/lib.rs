//! What Unravel costs, and what it finds.
//!
//! - `make bench` (`main.rs`): time and memory beside the peers on the PATH;
//! - `make tables` (`bin/tables.rs`): `docs/results.md`, what the commands find on the corpus, beside
//!   published results. One module per table in [`tables`].
#![forbid(unsafe_code)]

pub mod compare;
pub mod corpus;
pub mod deadlocks;
pub mod families;
pub mod measure;
pub mod options;
pub mod peers;
pub mod plot;
pub mod sections;
pub mod small;
pub mod table;
pub mod tables;
