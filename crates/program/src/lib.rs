//! A multithreaded C program as Unravel sees it.
//!
//! This crate defines the one type that the front end hands to everything else: [`Program`].
//! Start with [`ir`], which is plain data; then
//!
//! - [`names`]: debug types, to say `queue.slots[2].next` where the machine says offset 40;
//! - [`library`]: what pthreads, semaphores, C11 threads, `malloc` and the rest do, as tables;
//! - [`text`]: the text form, which prints and parses back to the same program;
//! - [`validate`]: the rules that every program obeys, checked before anything runs it;
//! - [`liveness`]: which registers still matter at a point.
//!
//! Nothing here runs a program: that is `unravel-interp`. Nothing here knows LLVM: that is
//! `unravel-frontend`.
#![forbid(unsafe_code)]

pub mod ir;
pub mod library;
pub mod liveness;
pub mod names;
mod operands;
pub mod text;
pub mod validate;
pub mod wrappers;

pub use ir::*;
pub use library::Primitive;
pub use liveness::{Liveness, RegSet};
pub use names::{DebugType, Member, Shape, TypeId, Types};
pub use operands::{WORD, copied_at_once};
pub use validate::Invalid;
