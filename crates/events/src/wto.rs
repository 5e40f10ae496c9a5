//! Loops of a function: a weak topological order (Bourdoncle 1993).
//!
//! The order lists the blocks so that every edge goes forward, except those that go back to the
//! head of a loop that encloses their source. Executing it from left to right, turning each loop
//! as often as needed, meets all paths into a block before the block itself: that is where paths
//! are merged. It exists for every graph, `goto` into a loop included.

use unravel_program::{BlockId, Function};

/// A part of the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A block that is no loop head.
    Block(BlockId),
    /// A loop: its head, then the rest.
    Loop {
        /// Where it is entered and where its back edges lead.
        head: BlockId,
        /// The other blocks.
        body: Vec<Element>,
    },
}

/// The weak topological order of a function's reachable blocks.
#[must_use]
pub fn weak_topological_order(function: &Function) -> Vec<Element> {
    let count = function.blocks.len();
    let mut builder = Builder { function, number: vec![0; count], stack: Vec::new(), counter: 0 };
    let mut order = Vec::new();
    builder.visit(BlockId(0), &mut order);
    order.reverse();
    order
}

const DONE: u32 = u32::MAX;

struct Builder<'p> {
    function: &'p Function,
    /// Depth-first number: 0 not visited, [`DONE`] placed.
    number: Vec<u32>,
    stack: Vec<BlockId>,
    counter: u32,
}

impl Builder<'_> {
    fn number(&mut self, block: BlockId) -> &mut u32 {
        &mut self.number[block.0 as usize]
    }

    fn successors(&self, block: BlockId) -> Vec<BlockId> {
        self.function.block(block).end.edges().map(|edge| edge.target).collect()
    }

    /// Places a block and all that follows it, last first; gives the smallest number it reaches.
    fn visit(&mut self, block: BlockId, order: &mut Vec<Element>) -> u32 {
        self.stack.push(block);
        self.counter += 1;
        let mine = self.counter;
        *self.number(block) = mine;
        let (mut head, mut is_loop) = (mine, false);
        for next in self.successors(block) {
            let reached = match *self.number(next) {
                0 => self.visit(next, order),
                number => number,
            };
            if reached <= head {
                head = reached;
                is_loop = true;
            }
        }
        if head == mine {
            *self.number(block) = DONE;
            let mut top = self.stack.pop();
            if is_loop {
                while top.is_some_and(|top| top != block) {
                    if let Some(top) = top {
                        *self.number(top) = 0;
                    }
                    top = self.stack.pop();
                }
                order.push(self.component(block));
            } else {
                order.push(Element::Block(block));
            }
        }
        head
    }

    fn component(&mut self, head: BlockId) -> Element {
        let mut body = Vec::new();
        for next in self.successors(head) {
            if *self.number(next) == 0 {
                self.visit(next, &mut body);
            }
        }
        body.reverse();
        Element::Loop { head, body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unravel_program::{Block, Edge, Operand, Register, SiteId, Terminator, Type};

    fn graph(edges: &[&[u32]]) -> Function {
        let to = |&target: &u32| Edge { target: BlockId(target), args: Vec::new() };
        let block = |targets: &&[u32]| Block {
            params: Vec::new(),
            instructions: Vec::new(),
            end_site: SiteId(0),
            end: match targets {
                [] => Terminator::Return(Vec::new()),
                [one] => Terminator::Jump(to(one)),
                [one, two, ..] => Terminator::Branch {
                    condition: Operand::Int(0),
                    then: to(one),
                    otherwise: to(two),
                },
            },
        };
        Function {
            name: "f".to_owned(),
            site: SiteId(0),
            params: Vec::new(),
            returns: Vec::new(),
            variadic: false,
            atomic: false,
            library: false,
            wrapper: false,
            registers: vec![Register { ty: Type::Int(1) }],
            blocks: edges.iter().map(block).collect(),
        }
    }

    fn block(number: u32) -> Element {
        Element::Block(BlockId(number))
    }

    fn turn(head: u32, body: &[Element]) -> Element {
        Element::Loop { head: BlockId(head), body: body.to_vec() }
    }

    #[test]
    fn branches_come_before_their_join() {
        let order = weak_topological_order(&graph(&[&[1, 2], &[3], &[3], &[]]));
        assert_eq!(order, [block(0), block(2), block(1), block(3)]);
    }

    #[test]
    fn loops_nest() {
        let order = weak_topological_order(&graph(&[&[1], &[2, 5], &[3, 4], &[2], &[1], &[]]));
        assert_eq!(order, [block(0), turn(1, &[turn(2, &[block(3)]), block(4)]), block(5)]);
    }

    #[test]
    fn a_block_that_jumps_to_itself_is_a_loop() {
        let order = weak_topological_order(&graph(&[&[1], &[1, 2], &[]]));
        assert_eq!(order, [block(0), turn(1, &[]), block(2)]);
    }

    #[test]
    fn a_loop_with_two_entries_has_one_head() {
        let order = weak_topological_order(&graph(&[&[1, 2], &[2], &[1, 3], &[]]));
        assert_eq!(order, [block(0), turn(1, &[block(2)]), block(3)]);
    }
}
