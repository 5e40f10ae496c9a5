//! How an engine is watched over from outside.
//!
//! No engine looks at a clock, at the memory of the process, or at the keyboard. Each is given a
//! [`Watch`] and asks it now and then whether to go on. The command line has one with the user's
//! limits; tests have others, which count looks and not time.
//! What is far from a watch carries an [`Alarm`].
#![forbid(unsafe_code)]

mod alarm;

pub use alarm::{Alarm, Until};
pub use unravel_kinds::{StopReason, Work};

/// Watches over an engine from outside.
pub trait Watch {
    /// Called every few hundred steps; a reason stops the engine.
    fn check(&mut self, counts: &Counts) -> Option<StopReason>;

    /// Something is known before all is: a sentence without a full stop.
    fn news(&mut self, _what: String) {}

    /// How far a long piece of work is; for those who wait.
    fn progress(&mut self, _progress: Progress) {}

    /// An engine begins another phase of its work; for those who measure time.
    fn phase(&mut self, _phase: Phase) {}
}

/// Lets an engine run to its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWatch;

impl Watch for NoWatch {
    fn check(&mut self, _counts: &Counts) -> Option<StopReason> {
        None
    }
}

/// Why a search ended before it had seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// At the first violation, as asked.
    FirstViolation,
    /// The number of states.
    States,
    /// The watch said so.
    Asked(StopReason),
}

/// How much an exploration has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Distinct states.
    pub states: usize,
    /// Steps taken.
    pub steps: usize,
    /// States in which the program was complete.
    pub complete: usize,
    /// Most context switches on the way to a state (of its shortest run).
    pub context_switches: u32,
    /// Most threads at once.
    pub threads: usize,
}

/// How far a long piece of work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Failing runs are being explained.
    Diagnosing {
        /// Causes that are known.
        causes: usize,
        /// Failing runs that are explained.
        runs: usize,
    },
    /// Changes are being tried.
    Repairing {
        /// Changes that were compiled and checked.
        tried: usize,
    },
}

/// What an engine spends its time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Symbolic execution.
    Build,
    /// Making clauses.
    Encode,
    /// Asking the solver.
    Solve,
    /// Following a run on the interpreter.
    Replay,
    /// Exploring states.
    Explore,
    /// Finding out what to change, and writing it.
    Plan,
    /// Compiling a changed program.
    Compile,
    /// Checking changed programs, up to the first that passes.
    Verify,
    /// Checking further ones, and which of them is the best.
    Rank,
}
