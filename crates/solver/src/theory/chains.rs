//! The fixed edges, laid out as chains.
//!
//! Fixed edges are mostly program order: one chain per thread. A node therefore reaches a *suffix* of each chain, and
//! one number per node and chain, the first position reached, says all about what it reaches. With `n` nodes and `t`
//! chains that is `n·t` numbers instead of `n²` bits, and lowering one number is a whole run of new pairs at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The first position of a chain that a node reaches, if it reaches none.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Nodes arranged in chains of fixed edges, and what each node reaches by fixed edges alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// Per chain, its nodes from first to last.
    pub(super) members: Vec<Vec<u32>>,
    /// Per node, its chain.
    pub(super) chain: Vec<u32>,
    /// Per node, its place in its chain.
    pub(super) place: Vec<u32>,
    /// Per node and chain, the first place reached by fixed edges.
    pub(super) base: Vec<u32>,
}

impl Chains {
    /// Lays out a graph; `None` if it has a cycle.
    pub(super) fn new(nodes: u32, edges: &[(u32, u32)]) -> Option<Chains> {
        let successors = successors(nodes, edges);
        let sorted = sort(nodes, edges, &successors)?;
        let mut chains = Chains {
            members: Vec::new(),
            chain: vec![0; nodes as usize],
            place: vec![0; nodes as usize],
            base: Vec::new(),
        };
        chains.cover(nodes, edges, &sorted);
        chains.close(&sorted, &successors);
        Some(chains)
    }

    /// How many chains there are.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// Where the number of a node and a chain is kept.
    pub(super) fn cell(&self, node: u32, chain: u32) -> usize {
        node as usize * self.members.len() + chain as usize
    }

    /// Each node continues a chain whose last node is one of its predecessors, or begins a new one.
    fn cover(&mut self, nodes: u32, edges: &[(u32, u32)], sorted: &[u32]) {
        let mut predecessors = vec![Vec::new(); nodes as usize];
        for &(before, after) in edges {
            predecessors[after as usize].push(before);
        }
        for &node in sorted {
            let last = predecessors[node as usize].iter().copied().find(|&p| {
                let members = &self.members[self.chain[p as usize] as usize];
                members.last() == Some(&p)
            });
            let chain = match last {
                Some(p) => self.chain[p as usize] as usize,
                None => {
                    self.members.push(Vec::new());
                    self.members.len() - 1
                }
            };
            self.chain[node as usize] = chain as u32;
            self.place[node as usize] = self.members[chain].len() as u32;
            self.members[chain].push(node);
        }
    }

    /// What a node reaches, from what its successors reach.
    fn close(&mut self, sorted: &[u32], successors: &[Vec<u32>]) {
        self.base = vec![NOWHERE; sorted.len() * self.len()];
        for &node in sorted.iter().rev() {
            for &next in &successors[node as usize] {
                let own = self.cell(node, self.chain[next as usize]);
                self.base[own] = self.base[own].min(self.place[next as usize]);
                for chain in 0..self.len() as u32 {
                    let reached = self.base[self.cell(next, chain)];
                    let own = self.cell(node, chain);
                    self.base[own] = self.base[own].min(reached);
                }
            }
        }
    }
}

fn successors(nodes: u32, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut successors = vec![Vec::new(); nodes as usize];
    for &(before, after) in edges {
        successors[before as usize].push(after);
    }
    successors
}

/// A topological order, smallest node first so that it does not depend on anything but the input.
fn sort(nodes: u32, edges: &[(u32, u32)], successors: &[Vec<u32>]) -> Option<Vec<u32>> {
    let mut missing = vec![0u32; nodes as usize];
    for &(_, after) in edges {
        missing[after as usize] += 1;
    }
    let mut ready: BinaryHeap<Reverse<u32>> =
        (0..nodes).filter(|&node| missing[node as usize] == 0).map(Reverse).collect();
    let mut sorted = Vec::with_capacity(nodes as usize);
    while let Some(Reverse(node)) = ready.pop() {
        sorted.push(node);
        for &next in &successors[node as usize] {
            missing[next as usize] -= 1;
            if missing[next as usize] == 0 {
                ready.push(Reverse(next));
            }
        }
    }
    (sorted.len() == nodes as usize).then_some(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_threads_and_a_join_are_two_chains() {
        // 0 creates 1..=2, goes on with 3, and joins in 4.
        let chains = Chains::new(5, &[(0, 3), (0, 1), (1, 2), (3, 4), (2, 4)]).unwrap();
        assert_eq!(chains.len(), 2);
        let reached = |node: u32, other: u32| {
            chains.base[chains.cell(node, chains.chain[other as usize])]
                <= chains.place[other as usize]
        };
        assert!(reached(0, 2) && reached(0, 4) && reached(1, 4) && reached(3, 4));
        assert!(!reached(1, 3) && !reached(3, 1) && !reached(4, 0) && !reached(0, 0));
    }

    #[test]
    fn a_cycle_is_noticed() {
        assert!(Chains::new(3, &[(0, 1), (1, 2), (2, 1)]).is_none());
    }
}
