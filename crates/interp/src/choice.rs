//! Everything a run decides that the program does not, other than who steps next.

use unravel_program::SiteId;

use crate::memory::ObjectId;
use crate::state::ThreadId;

/// A decision to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is to be decided.
    pub kind: ChoiceKind,
    /// In which thread.
    pub thread: ThreadId,
    /// At which place.
    pub site: SiteId,
}

/// Kinds of decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceKind {
    /// A value of so many bits: an input.
    Input {
        /// Its width.
        width: u16,
        /// Where it comes from.
        source: InputSource,
    },
    /// One of several alternatives, numbered from 0, the most ordinary first.
    Pick {
        /// How many there are.
        options: u32,
        /// Of what.
        what: Pick,
    },
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InputSource {
    /// A function that returns an arbitrary value: `__VERIFIER_nondet_…`, `rand`, an unknown one.
    Call(String),
    /// Memory or a local that was never written.
    Uninitialized,
    /// The order of two objects in memory: 0 if the first lies below the second.
    Layout(ObjectId, ObjectId),
}

impl InputSource {
    /// Its kind, as a report names it.
    #[must_use]
    pub fn kind(&self) -> unravel_kinds::InputSource {
        match self {
            InputSource::Call(name) => unravel_kinds::InputSource::Call(name.clone()),
            InputSource::Uninitialized => unravel_kinds::InputSource::Uninitialized,
            InputSource::Layout(..) => unravel_kinds::InputSource::Layout,
        }
    }
}

/// Alternatives that are part of the schedule or of the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pick {
    /// Which waiter a signal wakes.
    Waiter,
    /// How a timed wait ends.
    Wakeup,
    /// Whether a weak compare-and-swap fails although the values agree.
    WeakFailure,
    /// Whether a new block gets the address of a freed one, and of which.
    Address,
    /// Whether a new thread gets the id of one that is gone, and of which.
    ThreadIdentity,
    /// Whether an allocation fails.
    AllocationFailure,
    /// Which destructor of thread-specific data comes next.
    Destructor,
}

/// Makes decisions. `None` stops the step: whoever explores asks again with one more decision.
pub trait Chooser {
    /// Makes the decision; `None` if there is none for it.
    fn choose(&mut self, choice: &Choice) -> Option<u128>;
}

/// Decisions made beforehand; what is asked beyond them is remembered.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The decisions, in the order they are asked for.
    pub decisions: Vec<u128>,
    /// How many were used.
    pub used: usize,
    /// The first question without an answer.
    pub open: Option<Choice>,
}

impl Script {
    /// A script of the given decisions.
    #[must_use]
    pub fn new(decisions: Vec<u128>) -> Script {
        Script { decisions, used: 0, open: None }
    }
}

impl Chooser for Script {
    fn choose(&mut self, choice: &Choice) -> Option<u128> {
        let decision = self.decisions.get(self.used).copied();
        match decision {
            Some(_) => self.used += 1,
            None => self.open = Some(choice.clone()),
        }
        decision
    }
}

/// The most ordinary decision each time: inputs are 0, nothing fails, nothing is spurious.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ordinary;

impl Chooser for Ordinary {
    fn choose(&mut self, _choice: &Choice) -> Option<u128> {
        Some(0)
    }
}
