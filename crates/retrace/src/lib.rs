//! A recorded run, carried out on the interpreter.
//!
//! The binary and the interpreter run the same code: the bitcode that is embedded in the binary. So the
//! interpreter, given the recorded order and inputs, has to compute every value that was recorded. If it
//! does, compiler, runtime, recording and front end agree; if not, one of them is wrong, and the first
//! difference says where to look.
//!
//! The binary has an event for every access to memory that could be shared; the interpreter takes a step
//! only where memory is shared at that moment. What holds both together are *sites*: an instruction
//! with a hook has its number in the binary's records and in [`Site::hook`](unravel_program::Site::hook).
//!
//! - [`line`]: the records of one thread, and how far the interpreter has come in them.
//! - [`names`]: which object of the interpreter is which memory of the binary.
//! - [`watch`]: compares each event of the interpreter with its record.
//! - [`mod@force`]: the other way round: a run of the interpreter becomes a schedule for the binary.
//! - [`mod@retrace`]: the loop: the thread whose next record comes first takes the next step.
#![forbid(unsafe_code)]

pub mod force;
pub mod line;
pub mod names;
pub mod retrace;
pub mod watch;

pub use force::{Forced, force};
pub use retrace::{Refusal, Retraced, retrace};
