//! Values that may be others: what a correction of the program would change.
//!
//! `unravel localize` asks which assignments, conditions and arguments, given another value, would
//! let a failing run pass. For that some copies of a program are *marked*: in the graph, the value
//! of a marked copy is `selector ? fresh : original`. All executions of a mark share one selector
//! and one value, since that is what an editor could write there; a mark that may be executed
//! several times by one thread has besides them a selector and a value for each single execution.
//!
//! A selector that is false changes nothing, so one graph has the runs of the program and of all
//! its corrections.

use std::collections::BTreeMap;

use unravel_program::{FunctionId, GlobalId, Reg};
use unravel_term::Term;

use crate::graph::{Position, ThreadId};

/// Executions of one mark that can be changed one by one.
pub const MOST_ITERATIONS: u32 = 16;

/// What may have another value: copies, by function and by the register that they assign, and
/// initial values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The marks.
    pub copies: BTreeMap<(FunctionId, Reg), Mark>,
    /// Integers among the initial values of variables: by variable and offset, the number of the
    /// mark and how many bytes it has.
    pub initials: BTreeMap<(GlobalId, u64), (usize, u64)>,
}

/// A copy whose value may be another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its number.
    pub number: usize,
    /// The register, of 32 bits, that tells how often its thread has executed it before.
    pub counter: Option<Reg>,
}

/// Another value for a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The mark.
    pub mark: usize,
    /// Which execution of it, from 0, in every thread; `None`: all of them.
    pub iteration: Option<u32>,
    /// Whether it is chosen: a variable of one bit.
    pub selector: Term,
    /// The value: a variable.
    pub value: Term,
}

/// An execution of a mark.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The mark.
    pub mark: usize,
    /// In which thread.
    pub thread: ThreadId,
    /// Where in its execution.
    pub position: Position,
    /// Whether it is executed.
    pub guard: Term,
    /// The value that the program gives it.
    pub original: Term,
}
