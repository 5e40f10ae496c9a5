//! Runs a program that `unravel cc` has built under control, and records it.
//!
//! - [`runtime`]: the object that `unravel cc` links into programs.
//! - [`run`]: one run: memory is shared, the program started, and its records are read while it runs.
//! - `shared`: that memory. The only place with `unsafe` code.
//!
//! What a run is recorded for decides who reads it: a file, a comparison with another run, nobody.
//! [`run::Sink`] is what all of them are.

pub mod run;
pub mod runtime;
mod shared;

pub use run::{Ended, Failure, Plan, Sink, run};
