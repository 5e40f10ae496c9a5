//! From cores to the orders that make them impossible.
//!
//! A core says which few orders make a run fail. A change that keeps one of them from holding excludes
//! that run; a change that does so for all cores repairs the program. This stage finds out which
//! orders to enforce, after ConcBugAssist (§4), and says it in terms of the source text:
//!
//! ```text
//!   cores ──► kill sets ──► minimal covers ──► elementary plans ──┐
//!     │                          │                                ├──► plans, best guess first
//!     └──► torn regions ─────────┴──► composite plans ────────────┘
//! ```
//!
//! - [`spot`]: places of the text, on behalf of all threads that run them;
//! - [`kill`]: per core, the orders any one of which makes it impossible;
//! - [`cover`]: one order from each kill set, without contradiction; all minimal choices, cheapest
//!   first. The binate covering problem is given to the solver that also knows what an order is:
//!   that a choice has no cycle is its theory;
//! - [`composite`]: "R before S" and "S before R" both help, so R and S shall exclude each other;
//! - [`plan`]: what to try, in which order;
//! - [`meaning`]: a plan as literals on the formula of the diagnosis: does it help at all, and which
//!   of two plans allows more.
//!
//! Nothing here is text: `unravel-realize` and `unravel-patch` write it, and the driver verifies what
//! was written.
#![forbid(unsafe_code)]

pub mod composite;
pub mod cover;
pub mod kill;
pub mod meaning;
pub mod plan;
pub mod spot;

pub use cover::{Cover, Covers, covers};
pub use kill::{KillSet, SourceOrder, kill_sets};
pub use meaning::{Judge, Verdict};
pub use plan::{Plan, Requirement, plans};
pub use spot::{Spot, Stretch};
