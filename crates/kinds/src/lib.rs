//! What things are: properties, violations, steps, reasons and repairs, as types.
//!
//! Every stage from the interpreter to the reporter passes these types on. A stage that has to know
//! whether a thread waits for a signal matches on a variant; it never looks into a sentence. The
//! sentences are made from these types in one place: `unravel-report`, module `words`.
//!
//! What goes wrong:
//! - [`Property`]: what can be violated; [`Properties`] is a set of them;
//! - [`ViolationKind`]: how it was violated, with the data that a message needs;
//! - [`Related`]: what else belongs to a violation: the other access of a race, a thread that waits.
//!
//! What happens in a run:
//! - [`StepKind`]: what a thread does in a step; [`Deed`]: what it does to a synchronization object;
//! - [`Variable`]: the memory that a step is about; [`InputSource`]: where an input comes from.
//!
//! What is said about it:
//! - [`Pattern`]: the name of what goes wrong; [`Mistake`]: what was done wrong, and where;
//! - [`RepairKind`]: what kind of change mends it; [`repair`]: what each change is;
//! - [`ReasonKind`]: why an answer is inconclusive; [`Cut`], [`Unmodelled`] and
//!   [`StopReason`]: what limits it.
//!
//! A kind may have a *code*: a short word that machines read (`use-after-free` in JSON and on the
//! command line). Codes are stable; they are identifiers and not prose.
//!
//! Threads are numbered from 0, which is `main`. The kinds of synchronization objects and operations
//! are those of `unravel-sync`.
#![forbid(unsafe_code)]

mod cut;
mod mistake;
mod pattern;
mod property;
mod reason;
mod related;
pub mod repair;
mod step;
mod stop;
mod unmodelled;
mod variable;
mod violation;

pub use cut::Cut;
pub use mistake::{Harm, Holder, Mistake};
pub use pattern::Pattern;
pub use property::{Properties, Property};
pub use reason::ReasonKind;
pub use related::{Awaited, Related, Spin, Wait};
pub use repair::RepairKind;
pub use step::{InputSource, StepKind};
pub use stop::{StopReason, Work};
pub use unmodelled::{Unmodelled, Untranslated};
pub use unravel_sync::{Class as SyncClass, Deed, Misuse};
pub use variable::{ObjectName, Variable};
pub use violation::{Undefined, ViolationKind};
