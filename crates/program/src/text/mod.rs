//! The text form of a program.
//!
//! It looks like LLVM's, but simpler: one instruction per line, blocks with parameters, places
//! as `!12` at the end of the line.
//!
//! ```text
//! unravel program 1
//! target pointer 8
//! main @main
//! file 0 "race.c"
//! site 0 ""
//! site 1 0:3:9 "main"
//! global @x size 4 align 4 = zero !1
//!
//! function @main() -> i32 !1 {
//! bb0:
//!   %0 = load i32 @x                             !1
//!   %1 = add nsw i32 %0, -1                      !1
//!   store i32 %1, @x
//!   return 0
//! }
//! ```
//!
//! - `%1` is a register, `@x + 4` an address in a global, `&f` the address of a function. Names
//!   that are no words are quoted; `@x#3` adds the number where a name alone is not unique.
//! - A register's type stands where it is assigned, `%1: i32 = call @f()`, unless the
//!   instruction says it.
//! - A constant is unsigned, or negative where its type stands before it.
//! - `;` begins a comment.
//!
//! [`parse`] of what a program prints gives the same program, the texts of its files aside,
//! which are not printed. That holds for invalid programs too, since it is they that someone
//! wants to look at; [`crate::validate`] is a separate step.

mod cursor;
mod lexer;
mod parse;
mod parse_code;
mod parse_op;
mod print;
mod print_op;
mod words;

#[cfg(test)]
mod generate;
#[cfg(test)]
mod tests;

pub use cursor::ParseError;
pub use parse::parse;

use crate::ir::Program;
use unravel_span::Files;

/// Version of the text form, in its first line.
const VERSION: u128 = 1;

/// Stands for the type of a register that does not exist.
const NO_TYPE: &str = "none";

impl Program {
    /// The program without the texts of its files: what the text form keeps of it.
    #[must_use]
    pub fn without_texts(mut self) -> Program {
        let mut files = Files::new();
        for (_, file) in self.files.iter() {
            files.intern(&file.path);
        }
        self.files = files;
        self
    }
}
