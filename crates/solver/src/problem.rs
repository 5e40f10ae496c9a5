//! The ordering problem: what the caller has stated, and nothing derived from it.

use crate::lit::Lit;

/// A step: one or more events that no other step can interrupt.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// A read event.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ReadId(pub u32);

/// A write event.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct WriteId(pub u32);

/// Where an event sits: its node, and its place in the fixed order of the events of that node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    pub(crate) node: u32,
    pub(crate) position: u32,
}

/// A write that a read may take its value from, or that may come between.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Source {
    pub(crate) read: u32,
    pub(crate) write: u32,
    /// The read takes its value from the write; `None`: never.
    pub(crate) rf: Option<Lit>,
    /// The write is executed and has the address of the read.
    pub(crate) live: Lit,
}

/// An edge that holds if its literal is true.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Conditional {
    pub(crate) lit: Lit,
    pub(crate) before: u32,
    pub(crate) after: u32,
}

/// All that was stated. It only grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub(crate) nodes: u32,
    pub(crate) fixed: Vec<(u32, u32)>,
    pub(crate) conditional: Vec<Conditional>,
    pub(crate) writes: Vec<Event>,
    pub(crate) reads: Vec<Event>,
    /// Per read, its guard, where the theory is to decide; see [`crate::Options::decide`].
    pub(crate) read_guards: Vec<Option<Lit>>,
    pub(crate) sources: Vec<Source>,
}

impl Problem {
    pub(crate) fn source(&self, source: u32) -> Source {
        self.sources[source as usize]
    }

    pub(crate) fn read_of(&self, source: u32) -> Event {
        self.reads[self.source(source).read as usize]
    }

    pub(crate) fn write_of(&self, source: u32) -> Event {
        self.writes[self.source(source).write as usize]
    }
}
