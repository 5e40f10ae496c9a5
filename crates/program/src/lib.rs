//! A multithreaded C program as Unravel sees it.
//!
//! # In and out
//!
//! The front end makes a [`Program`], and every later stage reads it. A [`Program`] is plain data:
//! functions made of blocks and instructions, global variables, places in the source, and the types
//! that debug information gives.
//!
//! # Ideas
//!
//! - The IR is that of LLVM without optimization, made smaller: registers are scalars, blocks take
//!   parameters, and every instruction carries its place in the source.
//! - A call of a modelled library function is one instruction that names a [`Primitive`]. What it
//!   does stands in [`library`], in tables that are independent of any engine.
//! - Code that cannot be expressed is an instruction, too ([`Op::Unsupported`]). It matters only if
//!   a run reaches it.
//! - A program is checked once ([`validate`]). After that, every id can be used as an index.
//!
//! # Reading order
//!
//! 1. [`ir`]: the data types.
//! 2. [`text`]: the text form. A program that is printed and parsed again is the same program.
//! 3. [`library`]: what pthreads, semaphores, C11 threads, `malloc` and the rest do.
//! 4. [`validate`]: the rules that every program obeys.
//! 5. [`names`]: debug types, to print `queue.slots[2].next` instead of an offset of 40.
//! 6. [`liveness`]: which registers may still be read at a point.
//! 7. [`loops`]: the loops of a function, and whether there is a way out of them.
//! 8. [`missing`]: functions that are called and that nobody defines.
//! 9. [`identity`]: whether ids of threads are compared.
//! 10. [`command_line`]: what `main` is called with, as far as it looks.
//! 11. [`wrappers`]: functions that only wrap one operation, which reports show at their call.
//! 12. [`variadic`]: how further arguments (`...`) are passed.
//!
//! Nothing here runs a program; that is `unravel-interp`. Nothing here knows LLVM; that is
//! `unravel-frontend`.
#![forbid(unsafe_code)]

pub mod command_line;
pub mod identity;
pub mod ir;
pub mod library;
pub mod liveness;
pub mod loops;
pub mod missing;
pub mod names;
mod operands;
pub mod text;
pub mod validate;
pub mod variadic;
pub mod wrappers;

pub use command_line::CommandLine;
pub use ir::*;
pub use library::Primitive;
pub use liveness::{Liveness, RegSet};
pub use names::{DebugType, Member, Shape, TypeId, Types};
pub use operands::{WORD, copied_at_once};
pub use validate::Invalid;
