//! The orders of a run: pairs of conflicting steps of different threads.
//!
//! Two steps conflict if they access one location and at least one of them writes it. An order
//! *a* before *b* holds in a run that executes *a*, and *b* later or not at all (DESIGN §4): that
//! something has not happened yet when the run fails is often what matters.
//!
//! For a step that the run executes, its locations are known; for one that it does not, all that it
//! may access count. Cost: accesses of the run times accesses of the graph.

use std::collections::BTreeMap;

use unravel_encode::Encoding;
use unravel_events::{Access, EventGraph, Space, StepId, Value};
use unravel_solver::Model;
use unravel_term::Term;

/// An order that holds in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The step that comes first.
    pub before: StepId,
    /// The step that comes later, or not at all.
    pub after: StepId,
    /// What they conflict in.
    pub contact: Contact,
    /// How far from the failure it lies: steps of the run after its two steps. One that the run does
    /// not execute lies as far away as can be.
    pub distance: usize,
    /// The run executes both steps.
    pub happens: bool,
}

/// What two steps conflict in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// Two accesses, as indices into the graph's accesses.
    Memory {
        /// Of the first step.
        before: usize,
        /// Of the later step.
        after: usize,
    },
    /// Two operations on one lock.
    Lock,
}

/// Which pairs of steps count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// Accesses to memory.
    Memory,
    /// Where one lock is taken, or found taken: what deadlocks depend on.
    Locks,
    /// Accesses to memory and places where one lock is taken.
    MemoryAndLocks,
    /// Also all other operations on one lock: results of `trylock`, and misuses, depend on those.
    All,
}

impl Pairs {
    /// More pairs, where these do not explain a failure.
    #[must_use]
    pub fn more(self) -> Option<Pairs> {
        match self {
            Pairs::Memory | Pairs::Locks => Some(Pairs::MemoryAndLocks),
            Pairs::MemoryAndLocks => Some(Pairs::All),
            Pairs::All => None,
        }
    }
}

/// Bytes, or an object's existence, that a step touches.
#[derive(Clone, Copy, Debug)]
struct Touch {
    step: StepId,
    access: usize,
    space: Space,
    writes: bool,
    from: u128,
    to: u128,
}

impl Touch {
    fn conflicts_with(&self, other: &Touch) -> bool {
        self.space == other.space
            && (self.writes || other.writes)
            && self.from < other.to
            && other.from < self.to
    }
}

/// The orders that hold in a run, closest to the failure first, those of locks made by hand last. `steps` are the steps it executes.
#[must_use]
pub fn orders_of(encoding: &Encoding, model: &Model, steps: &[StepId], pairs: Pairs) -> Vec<Order> {
    let place: BTreeMap<StepId, usize> =
        steps.iter().enumerate().map(|(at, &step)| (step, at)).collect();
    let mut found = Finder { encoding, place, seen: BTreeMap::new(), orders: Vec::new() };
    if pairs != Pairs::Locks {
        let (executed, others) = found.touches(model);
        found.pair_up(&executed, &others);
    }
    if pairs != Pairs::Memory {
        found.pair_up_locks(model, pairs);
    }
    let mut orders = found.orders;
    let graph = encoding.graph();
    // A lock made by hand is accessed by functions of its own. What it guards says more.
    let is_lock = |it: &Order| graph.step(it.before).wrapped && graph.step(it.after).wrapped;
    orders.sort_by_key(|order| (is_lock(order), order.distance, order.before, order.after));
    orders
}

struct Finder<'a> {
    encoding: &'a Encoding,
    /// Where in the run each of its steps is.
    place: BTreeMap<StepId, usize>,
    /// Index of the order of two steps.
    seen: BTreeMap<(StepId, StepId), usize>,
    orders: Vec<Order>,
}

impl Finder<'_> {
    /// What the run touches, and what the other steps may touch.
    fn touches(&self, model: &Model) -> (Vec<Touch>, Vec<Touch>) {
        let graph = self.encoding.graph();
        let (mut executed, mut others) = (Vec::new(), Vec::new());
        self.encoding.valuation(model).with(|value| {
            // Operations on one object are pairs of their own kind, see `lock_uses`.
            let is_sync = |step: StepId| graph.step(step).sync.is_some();
            let all = graph.accesses.iter().enumerate();
            for (index, access) in
                all.filter(|(_, it)| it.space != Space::Sync || !is_sync(it.step))
            {
                if !self.place.contains_key(&access.step) {
                    others.extend(may_touch(graph, index, access));
                } else if value(access.guard) == 1 {
                    executed.push(touch(index, access, value));
                }
            }
        });
        executed.sort_by_key(|touch| self.place.get(&touch.step).copied());
        (executed, others)
    }

    fn pair_up(&mut self, executed: &[Touch], others: &[Touch]) {
        for (at, first) in executed.iter().enumerate() {
            for second in executed[at + 1..].iter().chain(others) {
                if first.conflicts_with(second) {
                    let (before, after) = (first.access, second.access);
                    self.add(first.step, second.step, Contact::Memory { before, after });
                }
            }
        }
    }

    fn pair_up_locks(&mut self, model: &Model, pairs: Pairs) {
        let uses = self.lock_uses(model, pairs);
        for (at, &(first, lock)) in uses.iter().enumerate() {
            for &(second, other) in &uses[at + 1..] {
                if lock == other && self.place.contains_key(&first) {
                    self.add(first, second, Contact::Lock);
                }
            }
        }
    }

    /// Steps that use a lock, with the lock: those of the run in its order, then the others.
    fn lock_uses(&self, model: &Model, pairs: Pairs) -> Vec<(StepId, u128)> {
        let all = pairs == Pairs::All;
        let graph = self.encoding.graph();
        let mut uses: Vec<(StepId, u128)> = self.encoding.valuation(model).with(|value| {
            let mut at = |step: StepId, address: Value| (step, value(address.bits));
            let locks = graph.locks.iter().map(|it| (it.step, it.address));
            let refusals = graph.refusals.iter().map(|it| (it.step, it.address));
            let others = graph.lock_uses.iter().filter(|it| all || !it.class.is_lock());
            let others = others.map(|it| (it.step, it.address));
            let lives = graph.lifetimes.iter().filter(|_| all).map(|it| (it.step, it.address));
            let others = others.chain(lives);
            let uses = locks.chain(refusals).chain(others);
            uses.map(|(step, address)| at(step, address)).collect()
        });
        uses.sort_by_key(|(step, _)| (self.place.get(step).copied().unwrap_or(usize::MAX), *step));
        uses.dedup();
        uses
    }

    fn add(&mut self, before: StepId, after: StepId, contact: Contact) {
        let graph = self.encoding.graph();
        let same_thread = graph.step(before).thread == graph.step(after).thread;
        if same_thread
            || self.encoding.always_before(before, after)
            || self.encoding.always_before(after, before)
        {
            return;
        }
        if let Some(&known) = self.seen.get(&(before, after)) {
            let known = &mut self.orders[known].contact;
            if says_more(graph, contact) > says_more(graph, *known) {
                *known = contact;
            }
            return;
        }
        self.seen.insert((before, after), self.orders.len());
        let end = self.place.len();
        // What does not happen in the run is easier to miss for a reader: it counts as far away.
        let left = |step: &StepId| end - self.place.get(step).copied().unwrap_or(0);
        let distance = left(&before) + left(&after);
        let happens = self.place.contains_key(&after);
        self.orders.push(Order { before, after, contact, distance, happens });
    }
}

/// Of several conflicts between two steps, the one to speak of: that memory ceases to exist, then
/// that a value is handed on, or overwritten.
fn says_more(graph: &EventGraph, contact: Contact) -> u32 {
    let Contact::Memory { before, after } = contact else { return 0 };
    let (before, after) = (&graph.accesses[before], &graph.accesses[after]);
    match (before.space, before.writes, after.writes) {
        (Space::Life, true, _) => 4,
        (Space::Data, true, false) => 3,
        (Space::Data, true, true) => 2,
        _ => 1,
    }
}

fn touch(index: usize, access: &Access, value: &mut dyn FnMut(Term) -> u128) -> Touch {
    let (from, to) = match access.space {
        Space::Data | Space::Sync => {
            let from = value(access.address.bits);
            (from, from + u128::from(access.bytes))
        }
        Space::Life => {
            let object = value(access.address.provenance);
            (object, object + 1)
        }
    };
    let (step, space, writes) = (access.step, access.space, access.writes);
    Touch { step, access: index, space, writes, from, to }
}

/// All that an access may touch.
fn may_touch(graph: &EventGraph, index: usize, access: &Access) -> Vec<Touch> {
    let (step, space, writes) = (access.step, access.space, access.writes);
    let at = |(from, to)| Touch { step, access: index, space, writes, from, to };
    if graph.terms.is_false(access.guard) {
        return Vec::new();
    }
    if let (Space::Data, Some(from)) = (space, graph.terms.as_const(access.address.bits)) {
        return vec![at((from, from + u128::from(access.bytes)))];
    }
    let places = graph.candidates(&access.may).into_iter().map(|id| match space {
        Space::Life => (id.provenance(), id.provenance() + 1),
        Space::Data | Space::Sync => {
            let object = graph.objects.get(id);
            (u128::from(object.base), u128::from(object.base + object.size))
        }
    });
    places.map(at).collect()
}
