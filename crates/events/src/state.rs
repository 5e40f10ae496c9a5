//! The state of a thread on one or several merged paths.

use std::rc::Rc;

use unravel_program::{BlockId, FunctionId, Reg, RegSet, SiteId};
use unravel_term::{Node, Term, Terms};

use crate::graph::{LockId, StepId};
use crate::known_cells::KnownCells;
use crate::memory::Memory;
use crate::object::{ObjectId, Objects};
use crate::value::Value;

/// Where a thread may be, and what it knows there.
#[derive(Clone, Debug)]
pub struct State {
    /// Whether the thread comes here.
    pub guard: Term,
    /// Registers of the current call.
    pub registers: Vec<Option<Value>>,
    /// Memory that only this thread reaches.
    pub memory: Memory,
    /// Shared memory that nobody else writes.
    pub known: Rc<KnownCells>,
    /// Locks that it may hold.
    pub open: Vec<Open>,
    /// The atomic section it is in.
    pub atomic: Option<Atomic>,
    /// It has made a turn of a loop that changed nothing, or makes none: the next is its last.
    pub lingered: Term,
}

/// A lock that a thread may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// The critical section that it began.
    pub lock: LockId,
    /// The lock's address.
    pub address: Value,
    /// Whether it is held.
    pub held: Term,
    /// How often it was locked again (recursive mutexes, readers), as a number of 32 bits.
    pub again: Term,
    /// It is held for reading.
    pub shared: bool,
}

/// An atomic section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// All of it is one step.
    pub step: StepId,
    /// Sections within sections.
    pub depth: u32,
}

/// A call in progress.
#[derive(Debug)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// The current place.
    pub site: SiteId,
    /// The current block.
    pub block: BlockId,
    /// The current instruction in it.
    pub index: u32,
    /// Loops in progress, outermost first: head, and how often it was turned back to.
    pub turns: Vec<(BlockId, u32)>,
    /// Paths that wait before a block.
    pub pending: std::collections::BTreeMap<BlockId, State>,
    /// Paths that have returned, with what they return.
    pub returned: Option<(State, Vec<Value>)>,
    /// Local variables in memory.
    pub locals: Vec<ObjectId>,
}

impl State {
    /// Takes in another path to the same place. `false` if the two cannot be merged.
    pub fn merge(
        &mut self,
        terms: &mut Terms,
        objects: &mut Objects,
        other: &State,
        live: Option<&RegSet>,
    ) -> bool {
        if self.atomic != other.atomic {
            return false;
        }
        let taken = other.guard;
        for (index, there) in (0u32..).zip(&other.registers) {
            let here = &mut self.registers[index as usize];
            if here == there {
                continue;
            }
            let wanted = live.is_none_or(|live| live.contains(Reg(index)));
            *here = match (*here, there) {
                (Some(here), Some(there)) if wanted => Some(there.or_else(terms, taken, here)),
                _ => None,
            };
        }
        let mut memory = other.memory.clone();
        memory.merge(terms, objects, taken, &self.memory);
        self.memory = memory;
        if !Rc::ptr_eq(&self.known, &other.known) && self.known != other.known {
            Rc::make_mut(&mut self.known).merge(terms, taken, &other.known);
        }
        self.merge_open(terms, other);
        self.lingered = terms.ite(taken, other.lingered, self.lingered);
        self.guard = either(terms, self.guard, other.guard);
        true
    }

    fn merge_open(&mut self, terms: &mut Terms, other: &State) {
        let falsity = terms.falsity();
        for open in &mut self.open {
            let there = other.open.iter().find(|it| it.lock == open.lock);
            let (held, again) = there.map_or((falsity, open.again), |it| (it.held, it.again));
            open.held = terms.ite(other.guard, held, open.held);
            open.again = terms.ite(other.guard, again, open.again);
        }
        for open in &other.open {
            if !self.open.iter().any(|it| it.lock == open.lock) {
                let held = terms.and(other.guard, open.held);
                self.open.push(Open { held, ..*open });
            }
        }
    }

    /// Goes on only where a condition holds.
    pub fn require(&mut self, terms: &mut Terms, condition: Term) {
        self.guard = terms.and(self.guard, condition);
    }
}

/// `a ∨ b`, where both are often two branches of one path: `(g ∧ c) ∨ (g ∧ ¬c)` is `g`.
fn either(terms: &mut Terms, a: Term, b: Term) -> Term {
    if let (Node::And(p, q), Node::And(r, s)) = (terms.node(a), terms.node(b)) {
        for (x, y) in [(p, q), (q, p)] {
            for (u, v) in [(r, s), (s, r)] {
                if x == u && terms.not(y) == v {
                    return x;
                }
            }
        }
    }
    let not_a = terms.not(a);
    if not_a == b {
        return terms.truth();
    }
    terms.or(a, b)
}
