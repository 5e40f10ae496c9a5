//! The allocator of the command line.
//!
//! Rust aborts a process whose memory runs out, and what is known by then is lost. This allocator
//! hands every request to the system's; if that has nothing to give, a handler is called, which tells
//! what is known and ends the process in its own way. It also counts the requests of each thread: a
//! measure of work that does not depend on the speed of the machine, for tests.

mod allocator;

pub use allocator::{Heap, on_failure, requests};
