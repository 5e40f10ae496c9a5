//! All schedules of a small program, by brute force.
//!
//! # In and out
//!
//! [`explore()`] takes a valid [`Program`] with a configuration and [`Limits`], and gives an
//! [`Exploration`]: the violations that it found, each with a run, and what was cut or not
//! modelled. It uses the interpreter and no solver.
//!
//! The exploration is the oracle for the other engine: it is simple enough to be trusted, and the
//! tests compare the symbolic engine with it. It walks the graph of states (`unravel-interp`) and
//! knows a state that it has seen by its fingerprint. It therefore ends on every program with
//! finitely many states, including programs with loops that wait.
//!
//! # Fewest context switches first
//!
//! The walk goes by the number of context switches: level *k* holds what *k* switches reach, and
//! within a level threads run on without a switch. The first violation that is found therefore has
//! the fewest switches of all. Each pair of a state and a thread is stepped once, on the first
//! level that reaches it: in a state first met on level *k*, the thread that just stepped goes on
//! at level *k*, and every other thread at *k* + 1. Later visits can only add the thread that they
//! came with.
//!
//! # Inputs
//!
//! An input of up to [`Limits::input_bits`] bits takes every value. A wider one takes only values
//! near the constants of the program ([`domain`]). The exploration is then not complete, and says
//! so ([`Exploration::sampled`]).
//!
//! # Cost
//!
//! Time and memory grow with the number of states: exponentially in the number of threads.
//!
//! # Reading order
//!
//! The types below, then `walk`, which is the whole search. [`shorten`] makes a failing run of any
//! engine short. [`outcomes`] is the oracle for `diagnose`: it visits all runs and reports which
//! orders hold in those that pass and those that fail.
#![forbid(unsafe_code)]

pub mod domain;
pub mod outcomes;
pub mod shorten;
mod walk;

use std::collections::BTreeSet;

use unravel_interp::schedule::ThreadInfo;
use unravel_interp::{Config, Notes, Run, Violation};
use unravel_program::{Program, SiteId};
use unravel_watch::{Counts, Stopped, Watch};

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Stop at the first violation.
    pub first_only: bool,
    /// Most states to visit.
    pub states: usize,
    /// Widest input that takes every value.
    pub input_bits: u16,
    /// Most steps once an input did not take every value: then nothing can be proved any more.
    pub steps_if_sampled: usize,
    /// Most context switches of a run.
    pub switches: u32,
    /// Threads that may step, one bit for each. Thread 64 has the bit of thread 0, and so on.
    pub threads: u64,
    /// Threads may wake without a signal.
    pub spurious: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            first_only: true,
            states: 20_000_000,
            input_bits: 8,
            steps_if_sampled: usize::MAX,
            switches: u32::MAX,
            threads: u64::MAX,
            spurious: true,
        }
    }
}

/// What an exploration saw.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Failing runs, distinct by property, kind and place, the last step of each violates. Each has
    /// the fewest context switches that lead to its violation; fewest first.
    pub found: Vec<Run<Violation>>,
    /// What was cut or is not modelled.
    pub notes: Notes,
    /// Inputs that did not take every value, by place.
    pub sampled: BTreeSet<SiteId>,
    /// Why it ended early, if it did.
    pub stopped: Option<Stopped>,
    /// Threads of a run that has the most.
    pub threads: Vec<ThreadInfo>,
    /// All runs of fewer context switches than this were seen.
    pub levels: u32,
    /// How much was seen.
    pub counts: Counts,
}

impl Exploration {
    /// Whether every run was seen: nothing cut, sampled, unsupported or stopped.
    #[must_use]
    pub fn is_exhaustive(&self) -> bool {
        self.stopped.is_none()
            && self.sampled.is_empty()
            && !self.notes.iter().any(unravel_interp::Note::limits)
    }
}

/// Explores all runs of a valid program.
#[must_use]
pub fn explore(
    program: &Program,
    config: Config,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Exploration {
    walk::Walk::new(program, config, limits).run(watch)
}
