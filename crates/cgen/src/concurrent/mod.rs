//! Random *concurrent* C programs for comparing engines.
//!
//! A program has two to four threads and a few shared variables, makes
//! assertions, and may make memory errors, use the library wrongly or run into
//! a deadlock on purpose; it has no other undefined behaviour. It is small
//! enough that all its schedules can be visited, and about half of the programs
//! are safe. Those of odd seeds use all of pthreads, semaphores and C11; some of
//! them are for checking data races or undefined arithmetic ([`Extra`]).
//!
//! * `tree.rs`, `print.rs` and `shrink.rs` are the tree, its text, and its
//!   simplifications; `construct.rs` names what a program may use.
//! * `generator.rs` keeps what a program consists of so far, and `main.rs` puts
//!   the pieces together; `shape.rs` decides which threads there are.
//! * `idioms/` holds short concurrent idioms, each with a correct and a broken
//!   form, `guard.rs` the ways to protect one, and `wrap.rs` the control flow to
//!   put around it.
//! * `primitives.rs` puts together those that use more than mutexes and atomics;
//!   `objects.rs`, `monitor.rs` and `lock.rs` declare what they use, `cast.rs`
//!   chooses who takes part, and `text.rs` makes statements from text.
//! * `crossed.rs` is a program of its own, for which following up single orders
//!   is not enough; `inside.rs` one that checks inside of atomic sections.
//! * `soup.rs`, `expr.rs` and `statement.rs` make random statements on variables
//!   of their own.

mod cast;
mod construct;
mod crossed;
mod expr;
mod generator;
mod guard;
mod idioms;
mod inside;
mod lock;
mod main;
mod monitor;
mod objects;
mod primitives;
mod print;
mod shape;
mod shrink;
mod soup;
mod statement;
mod text;
mod tree;
mod wrap;

pub use construct::Construct;
pub use shrink::shrink_concurrent;
use std::collections::BTreeSet;

/// What is to be checked besides the default properties. Such a program only breaks that on
/// purpose: nearly every other program has data races.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Extra {
    /// Nothing.
    #[default]
    None,
    /// Data races.
    Races,
    /// Undefined arithmetic.
    Ub,
}

impl Extra {
    /// The option of the command line that asks for it; empty if there is none.
    pub fn flags(self) -> &'static str {
        match self {
            Extra::None => "",
            Extra::Races => "--races",
            Extra::Ub => "--ub",
        }
    }
}

/// A generated program: the text and the constructs it uses.
#[derive(Clone, Debug)]
pub struct Concurrent {
    /// The seed that it comes from.
    pub seed: u64,
    /// The program in C11 with GNU extensions and pthreads.
    pub source: String,
    /// All that it uses.
    pub constructs: BTreeSet<Construct>,
    /// The options of the command line that it is meant for.
    pub flags: &'static str,
}

/// The program of a seed, always the same one.
pub fn concurrent(seed: u64) -> Concurrent {
    let program = ConcurrentProgram::generate(seed);
    let (constructs, flags) = (program.constructs(), program.flags());
    Concurrent { seed, source: program.source(), constructs, flags }
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

    /// What is to be checked besides the default properties; the first line of the text says so.
    pub fn extra(&self) -> Extra {
        self.tree.extra
    }

    /// The options of the command line that it is meant for.
    pub fn flags(&self) -> &'static str {
        self.tree.extra.flags()
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
