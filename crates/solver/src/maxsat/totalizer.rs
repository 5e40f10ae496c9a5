//! Literals that say "at least `k` of these are true".
//!
//! The totalizer (Bailleux & Boufkhad, CP 2003) is a balanced tree: each node counts, in unary, the inputs below it,
//! by adding up what its two children count. Only one direction is stated, from inputs to outputs: to assume that an
//! output is false is to assume that fewer inputs are true. Nothing else follows, since all outputs may be true.
//!
//! Outputs are built on demand (Martins, Joshi, Manquinho & Lynce, CP 2014): a node counts no further than anybody has
//! asked, and goes on from there when asked for more. Up to `k` of `n` inputs that takes O(n·log k) variables and
//! O(n·k) clauses, of at most three literals.

use crate::lit::{ClauseSink, Lit};

/// Counts how many of its inputs are true.
pub(super) struct Totalizer {
    /// Children come before parents; the root is the last.
    nodes: Vec<Node>,
}

struct Node {
    /// `None`: an input.
    children: Option<(usize, usize)>,
    /// How many inputs are below.
    size: usize,
    /// The first: at least one is true, and so on, as far as has been asked.
    outputs: Vec<Lit>,
}

impl Totalizer {
    pub(super) fn new(inputs: impl Iterator<Item = Lit>) -> Totalizer {
        let leaf = |lit| Node { children: None, size: 1, outputs: vec![lit] };
        let mut nodes: Vec<Node> = inputs.map(leaf).collect();
        // Each two neighbours are joined, again and again: what has been joined is behind `next`.
        let mut next = 0;
        while next + 1 < nodes.len() {
            let size = nodes[next].size + nodes[next + 1].size;
            nodes.push(Node { children: Some((next, next + 1)), size, outputs: Vec::new() });
            next += 2;
        }
        Totalizer { nodes }
    }

    /// A literal that is true if at least `count` of the inputs are, and may be true otherwise. `None` if there are
    /// not so many inputs, or if `count` is 0.
    pub(super) fn at_least(&mut self, sink: &mut impl ClauseSink, count: usize) -> Option<Lit> {
        let root = self.nodes.len().checked_sub(1)?;
        self.grow(sink, root, count);
        self.output(root, count)
    }

    fn output(&self, node: usize, count: usize) -> Option<Lit> {
        self.nodes[node].outputs.get(count.checked_sub(1)?).copied()
    }

    /// Makes a node count up to `count`, or up to its size. As deep as the tree, which is balanced.
    fn grow(&mut self, sink: &mut impl ClauseSink, node: usize, count: usize) {
        let count = count.min(self.nodes[node].size);
        let Some((left, right)) = self.nodes[node].children else { return };
        if count <= self.nodes[node].outputs.len() {
            return;
        }
        self.grow(sink, left, count);
        self.grow(sink, right, count);
        for sum in self.nodes[node].outputs.len() + 1..=count {
            let output = sink.new_lit();
            // Follows for the numbers of true inputs, not for the literals; saves the solver a few steps.
            if let Some(less) = self.output(node, sum - 1) {
                sink.clause(&[!output, less]);
            }
            self.add_up(sink, (left, right), sum, output);
            self.nodes[node].outputs.push(output);
        }
    }

    /// All ways in which two children can have `sum` true inputs between them.
    fn add_up(
        &self,
        sink: &mut impl ClauseSink,
        (left, right): (usize, usize),
        sum: usize,
        output: Lit,
    ) {
        let (most_left, most_right) = (self.nodes[left].size, self.nodes[right].size);
        for from_left in sum.saturating_sub(most_right)..=sum.min(most_left) {
            let parts = [self.output(left, from_left), self.output(right, sum - from_left)];
            let mut clause: Vec<Lit> = parts.into_iter().flatten().map(|part| !part).collect();
            clause.push(output);
            sink.clause(&clause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes clauses, and works out what follows from inputs: all clauses are definite.
    #[derive(Default)]
    struct List {
        vars: u32,
        clauses: Vec<Vec<Lit>>,
    }

    impl ClauseSink for List {
        fn new_lit(&mut self) -> Lit {
            self.vars += 1;
            Lit::positive(self.vars)
        }

        fn clause(&mut self, lits: &[Lit]) {
            self.clauses.push(lits.to_vec());
        }
    }

    impl List {
        fn consequences(&self, facts: &[Lit]) -> Vec<Lit> {
            let mut facts = facts.to_vec();
            loop {
                let follows = |clause: &&Vec<Lit>| {
                    let mut open = clause.iter().filter(|&&lit| !facts.contains(&!lit));
                    open.next().is_some_and(|lit| !facts.contains(lit)) && open.next().is_none()
                };
                let Some(clause) = self.clauses.iter().find(follows) else { return facts };
                let new = clause.iter().copied().find(|&lit| lit.is_positive());
                facts.push(new.unwrap());
            }
        }
    }

    #[test]
    fn it_counts() {
        for size in 1..=7 {
            let mut list = List::default();
            let inputs: Vec<Lit> = (0..size).map(|_| list.new_lit()).collect();
            let mut totalizer = Totalizer::new(inputs.iter().copied());
            // Asked for in this order, so that it grows twice.
            for count in [2, 1, 7, 5, 3, 4, 6] {
                totalizer.at_least(&mut list, count);
            }
            assert!(
                list.clauses.iter().flatten().filter(|lit| lit.is_positive()).count() > 0
                    || size == 1
            );
            for set in 0..1u32 << size {
                let chosen = inputs.iter().copied().filter(|lit| set >> (lit.var() - 1) & 1 == 1);
                let facts = list.consequences(&chosen.collect::<Vec<_>>());
                for count in 0..=size + 1 {
                    let output = totalizer.at_least(&mut list, count);
                    assert_eq!(output.is_some(), (1..=size).contains(&count));
                    let follows = output.is_some_and(|lit| facts.contains(&lit));
                    let expected = output.is_some() && set.count_ones() as usize >= count;
                    assert_eq!(follows, expected, "{count} of {set:b}");
                }
            }
        }
    }

    #[test]
    fn it_builds_no_more_than_asked() {
        let mut list = List::default();
        let inputs: Vec<Lit> = (0..64).map(|_| list.new_lit()).collect();
        let mut totalizer = Totalizer::new(inputs.into_iter());
        assert_eq!(list.clauses.len(), 0);
        totalizer.at_least(&mut list, 1);
        assert_eq!((list.vars, list.clauses.len()), (64 + 63, 126));
        let before = list.clauses.len();
        totalizer.at_least(&mut list, 1);
        assert_eq!(list.clauses.len(), before);
        totalizer.at_least(&mut list, 2);
        assert_eq!(list.vars, 64 + 63 + 63);
    }

    #[test]
    fn nothing_to_count() {
        let mut list = List::default();
        let mut totalizer = Totalizer::new(std::iter::empty());
        assert!(totalizer.at_least(&mut list, 1).is_none());
    }
}
