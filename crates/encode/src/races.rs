//! Data races (ORDERING.md, "races need a second relation").
//!
//! Two conflicting accesses, not both atomic, race if happens-before does not order them: program
//! order, create, join, the end of a section before a later one, and what is read from a release by
//! an acquire. In a run all conflicting accesses are ordered, by smaller means; so happens-before
//! gets nodes of its own, a second one for each step, and its edges follow from the same literals.
//! A race of `a` before `b` is then an edge from `b` back to `a`: should happens-before lead from
//! `a` to `b`, that is a cycle, which the theory excludes. No code of its own is needed there; the
//! cost is twice the nodes, and a literal for each pair that may race.
//!
//! What a write publishes is a node, too: reached from the step of a release, from the last release
//! fence before it, from earlier releases of its thread to the same place, unless another thread
//! wrote there between them, and, if it is part of a read-modify-write, from what that one read (the
//! release sequence, C17 5.1.2.4p10). An operation on a semaphore or a barrier is a read-modify-write of its state.

use std::collections::BTreeMap;

use unravel_events::{Access, Fence, FindingKind, MayAccess, Mode, Space, StepId, ThreadId, Value};
use unravel_interp::Property;
use unravel_solver::{ClauseSink, Lit, NodeId};
use unravel_term::Term;

use crate::{Encoder, Mutant};

/// Happens-before.
struct HappensBefore {
    /// Per step.
    steps: Vec<NodeId>,
    /// What a write publishes, by access; all operations on a synchronization object in one step
    /// are one.
    published: BTreeMap<usize, NodeId>,
}

/// Something that may race.
struct Racer {
    step: StepId,
    guard: Term,
    address: Value,
    bytes: u64,
    writes: bool,
    atomic: bool,
    /// The end of a whole object.
    ends: bool,
    may: std::rc::Rc<MayAccess>,
}

impl Encoder {
    pub fn encode_races(&mut self) {
        if !self.properties.has(Property::Race) {
            return;
        }
        let order = self.happens_before();
        let racers = self.racers();
        for second in &racers {
            let mut races = Vec::new();
            for first in self.alarm.until(&racers) {
                races.extend(self.race(&order, first, second));
            }
            if races.is_empty() {
                continue;
            }
            let any = self.solver.new_lit();
            let mut clause = vec![!any];
            clause.extend(races);
            self.solver.clause(&clause);
            self.reach_at(FindingKind::Violation(Property::Race), any, second.step);
        }
    }

    // ----- Happens-before -----

    fn happens_before(&mut self) -> HappensBefore {
        let steps: Vec<NodeId> = self.graph.steps.iter().map(|_| self.solver.node()).collect();
        for thread in &self.graph.threads {
            for pair in thread.steps.windows(2) {
                self.solver.edge(steps[pair[0].0 as usize], steps[pair[1].0 as usize]);
            }
        }
        for &(a, b) in self.must.edges() {
            self.solver.edge(steps[a.0 as usize], steps[b.0 as usize]);
        }
        for (a, b, lit) in std::mem::take(&mut self.handovers) {
            self.solver.edge_if(lit, steps[a.0 as usize], steps[b.0 as usize]);
        }
        let mut order = HappensBefore { steps, published: BTreeMap::new() };
        self.publish(&mut order);
        self.read_published(&order);
        order
    }

    /// A node for each write that others may learn from.
    fn publish(&mut self, order: &mut HappensBefore) {
        let mut states: BTreeMap<StepId, NodeId> = BTreeMap::new();
        for index in self.alarm.until(0..self.graph.accesses.len()) {
            let access = self.graph.accesses[index].clone();
            if !access.writes || !access.mode.atomic && access.space != Space::Sync {
                continue;
            }
            let node = match access.space {
                Space::Sync => *states.entry(access.step).or_insert_with(|| self.solver.node()),
                _ => self.solver.node(),
            };
            order.published.insert(index, node);
            let executed = self.lit(access.guard);
            if access.mode.releases && !self.broken(Mutant::NoReleaseEdges) {
                self.solver.edge_if(executed, order.steps[access.step.0 as usize], node);
            } else if access.space == Space::Data {
                self.publish_fenced(order, &access, node);
                self.publish_again(order, &access, node);
            }
        }
    }

    /// A relaxed write publishes what came before the last release fence, and those before it.
    fn publish_fenced(&mut self, order: &HappensBefore, access: &Access, node: NodeId) {
        let thread = self.graph.step(access.step).thread;
        for fence in self.fences_of(thread).into_iter().filter(|it| it.releases) {
            if self.must.precedes(fence.step, access.step) {
                let both = self.graph.terms.and(fence.guard, access.guard);
                let both = self.lit(both);
                self.solver.edge_if(both, order.steps[fence.step.0 as usize], node);
            }
        }
    }

    /// A relaxed write publishes what earlier releases of its thread to the same place do: it is in
    /// their release sequences, unless another thread stored something there in between. Costs a
    /// literal per such pair, and one per store that may come in between.
    fn publish_again(&mut self, order: &HappensBefore, access: &Access, node: NodeId) {
        if self.broken(Mutant::NoReleaseEdges) {
            return;
        }
        let thread = self.graph.step(access.step).thread;
        let heads = self.graph.accesses.iter().filter(|it| {
            it.writes
                && it.space == Space::Data
                && it.mode.atomic
                && it.mode.releases
                && self.graph.step(it.step).thread == thread
                && self.must.precedes(it.step, access.step)
        });
        for head in heads.cloned().collect::<Vec<_>>() {
            let same = self.same_address(head.address, access.address);
            let both = self.graph.terms.and_all(&[head.guard, access.guard, same]);
            if self.graph.terms.is_false(both) {
                continue;
            }
            let continues = self.solver.new_lit();
            let mut clause = vec![continues, !self.lit(both)];
            clause.extend(self.stores_between(&head, access));
            self.solver.clause(&clause);
            self.solver.edge_if(continues, order.steps[head.step.0 as usize], node);
        }
    }

    /// For each store of another thread to the place of two writes, a literal that, if true, puts it
    /// between them.
    fn stores_between(&mut self, first: &Access, second: &Access) -> Vec<Lit> {
        let thread = self.graph.step(first.step).thread;
        let objects = self.graph.candidates(&first.may);
        let mut between = Vec::new();
        for at in 0..self.graph.accesses.len() {
            let store = &self.graph.accesses[at];
            let is_other = self.graph.step(store.step).thread != thread;
            if !store.writes || store.space != Space::Data || !is_other || self.updates(store) {
                continue;
            }
            if !self.graph.candidates(&store.may).iter().any(|id| objects.contains(id)) {
                continue;
            }
            let store = store.clone();
            let same = self.same_address(store.address, first.address);
            let there = self.graph.terms.and(store.guard, same);
            let orders = (
                self.may_precede(first.step, store.step),
                self.may_precede(store.step, second.step),
            );
            if let (false, (Some(after), Some(before))) = (self.graph.terms.is_false(there), orders)
            {
                let there = self.lit(there);
                let lit = self.solver.new_lit();
                for part in [there, after, before] {
                    self.solver.clause(&[!lit, part]);
                }
                between.push(lit);
            }
        }
        between
    }

    /// Whether a write is that of an atomic read-modify-write.
    fn updates(&self, write: &Access) -> bool {
        let is_read = |it: &Access| {
            !it.writes
                && it.step == write.step
                && it.space == write.space
                && it.address == write.address
        };
        write.mode.atomic && self.graph.accesses.iter().any(is_read)
    }

    fn fences_of(&self, thread: ThreadId) -> Vec<Fence> {
        let own = |it: &&Fence| self.graph.step(it.step).thread == thread;
        self.graph.fences.iter().filter(own).copied().collect()
    }

    /// What reads learn from what they read.
    fn read_published(&mut self, order: &HappensBefore) {
        for flow in self.alarm.until(self.flows.clone()) {
            // Acquire and release go by the first byte, as on the interpreter.
            let (Some((write, _)), (read, 0)) = (flow.source, flow.read) else { continue };
            let Some(&published) = order.published.get(&write) else { continue };
            let (read, rf) = (self.graph.accesses[read].clone(), flow.taken);
            if self.graph.accesses[write].step == read.step {
                continue;
            }
            self.continue_sequence(order, &read, published, rf);
            self.acquire(order, &read, published, rf);
        }
    }

    /// The writes of the same step to the same place.
    fn own_writes(&self, read: &Access) -> Vec<usize> {
        let same = |it: &Access| {
            it.writes
                && it.step == read.step
                && it.space == read.space
                && it.address == read.address
        };
        let all = self.graph.accesses.iter().enumerate();
        all.filter(|(_, it)| same(it)).map(|(at, _)| at).collect()
    }

    /// A read-modify-write publishes what it read, as well.
    fn continue_sequence(
        &mut self,
        order: &HappensBefore,
        read: &Access,
        published: NodeId,
        rf: Lit,
    ) {
        if !read.mode.atomic && read.space == Space::Data {
            return;
        }
        for write in self.own_writes(read) {
            let Some(&own) = order.published.get(&write) else { continue };
            if own != published {
                let executed = self.lit(self.graph.accesses[write].guard);
                let both = self.and_lit(rf, executed);
                self.solver.edge_if(both, published, own);
            }
        }
    }

    fn acquire(&mut self, order: &HappensBefore, read: &Access, published: NodeId, rf: Lit) {
        if self.broken(Mutant::NoAcquireEdges) {
            return;
        }
        let step = order.steps[read.step.0 as usize];
        if read.mode.acquires {
            return self.solver.edge_if(rf, published, step);
        }
        for write in self.own_writes(read) {
            let write = self.graph.accesses[write].clone();
            if write.mode.acquires {
                let executed = self.lit(write.guard);
                let both = self.and_lit(rf, executed);
                self.solver.edge_if(both, published, step);
            }
        }
        if read.space == Space::Data && read.mode.atomic {
            let thread = self.graph.step(read.step).thread;
            for fence in self.fences_of(thread).into_iter().filter(|it| it.acquires) {
                if self.must.precedes(read.step, fence.step) {
                    let executed = self.lit(fence.guard);
                    let both = self.and_lit(rf, executed);
                    self.solver.edge_if(both, published, order.steps[fence.step.0 as usize]);
                }
            }
        }
    }

    fn and_lit(&mut self, a: Lit, b: Lit) -> Lit {
        if b == self.solver.truth() || a == b {
            return a;
        }
        let both = self.solver.new_lit();
        self.solver.clause(&[!both, a]);
        self.solver.clause(&[!both, b]);
        self.solver.clause(&[both, !a, !b]);
        both
    }

    // ----- Races -----

    fn racers(&self) -> Vec<Racer> {
        let mut racers = Vec::new();
        for access in &self.graph.accesses {
            let Mode { atomic, silent, .. } = access.mode;
            let ends = access.space == Space::Life && access.writes;
            if silent || !ends && access.space != Space::Data {
                continue;
            }
            racers.push(Racer {
                step: access.step,
                guard: access.guard,
                address: access.address,
                bytes: access.bytes,
                writes: access.writes,
                atomic,
                ends,
                may: access.may.clone(),
            });
        }
        for init in &self.graph.init_writes {
            racers.push(Racer {
                step: init.step,
                guard: init.guard,
                address: init.address,
                bytes: init.bytes,
                writes: true,
                atomic: false,
                ends: false,
                may: init.may.clone(),
            });
        }
        racers
    }

    /// A literal that, if true, has two accesses race, one before the other. `None` if they cannot.
    fn race(&mut self, order: &HappensBefore, first: &Racer, second: &Racer) -> Option<Lit> {
        let (a, b) = (first.step, second.step);
        let harmless = !(first.writes || second.writes) || first.atomic && second.atomic;
        let same_thread = self.graph.step(a).thread == self.graph.step(b).thread;
        // What is accessed after its end is an error of another kind.
        if harmless || same_thread || first.ends {
            return None;
        }
        if self.must.precedes(a, b) || self.must.precedes(b, a) {
            return None;
        }
        let objects = self.graph.candidates(&first.may);
        if !self.graph.candidates(&second.may).iter().any(|id| objects.contains(id)) {
            return None;
        }
        let meets = self.meet(first, second);
        let both = self.graph.terms.and_all(&[first.guard, second.guard, meets]);
        if self.graph.terms.is_false(both) {
            return None;
        }
        let both = self.lit(both);
        let race = self.solver.new_lit();
        self.solver.clause(&[!race, both]);
        self.order_lit(race, a, b);
        self.solver.edge_if(race, order.steps[b.0 as usize], order.steps[a.0 as usize]);
        Some(race)
    }

    fn meet(&mut self, first: &Racer, second: &Racer) -> Term {
        if second.ends {
            return self.graph.terms.eq(first.address.provenance, second.address.provenance);
        }
        self.ranges_meet((first.address, first.bytes), (second.address, second.bytes))
    }
}
