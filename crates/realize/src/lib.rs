//! From plans to candidate repairs.
//!
//! The stage before (`unravel-repair`) says which orders and exclusions would help. This stage finds
//! the changes of the source that enforce them, lets `unravel-patch` write the edits, and describes
//! each change as data (`unravel_kinds::repair`). Whether a candidate helps is not known here: the
//! driver compiles and checks its text.
//!
//! ```text
//!   plan ────────► requirements ──┐                        ┌──► candidates
//!                                 ├──► handlers, attempts ─┤
//!   diagnosis ───► causes ────────┘                        └──► what could not be written
//! ```
//!
//! - [`handlers`]: one file per kind of change, and the list of them. Start here;
//! - [`Context`]: the program, its events and its source, which every handler reads;
//! - `attempt`: what a handler gives; `candidate`: what the driver tries;
//! - `combine`: a plan with several requirements needs one change for each of them;
//! - `guarded`: code under a lock, which the kinds `mutex` and `widen` share;
//! - `mutexes`: the mutexes of the program that may guard some code;
//! - `bare`: accesses that do without the lock that others hold for the same data;
//! - `twins`: threads that run the same code;
//! - `names`: names for new objects; `describe`: places of the source as data for a title.
//!
//! # To add a kind
//!
//! Add a variant to `RepairKind` and to `Change` (`kinds/src/repair.rs`), a file in `handlers/`, a
//! row in [`handlers::HANDLERS`], and the words for the title in `report/src/words/repair.rs`.
#![forbid(unsafe_code)]

mod attempt;
mod bare;
mod candidate;
mod combine;
mod context;
mod describe;
mod guarded;
pub mod handlers;
mod mutexes;
mod names;
#[cfg(test)]
mod testing;
mod twins;

pub use attempt::{Attempt, Unwritten, Written};
pub use bare::bare_plans;
pub use candidate::Candidate;
pub use combine::{for_diagnosis, for_plan};
pub use context::Context;
pub use guarded::GuardedCode;
