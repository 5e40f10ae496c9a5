//! A step with the locks that its thread holds there.

use std::collections::{BTreeMap, BTreeSet};

use unravel_interp::{Schedule, Step, StepKind};
use unravel_kinds::{Deed, Variable};
use unravel_program::{Program, SiteId};

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The thread that takes it.
    pub thread: u32,
    /// Where it stands.
    pub site: SiteId,
    /// What it does.
    pub kind: StepKind,
    /// The memory or object that it is about.
    pub variable: Option<Variable>,
    /// The value read or written.
    pub value: Option<String>,
    /// Its index in the failing run, if it happens there.
    pub index: Option<usize>,
    /// The locks that the thread holds, the last taken last.
    pub held: Vec<Held>,
    /// No other thread can be at the same memory: there is no other, or none knows it yet.
    pub alone: bool,
}

/// A lock that a thread holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    /// The lock.
    pub lock: Variable,
    /// Where it was taken.
    pub site: SiteId,
    /// How many locks the thread had taken before: two steps with the same number are in the same
    /// critical section.
    pub number: usize,
}

/// A line of the program's text, or a place without one.
pub(crate) type Line = (u32, u32);

impl Spot {
    /// A step of which no more is known than where it stands.
    #[must_use]
    pub fn at(thread: u32, site: SiteId, kind: StepKind, variable: Option<Variable>) -> Spot {
        let (value, index, held) = (None, None, Vec::new());
        Spot { thread, site, kind, variable, value, index, held, alone: false }
    }

    /// The line that it stands on.
    pub(crate) fn line(&self, program: &Program) -> Line {
        match program.site(self.site).span {
            Some(span) => (span.file.0, span.line),
            None => (u32::MAX, self.site.0),
        }
    }

    pub(crate) fn is_read(&self) -> bool {
        matches!(self.kind, StepKind::Read | StepKind::FailedUpdate)
    }

    pub(crate) fn is_deed(&self, deed: Deed) -> bool {
        self.kind.deed() == Some(deed)
    }

    /// The critical section of a lock that it is in.
    pub(crate) fn section(&self, lock: &Variable) -> Option<&Held> {
        self.held.iter().rev().find(|held| held.lock == *lock)
    }

    /// The step that took a lock which is held here.
    pub(crate) fn taking(&self, held: &Held) -> Spot {
        let kind = StepKind::Sync { deed: Deed::Lock, code: Some(0) };
        Spot::at(self.thread, held.site, kind, Some(held.lock.clone()))
    }

    /// Whether it takes a lock, and gets it.
    pub(crate) fn takes_lock(&self) -> bool {
        matches!(self.kind, StepKind::Sync { deed, code: Some(0) } if deed.takes_lock())
    }

    /// Whether it gives memory or an object up.
    pub(crate) fn ends_something(&self) -> bool {
        self.kind == StepKind::Free || self.is_deed(Deed::Destroy)
    }
}

/// The steps of a run, in order. Cost: steps times locks that are held at once.
#[must_use]
pub fn spots(run: &Schedule) -> Vec<Spot> {
    let mut walk = Walk::default();
    run.steps.iter().enumerate().map(|(index, step)| walk.step(index, step)).collect()
}

/// What is known on the way through a run.
#[derive(Default)]
struct Walk {
    held: BTreeMap<u32, Vec<Held>>,
    taken: BTreeMap<u32, usize>,
    /// Threads that were created and not joined.
    running: BTreeSet<u32>,
    /// Heap blocks, by line and number, that only this thread has accessed so far.
    blocks: BTreeMap<(u32, u32), Option<u32>>,
}

impl Walk {
    fn step(&mut self, index: usize, step: &Step) -> Spot {
        let thread = step.thread.0;
        let alone = self.is_alone(thread, step);
        let spot = Spot {
            thread,
            site: step.site,
            kind: step.kind,
            variable: step.variable.clone(),
            value: step.value.clone(),
            index: Some(index),
            held: self.held.get(&thread).cloned().unwrap_or_default(),
            alone,
        };
        match step.kind {
            StepKind::Create(other) => {
                self.running.insert(other);
            }
            StepKind::Join(other) => {
                self.running.remove(&other);
            }
            StepKind::Sync { deed: Deed::Unlock, .. } => self.unlock(thread, step),
            _ if spot.takes_lock() => self.lock(thread, step),
            _ => {}
        }
        spot
    }

    fn lock(&mut self, thread: u32, step: &Step) {
        let Some(lock) = step.variable.clone() else { return };
        let taken = self.taken.entry(thread).or_default();
        let held = Held { lock, site: step.site, number: *taken };
        *taken += 1;
        self.held.entry(thread).or_default().push(held);
    }

    fn unlock(&mut self, thread: u32, step: &Step) {
        let held = self.held.entry(thread).or_default();
        let is_it = |it: &Held| Some(&it.lock) == step.variable.as_ref();
        if let Some(at) = held.iter().rposition(is_it) {
            held.remove(at);
        }
    }

    fn is_alone(&mut self, thread: u32, step: &Step) -> bool {
        if thread == 0 && self.running.is_empty() {
            // Still, the block is this thread's.
            self.own_block(thread, step);
            return true;
        }
        self.own_block(thread, step)
    }

    /// Whether it accesses a heap block that no other thread has accessed yet.
    fn own_block(&mut self, thread: u32, step: &Step) -> bool {
        let Some(Variable::Heap { line, nth, .. }) = step.variable else { return false };
        let owner = self.blocks.entry((line, nth)).or_insert(Some(thread));
        if *owner != Some(thread) {
            *owner = None;
        }
        owner.is_some() && step.kind.is_write()
    }
}
