//! The transitive closure of the order, with undo and with the history that reasons need.
//!
//! For each node and chain it holds the *bound*: the first place of the chain that the node reaches (see
//! [`super::chains`]). A bound only falls while edges are inserted. Each fall is a [`Record`] that remembers the edge
//! that caused it and the record it replaced, so that
//!
//! - undo pops records and puts the replaced bound back;
//! - the reason for "`u` comes before `v`" is the *oldest* record that reaches as far as `v`. It was there when the pair
//!   was first used, so a reason never rests on anything newer than what it explains.

use super::chains::{Chains, NOWHERE};
use crate::lit::Lit;

/// No record.
pub(super) const NO_RECORD: u32 = u32::MAX;

/// Why an edge is there.
#[derive(Copy, Clone, Debug)]
pub(super) enum Why {
    /// A literal says so: an order literal, or rule RF.
    Literal(Lit),
    /// Rule CO: the source `live` is overwritten by the source `rf` that the read sees.
    Co {
        /// The read takes its value from this source.
        rf: u32,
        /// This source comes before the read.
        live: u32,
    },
    /// Rule FR: the source `live` overwrites the source `rf` that the read sees.
    Fr {
        /// The read takes its value from this source.
        rf: u32,
        /// This source comes after the one that is read.
        live: u32,
    },
    /// Chosen to complete the order of an answer; never part of a reason.
    Choice,
}

/// An inserted edge. Edges that were implied already are not inserted.
#[derive(Copy, Clone, Debug)]
pub(super) struct Edge {
    pub(super) before: u32,
    pub(super) after: u32,
    pub(super) why: Why,
}

/// A bound fell.
#[derive(Copy, Clone, Debug)]
pub(super) struct Record {
    pub(super) node: u32,
    pub(super) chain: u32,
    /// The new bound.
    pub(super) bound: u32,
    /// The edge that caused it.
    pub(super) edge: u32,
    /// The record this one replaced.
    previous: u32,
}

/// The order so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Closure {
    pub(super) chains: Chains,
    pub(super) edges: Vec<Edge>,
    pub(super) records: Vec<Record>,
    bound: Vec<u32>,
    head: Vec<u32>,
    /// What the end of the edge being inserted reaches; kept to save allocations.
    gains: Vec<(u32, u32)>,
}

impl Closure {
    pub(super) fn new(chains: Chains) -> Closure {
        Closure {
            bound: chains.base.clone(),
            head: vec![NO_RECORD; chains.base.len()],
            chains,
            ..Closure::default()
        }
    }

    /// Whether `u` comes before `v`, a different node.
    pub(super) fn before(&self, u: u32, v: u32) -> bool {
        let cell = self.chains.cell(u, self.chains.chain[v as usize]);
        self.bound[cell] <= self.chains.place[v as usize]
    }

    /// All bounds, for an answer.
    pub(super) fn bounds(&self) -> &[u32] {
        &self.bound
    }

    /// The bound that held before this record.
    pub(super) fn replaced(&self, record: Record) -> u32 {
        match record.previous {
            NO_RECORD => self.chains.base[self.chains.cell(record.node, record.chain)],
            previous => self.records[previous as usize].bound,
        }
    }

    /// Inserts an edge that is neither implied nor closes a cycle.
    pub(super) fn insert(&mut self, edge: Edge) {
        debug_assert!(edge.before != edge.after);
        debug_assert!(!self.before(edge.before, edge.after));
        debug_assert!(!self.before(edge.after, edge.before));
        let id = self.edges.len() as u32;
        self.edges.push(edge);
        self.collect_gains(edge.after);
        for chain in 0..self.chains.len() {
            let mut place = self.reaching(chain, edge.before);
            while place > 0 {
                place -= 1;
                let node = self.chains.members[chain][place];
                // What reaches the end already gains nothing, and neither do those before it.
                if self.before(node, edge.after) {
                    break;
                }
                self.lower(node, id);
            }
        }
    }

    /// What `node` reaches, itself included.
    fn collect_gains(&mut self, node: u32) {
        let own = self.chains.chain[node as usize];
        let (chains, bound) = (&self.chains, &self.bound);
        self.gains.clear();
        self.gains.extend((0..chains.len() as u32).filter_map(|chain| {
            let first = match chain == own {
                true => chains.place[node as usize],
                false => bound[chains.cell(node, chain)],
            };
            (first != NOWHERE).then_some((chain, first))
        }));
    }

    /// How many nodes at the head of a chain come before `node` or are it.
    fn reaching(&self, chain: usize, node: u32) -> usize {
        if self.chains.chain[node as usize] as usize == chain {
            return self.chains.place[node as usize] as usize + 1;
        }
        self.chains.members[chain].partition_point(|&other| self.before(other, node))
    }

    fn lower(&mut self, node: u32, edge: u32) {
        for i in 0..self.gains.len() {
            let (chain, bound) = self.gains[i];
            let cell = self.chains.cell(node, chain);
            if bound < self.bound[cell] {
                let previous = self.head[cell];
                self.bound[cell] = bound;
                self.head[cell] = self.records.len() as u32;
                self.records.push(Record { node, chain, bound, edge, previous });
            }
        }
    }

    /// Goes back to when there were this many edges and records.
    pub(super) fn undo(&mut self, edges: usize, records: usize) {
        while self.records.len() > records {
            if let Some(record) = self.records.pop() {
                let cell = self.chains.cell(record.node, record.chain);
                self.bound[cell] = self.replaced(record);
                self.head[cell] = record.previous;
            }
        }
        self.edges.truncate(edges);
    }

    /// The oldest record by which `u` comes before `v`; `None` if fixed edges say so.
    pub(super) fn record_of(&self, u: u32, v: u32) -> Option<u32> {
        let (chain, place) = (self.chains.chain[v as usize], self.chains.place[v as usize]);
        let cell = self.chains.cell(u, chain);
        if self.chains.base[cell] <= place {
            return None;
        }
        let mut current = self.head[cell];
        debug_assert!(current != NO_RECORD && self.records[current as usize].bound <= place);
        loop {
            let previous = self.records[current as usize].previous;
            if previous == NO_RECORD || self.records[previous as usize].bound > place {
                return Some(current);
            }
            current = previous;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(before: u32, after: u32) -> Edge {
        Edge { before, after, why: Why::Choice }
    }

    /// Two threads: 0 → 1 → 2 and 3 → 4 → 5.
    fn threads() -> Closure {
        Closure::new(Chains::new(6, &[(0, 1), (1, 2), (3, 4), (4, 5)]).unwrap())
    }

    #[test]
    fn an_edge_orders_all_before_it_and_all_after_it() {
        let mut closure = threads();
        closure.insert(edge(1, 4));
        assert!(closure.before(0, 4) && closure.before(1, 5) && closure.before(0, 5));
        assert!(!closure.before(2, 4) && !closure.before(1, 3) && !closure.before(4, 0));
    }

    #[test]
    fn undo_restores_the_bounds() {
        let mut closure = threads();
        closure.insert(edge(1, 5));
        let (edges, records) = (closure.edges.len(), closure.records.len());
        let bounds = closure.bounds().to_vec();
        closure.insert(edge(1, 4));
        closure.insert(edge(0, 3));
        assert!(closure.before(0, 3));
        closure.undo(edges, records);
        assert_eq!(closure.bounds(), bounds);
        assert!(closure.before(0, 5) && !closure.before(0, 4));
    }

    #[test]
    fn a_reason_is_the_oldest_one() {
        let mut closure = threads();
        closure.insert(edge(1, 5));
        closure.insert(edge(0, 3));
        let record = closure.record_of(0, 5).unwrap();
        assert_eq!(closure.records[record as usize].edge, 0);
        let record = closure.record_of(0, 4).unwrap();
        assert_eq!(closure.records[record as usize].edge, 1);
        assert!(closure.record_of(0, 2).is_none());
    }
}
