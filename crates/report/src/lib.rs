//! Renders what Unravel found.
//!
//! [`model::Report`] is the plain data that is handed over: kinds, places, names and numbers. Each
//! renderer turns it into text and does nothing else: no IO, no environment, no clock.
//!
//! - [`words`]: the only place where sentences are made, from kinds and data;
//! - [`text`]: the terminal, rustc-style source excerpts and one column per thread;
//! - [`json`]: one object, described by `docs/report.schema.json`;
//! - [`words`]: the sentences that all of them show;
//! - [`sarif`]: SARIF 2.1.0 for code scanning and editors;
//! - [`recorded`]: recorded runs, as text, JSON, and for other tools.
#![forbid(unsafe_code)]

pub mod json;
pub mod model;
mod place;
pub mod recorded;
pub mod sarif;
mod shared;
pub mod text;
pub mod words;

pub use model::Report;

#[cfg(test)]
mod examples;
