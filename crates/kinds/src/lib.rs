//! What things are: properties, violations, steps, reasons and repairs, as types.
//!
//! Every stage from the interpreter to the reporter passes these types on. A stage that has to know
//! whether a thread waits for a signal matches on a variant; it never looks into a sentence. The
//! sentences are made from these types, in one place: `unravel-report`, module `words`.
//!
//! - [`Property`]: what can be violated; [`Properties`] is a set of them.
//! - [`RepairKind`]: what kind of change a repair makes; [`repair`]: what each change is.
//!
//! A kind may have a *code*: a short word that machines read (`use-after-free` in JSON and on the
//! command line). Codes are stable; they are identifiers and not prose.
//!
//! The crate depends on nothing.
#![forbid(unsafe_code)]

mod property;
pub mod repair;

pub use property::{Properties, Property};
pub use repair::RepairKind;
