//! What a search found, whoever searched.

use std::collections::BTreeSet;

use unravel_interp::schedule::ThreadInfo;
use unravel_interp::{Notes, Run, Violation};
use unravel_program::SiteId;
use unravel_report::model::HandOver;
use unravel_watch::Stopped;

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The symbolic engine.
    Sat,
    /// The exploration of all states.
    Explore,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Search {
    /// Failing runs, each of another violation.
    pub found: Vec<Run<Violation>>,
    /// Whether these runs have the fewest context switches possible.
    pub fewest_switches: bool,
    /// What was cut or is not modelled.
    pub notes: Notes,
    /// Inputs that did not take every value.
    pub sampled: BTreeSet<SiteId>,
    /// Why it ended early, if it did.
    pub stopped: Option<Stopped>,
    /// Threads of a run that has the most.
    pub threads: Vec<ThreadInfo>,
    /// The bound on loops that the runs were found with.
    pub unwind: Option<u32>,
    /// States that were visited, if the exploration searched.
    pub explored_states: Option<u64>,
    /// Numbers, in the order to show them.
    pub stats: Vec<(&'static str, u64)>,
    /// Why the exploration should answer instead, if it should, with the place of it.
    pub handed_over: Option<(SiteId, HandOver)>,
    /// The exploration found it.
    pub explored: bool,
    /// No run comes to its end, and some thread turns a loop in which nothing changes any more.
    pub endless: bool,
}

impl Search {
    /// Whether every run was seen: nothing cut, sampled, unsupported or stopped.
    #[must_use]
    pub fn is_exhaustive(&self) -> bool {
        let is_limited = self.endless || !self.notes.is_empty();
        self.stopped.is_none() && self.sampled.is_empty() && !is_limited
    }
}
