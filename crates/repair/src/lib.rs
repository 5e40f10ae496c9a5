//! From cores to the orders that make them impossible.
//!
//! # In and out
//!
//! In go the cores and causes of a diagnosis. Out come [`Plan`]s, the most promising first. A
//! [`Plan`] is a set of [`Requirement`]s on places of the source: this place before that place, or
//! these stretches of code never interleaved.
//!
//! A core says which few orders make a run fail. A program in which one of these orders can never
//! hold does not have that failing run; a program that breaks all cores is repaired. This stage
//! finds out which orders to enforce, after ConcBugAssist (§4):
//!
//! ```text
//!   cores ──► kill sets ──► minimal covers ──► elementary plans ──┐
//!     │                          │                                ├──► plans, most promising first
//!     └──► torn regions ─────────┴──► composite plans ────────────┘
//! ```
//!
//! # Reading order
//!
//! 1. [`spot`]: places of the source, for all threads that run them.
//! 2. [`kill`]: for each core, the orders any one of which makes it impossible.
//! 3. [`cover`]: one order from each kill set, without contradiction; all minimal choices, cheapest
//!    first. The covering problem is given to the solver with the ordering theory, which excludes
//!    choices with a cycle.
//! 4. [`composite`]: "R before S" and "S before R" both help, so R and S shall exclude each other.
//! 5. [`plan`]: what to try, in which order.
//! 6. [`meaning`]: a plan as literals on the formula of the diagnosis: does it help at all, and
//!    which of two plans allows more runs.
//!
//! Nothing here is text. `unravel-realize` and `unravel-patch` write the edits, and the driver
//! verifies what was written.
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
