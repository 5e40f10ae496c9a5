//! Sentences, made from what things are. No other code makes or reads them.
//!
//! - [`repair`]: repairs, and why there is none.

pub mod repair;
