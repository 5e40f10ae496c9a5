//! What a call of the compiler means, so that hooks can be put into what it compiles.
//!
//! clang itself says it: with `-###` its driver prints the commands that it would run, one for each
//! step, and runs none. Whatever the user's command line holds (several files, `-x`, `-MD`, no `-o`)
//! is settled in these commands, with the driver's own warnings and errors.
//!
//! 1. `arguments`: response files are read, and flags go that would keep machine code out of the
//!    objects (`-flto`).
//! 2. `plan`: the text that `-###` prints becomes a [`Plan`] of [`Job`]s.
//! 3. `unit`: the two commands that take the place of one that compiles: to bitcode, and from
//!    bitcode with hooks to what was asked for.
//! 4. `link`: the command that links, with the runtime.
//! 5. `refusal`: what cannot be done, with the reason.
//!
//! Nothing is run here, and no file is touched.
#![forbid(unsafe_code)]

mod arguments;
mod link;
mod plan;
mod refusal;
mod unit;

pub use arguments::{asks_for_plan, expand, quoted, without_detours};
pub use link::{Link, link};
pub use plan::{Job, Plan};
pub use refusal::Refusal;
pub use unit::{Language, Unit};
