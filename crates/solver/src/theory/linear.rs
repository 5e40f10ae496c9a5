//! From the partial order of an assignment to a total one.

use super::chains::Chains;
use super::closure::Why;
use super::{Conflict, Theory};
use crate::mutant::Mutant;
use crate::problem::NodeId;

/// The order of an answer.
#[derive(Clone, Debug)]
pub struct Order {
    /// One total order of all nodes that the answer allows.
    pub linear: Vec<NodeId>,
    chains: Chains,
    bounds: Vec<u32>,
}

impl Order {
    /// Whether one node must come before another in this answer. Every total order that respects this relation is a
    /// run: what the rules leave open has been settled as in [`Order::linear`].
    #[must_use]
    pub fn before(&self, a: NodeId, b: NodeId) -> bool {
        let cell = self.chains.cell(a.0, self.chains.chain[b.0 as usize]);
        self.bounds[cell] <= self.chains.place[b.0 as usize]
    }
}

/// Where the greedy search for a total order got stuck: pairs of the source that a read sees and another live source
/// of the same read, whose writes and read are not yet ordered.
#[derive(Clone, Debug)]
pub struct Stuck {
    pub(crate) triples: Vec<(u32, u32)>,
}

/// A schedule in the making: how many nodes of each chain have been taken.
struct Schedule {
    taken: Vec<u32>,
    linear: Vec<u32>,
}

impl Theory {
    /// Looks for a total order, to be called when all literals have a value and nothing is left to propagate. The
    /// answer is kept until it is taken.
    pub fn linearize(&mut self) {
        if let Some((rf, live)) = self.unsettled() {
            self.fail(format!("rules CO and FR were not applied to sources {rf} and {live}"));
        }
        self.answer = Some(match self.schedule() {
            Ok(linear) => Ok(self.complete(&linear)),
            Err(stuck) => Err(stuck),
        });
    }

    /// A triple to which CO or FR has not been applied. There must be none; the completeness step would make up for a
    /// rule that is not applied, so that nothing but this check would show it.
    fn unsettled(&self) -> Option<(u32, u32)> {
        let pairs = self.reads.iter().flat_map(|&rf| {
            let read = self.problem.source(rf).read as usize;
            self.index.by_read[read].iter().map(move |entry| (rf, entry.item))
        });
        pairs.into_iter().find(|&(rf, live)| {
            let (seen, other) = (self.problem.write_of(rf), self.problem.write_of(live));
            let read = self.problem.read_of(rf);
            self.problem.source(rf).write != self.problem.source(live).write
                && self.value(self.problem.source(live).live) == Some(true)
                && (self.precedes(other, read) && !self.precedes(other, seen)
                    || self.precedes(seen, other) && !self.precedes(read, other))
        })
    }

    pub(crate) fn take_answer(&mut self) -> Option<Result<Order, Stuck>> {
        self.answer.take()
    }

    /// Takes one node after another. Nodes that overwrite nothing are taken as soon as possible: that never harms. A
    /// node that overwrites a value waits for the pending readers of that value.
    fn schedule(&self) -> Result<Vec<u32>, Stuck> {
        let chains = &self.closure.chains;
        let mut schedule = Schedule { taken: vec![0; chains.len()], linear: Vec::new() };
        while schedule.linear.len() < self.problem.nodes as usize {
            let ready = self.ready(&schedule);
            let free = |node: u32| self.pending(&schedule, node).next().is_none();
            let silent = ready.iter().find(|&&node| self.index.writes_in[node as usize].is_empty());
            let node = match silent.or_else(|| ready.iter().find(|&&node| free(node))) {
                Some(&node) => node,
                None if self.mutation.is(Mutant::NoCompleteness) => ready[0],
                None => return Err(self.stuck(&schedule, &ready)),
            };
            schedule.taken[chains.chain[node as usize] as usize] += 1;
            schedule.linear.push(node);
        }
        Ok(schedule.linear)
    }

    /// The next node of each chain, where nothing that comes before it is left.
    fn ready(&self, schedule: &Schedule) -> Vec<u32> {
        let members = self.closure.chains.members.iter().zip(&schedule.taken);
        let heads: Vec<u32> =
            members.filter_map(|(chain, &taken)| chain.get(taken as usize).copied()).collect();
        let waits =
            |node: u32| heads.iter().any(|&head| head != node && self.closure.before(head, node));
        heads.iter().copied().filter(|&node| !waits(node)).collect()
    }

    fn is_taken(&self, schedule: &Schedule, node: u32) -> bool {
        let chains = &self.closure.chains;
        let chain = chains.chain[node as usize] as usize;
        chains.place[node as usize] < schedule.taken[chain]
    }

    /// The triples that forbid to take a node now: a read still to come sees a write taken already, and this node has
    /// another live write.
    fn pending<'a>(
        &'a self,
        schedule: &'a Schedule,
        node: u32,
    ) -> impl Iterator<Item = (u32, u32)> + 'a {
        let writes = self.index.writes_in[node as usize].iter();
        let sources = writes.flat_map(|&write| &self.index.by_write[write as usize]);
        sources.filter_map(move |entry| {
            let live = entry.item;
            let source = self.problem.source(live);
            let rf = self.source_of[source.read as usize]?;
            let blocked = self.problem.source(rf).write != source.write
                && self.problem.read_of(rf).node != node
                && self.value(source.live) == Some(true)
                && self.is_taken(schedule, self.problem.write_of(rf).node)
                && !self.is_taken(schedule, self.problem.read_of(rf).node);
            blocked.then_some((rf, live))
        })
    }

    fn stuck(&self, schedule: &Schedule, ready: &[u32]) -> Stuck {
        let triples = ready.iter().flat_map(|&node| self.pending(schedule, node)).collect();
        Stuck { triples }
    }

    /// Settles what the rules left open in the way of a total order. On a level of its own, which is left again.
    fn complete(&mut self, linear: &[u32]) -> Order {
        let level = self.level();
        self.push_level();
        let mut place = vec![0; linear.len()];
        for (i, &node) in linear.iter().enumerate() {
            place[node as usize] = i;
        }
        for i in 0..self.reads.len() {
            let rf = self.reads[i];
            if let Err(Conflict(_)) = self.settle_all(rf, &place) {
                self.conflict = None;
                if !self.mutation.is(Mutant::NoCompleteness) {
                    self.fail("a total order contradicts the partial one".to_owned());
                }
            }
        }
        let order = Order {
            linear: linear.iter().map(|&node| NodeId(node)).collect(),
            chains: self.closure.chains.clone(),
            bounds: self.closure.bounds().to_vec(),
        };
        self.backtrack(level);
        order
    }

    fn settle_all(&mut self, rf: u32, place: &[usize]) -> Result<(), Conflict> {
        let source = self.problem.source(rf);
        let (seen, read) = (self.problem.write_of(rf), self.problem.read_of(rf));
        for i in 0..self.index.by_read[source.read as usize].len() {
            let live = self.index.by_read[source.read as usize][i].item;
            let other = self.problem.write_of(live);
            if self.problem.source(live).write == source.write
                || self.value(self.problem.source(live).live) != Some(true)
                || self.precedes(other, seen)
                || self.precedes(read, other)
            {
                continue;
            }
            match place[other.node as usize] < place[seen.node as usize] {
                true => self.link(other.node, seen.node, Why::Choice)?,
                false => self.link(read.node, other.node, Why::Choice)?,
            }
        }
        Ok(())
    }
}
