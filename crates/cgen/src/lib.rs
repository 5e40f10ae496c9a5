//! Random C programs, for tests only: *sequential* ones for checking a C front end, and
//! *concurrent* ones for comparing engines that look for bugs.
//!
//! # In and out
//!
//! In goes a seed. Out comes a program: its text, and a tree from which a smaller program can be
//! made when a test fails. The same seed gives the same program.
//!
//! A concurrent program ([`concurrent()`], and `concurrent/` for how it is made) has two to four
//! threads, few enough steps that all its schedules can be visited, and assertions that may fail.
//! [`shrink_concurrent`] makes one smaller. The rest of this page is about the sequential programs.
//!
//! A sequential program prints as it goes, ends with a checksum over all its variables, and returns
//! a number in `0..100`. It has no undefined and no unspecified behaviour, so whatever runs it must
//! print what the binary of any compiler prints; a difference is a bug in one of the two.
//!
//! ```
//! let program = unravel_cgen::sequential(42);
//! assert!(program.source.contains("int main(void)"));
//! ```
//!
//! # How it works, and in which order to read
//!
//! * [`SequentialProgram::generate`] builds a tree (`tree.rs`) whose nodes are pieces of C text
//!   with holes, and `print.rs` writes it out.
//! * `types.rs` knows the types and conversions of C; `expr.rs`, `arith.rs` and `float.rs` make
//!   expressions, `place.rs` the objects they read, `effect.rs` the side effects; `decl.rs`,
//!   `pointer.rs`, `stmt.rs`, `control.rs`, `format.rs` and `function.rs` make the rest of the
//!   language.
//! * `gadgets/` holds short passages, each about one corner of C or its library.
//! * `generator.rs` keeps what is in scope and estimates the running time, so that a program ends
//!   soon; `program.rs` puts the program together.
//! * `shrink.rs` makes a failing program smaller. It does not know what a program means: the tree
//!   promises that a hole takes any expression of its type.
//! * `feature.rs` names all that a program may use, for reports of coverage.
//!
//! # Limits
//!
//! The programs assume x86-64 Linux: little endian, 32-bit `int`, 64-bit `long`, signed `char`,
//! arithmetic right shift, and two's complement conversions. Link with `-lm`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod arith;
mod concurrent;
mod control;
mod decl;
mod effect;
mod expr;
mod feature;
mod float;
mod format;
mod function;
mod gadgets;
mod generator;
mod helper;
mod literal;
mod place;
mod pointer;
mod print;
mod program;
mod rng;
mod shrink;
mod stmt;
mod tree;
mod types;

pub use concurrent::{
    Concurrent, ConcurrentProgram, Construct, Extra, concurrent, shrink_concurrent,
};
pub use feature::Feature;
pub use shrink::shrink;
use std::collections::BTreeSet;

/// A generated program: the text and the features it uses.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The seed that it comes from.
    pub seed: u64,
    /// The program in C11 with GNU extensions.
    pub source: String,
    /// All that it uses.
    pub features: BTreeSet<Feature>,
}

/// The program of a seed, always the same one.
pub fn sequential(seed: u64) -> Generated {
    let program = SequentialProgram::generate(seed);
    Generated { seed, source: program.source(), features: program.features() }
}

/// A program as a tree, which can be simplified.
#[derive(Clone, Debug)]
pub struct SequentialProgram {
    tree: tree::Program,
}

impl SequentialProgram {
    /// The program of a seed, always the same one.
    pub fn generate(seed: u64) -> Self {
        Self { tree: program::generate(seed) }
    }

    /// The text in C.
    pub fn source(&self) -> String {
        print::program(&self.tree)
    }

    /// The features in use.
    pub fn features(&self) -> BTreeSet<Feature> {
        self.tree.features()
    }

    /// All one-step simplifications, the simplest first. Each is a valid
    /// program again, free of undefined behaviour, and lighter than this one:
    /// a chain of simplifications comes to an end.
    pub fn simplifications(&self) -> Vec<Self> {
        shrink::simplifications(&self.tree).into_iter().map(|tree| Self { tree }).collect()
    }
}
