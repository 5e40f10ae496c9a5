//! Random *concurrent* C programs for comparing engines.
//!
//! A program has two to four threads and a few shared variables, makes
//! assertions, and may make memory errors on purpose; it has no other undefined
//! behaviour. It is small enough that all its schedules can be visited, and
//! about half of the programs are safe.
//!
//! * `tree.rs`, `print.rs` and `shrink.rs` are the tree, its text, and its
//!   simplifications; `construct.rs` names what a program may use.
//! * `generator.rs` keeps what a program consists of so far, and `main.rs` puts
//!   the pieces together; `shape.rs` decides which threads there are.
//! * `idioms/` holds short concurrent idioms, each with a correct and a broken
//!   form, `guard.rs` the ways to protect one, and `wrap.rs` the control flow to
//!   put around it.
//! * `crossed.rs` is a program of its own, for which following up single orders
//!   is not enough; `inside.rs` one that checks inside of atomic sections.
//! * `soup.rs`, `expr.rs` and `statement.rs` make random statements on variables
//!   of their own.

mod construct;
mod crossed;
mod expr;
mod generator;
mod guard;
mod idioms;
mod inside;
mod main;
mod print;
mod shape;
mod shrink;
mod soup;
mod statement;
mod tree;
mod wrap;

pub use construct::Construct;
pub use shrink::shrink_concurrent;
use std::collections::BTreeSet;

/// A generated program: the text and the constructs it uses.
#[derive(Clone, Debug)]
pub struct Concurrent {
    /// The seed that it comes from.
    pub seed: u64,
    /// The program in C11 with GNU extensions and pthreads.
    pub source: String,
    /// All that it uses.
    pub constructs: BTreeSet<Construct>,
}

/// The program of a seed, always the same one.
pub fn concurrent(seed: u64) -> Concurrent {
    let program = ConcurrentProgram::generate(seed);
    Concurrent { seed, source: program.source(), constructs: program.constructs() }
}

/// A concurrent program as a tree, which can be simplified.
#[derive(Clone, Debug)]
pub struct ConcurrentProgram {
    tree: tree::Tree,
}

impl ConcurrentProgram {
    /// The program of a seed, always the same one.
    pub fn generate(seed: u64) -> Self {
        Self { tree: main::generate(seed) }
    }

    /// The text in C.
    pub fn source(&self) -> String {
        print::tree(&self.tree)
    }

    /// The constructs in use.
    pub fn constructs(&self) -> BTreeSet<Construct> {
        let mut found = self.tree.marks();
        let source = self.source();
        let shows = |words: &[&str]| words.iter().any(|word| source.contains(word));
        let by_text = construct::BY_TEXT.iter().filter(|(_, words)| shows(words));
        found.extend(by_text.map(|(construct, _)| *construct));
        found
    }

    /// A measure of its size, which every simplification lowers.
    pub fn weight(&self) -> u64 {
        self.tree.weight()
    }

    /// All one-step simplifications, the simplest first. Each is a valid
    /// program again and lighter than this one, so a chain of them ends.
    pub fn simplifications(&self) -> Vec<Self> {
        shrink::simplifications(&self.tree).into_iter().map(|tree| Self { tree }).collect()
    }
}
