//! Which loops lie around a block. How often any other loop has turned says nothing about which
//! execution of the block it is.

use std::collections::BTreeSet;

use unravel_program::{BlockId, Function, FunctionId, Program, Terminator};

/// Per function and block, the heads of the loops around it.
pub struct Loops(Vec<Vec<Vec<BlockId>>>);

impl Loops {
    pub fn of(program: &Program) -> Loops {
        Loops(program.functions.iter().map(heads).collect())
    }

    /// The heads of the loops around a block.
    pub fn around(&self, function: FunctionId, block: BlockId) -> &[BlockId] {
        &self.0[function.0 as usize][block.0 as usize]
    }
}

fn successors(function: &Function) -> Vec<Vec<usize>> {
    let targets = |end: &Terminator| -> Vec<usize> {
        let edges = match end {
            Terminator::Jump(edge) => vec![edge],
            Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, edge)| edge).chain([default]).collect()
            }
            Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
        };
        edges.into_iter().map(|edge| edge.target.0 as usize).collect()
    };
    function.blocks.iter().map(|block| targets(&block.end)).collect()
}

/// What can be reached along edges without passing a block.
fn reached(edges: &[Vec<usize>], from: usize, without: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if block != without && seen.insert(block) {
            open.extend(&edges[block]);
        }
    }
    seen
}

/// Natural loops: an edge back to a block that lies on every way to its start closes one, and all
/// blocks from which that start can be reached without passing the head are inside.
fn heads(function: &Function) -> Vec<Vec<BlockId>> {
    let forwards = successors(function);
    let mut backwards = vec![Vec::new(); forwards.len()];
    for (from, targets) in forwards.iter().enumerate() {
        targets.iter().for_each(|&to| backwards[to].push(from));
    }
    let mut around: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); forwards.len()];
    for (head, sources) in backwards.iter().enumerate() {
        let outside = reached(&forwards, 0, head);
        for &source in sources.iter().filter(|it| !outside.contains(it)) {
            around[head].insert(head);
            for block in reached(&backwards, source, head) {
                around[block].insert(head);
            }
        }
    }
    let id = |block: usize| BlockId(u32::try_from(block).expect("few blocks"));
    around.into_iter().map(|heads| heads.into_iter().map(id).collect()).collect()
}
