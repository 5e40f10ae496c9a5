//! Which registers may still be read.
//!
//! Two states of a frame that differ only in dead registers behave alike, so whoever compares or
//! hashes states leaves the dead ones out.

use crate::ir::{Block, BlockId, Function, Instruction, Operand, Reg};

/// A set of registers of one function.
///
/// The last word is never zero, so that sets with the same members are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RegSet {
    words: Vec<u64>,
}

/// Word and bit that stand for a register.
fn place(reg: Reg) -> (usize, u64) {
    ((reg.0 / 64) as usize, 1 << (reg.0 % 64))
}

impl RegSet {
    /// The empty set.
    #[must_use]
    pub const fn new() -> Self {
        RegSet { words: Vec::new() }
    }

    /// Whether `reg` is a member.
    #[must_use]
    pub fn contains(&self, reg: Reg) -> bool {
        let (word, bit) = place(reg);
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Adds a register; says whether it is new.
    pub fn insert(&mut self, reg: Reg) -> bool {
        let (word, bit) = place(reg);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let Some(bits) = self.words.get_mut(word) else { return false };
        let new = *bits & bit == 0;
        *bits |= bit;
        new
    }

    /// Takes a register out; says whether it was in.
    pub fn remove(&mut self, reg: Reg) -> bool {
        let (word, bit) = place(reg);
        let Some(bits) = self.words.get_mut(word) else { return false };
        let was_in = *bits & bit != 0;
        *bits &= !bit;
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
        was_in
    }

    /// Adds all members of `other`.
    pub fn union(&mut self, other: &RegSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// The members, lowest number first.
    pub fn iter(&self) -> impl Iterator<Item = Reg> {
        (0u32..).step_by(64).zip(&self.words).flat_map(|(first, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 != 0);
            bits.map(move |bit| Reg(first + bit))
        })
    }

    /// Number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

impl FromIterator<Reg> for RegSet {
    fn from_iter<T: IntoIterator<Item = Reg>>(regs: T) -> Self {
        let mut set = RegSet::new();
        for reg in regs {
            set.insert(reg);
        }
        set
    }
}

/// For every point of a function, the registers whose value may still be read at or after it.
///
/// [`crate::Op::Variable`] does not count as reading.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Distinct neighbouring rows; most instructions of a block share few sets.
    rows: Vec<RegSet>,
    /// For every block, the row of each instruction and then of the terminator.
    row_of: Vec<Vec<usize>>,
    /// For every block and instruction, what it assigns, where that is anything.
    defined: Vec<Vec<Vec<Reg>>>,
    empty: RegSet,
}

impl Liveness {
    /// The liveness of a function's registers.
    ///
    /// Ids out of range are passed over, so that [`crate::validate`] can rely on it.
    #[must_use]
    pub fn of(function: &Function) -> Liveness {
        let flow = Flow::new(function);
        let entries = flow.solve();
        let mut liveness = Liveness {
            rows: Vec::new(),
            row_of: Vec::with_capacity(function.blocks.len()),
            defined: function.blocks.iter().map(definitions).collect(),
            empty: RegSet::new(),
        };
        for block in &function.blocks {
            let live = flow.before_end(block, &entries);
            liveness.add_block(&flow, block, live);
        }
        liveness
    }

    /// Registers live just before instruction `index` of `block` executes; with an index of
    /// `instructions.len()`, before the terminator. Empty for a point that does not exist.
    ///
    /// At index 0 the block's own parameters are assigned already.
    #[must_use]
    pub fn before(&self, block: BlockId, index: usize) -> &RegSet {
        let row = self.row_of.get(block.0 as usize).and_then(|rows| rows.get(index));
        row.and_then(|&row| self.rows.get(row)).unwrap_or(&self.empty)
    }

    /// Registers live after instruction `index`, without those that it assigns: what a frame
    /// has to keep while it waits for the results of a call.
    #[must_use]
    pub fn after_call(&self, block: BlockId, index: usize) -> RegSet {
        let mut live = self.before(block, index.saturating_add(1)).clone();
        let defined = self.defined.get(block.0 as usize).and_then(|block| block.get(index));
        for &reg in defined.into_iter().flatten() {
            live.remove(reg);
        }
        live
    }

    /// Enters the rows of a block, given what is live before its terminator.
    fn add_block(&mut self, flow: &Flow, block: &Block, mut live: RegSet) {
        let mut rows = vec![self.add_row(&live)];
        for instruction in block.instructions.iter().rev() {
            flow.step_back(instruction, &mut live);
            rows.push(self.add_row(&live));
        }
        rows.reverse();
        self.row_of.push(rows);
    }

    /// The row with this set: the latest one if it is equal, since instructions that end no
    /// register's life and begin none (or a dead one's) leave the set as it is.
    fn add_row(&mut self, live: &RegSet) -> usize {
        if self.rows.last() != Some(live) {
            self.rows.push(live.clone());
        }
        self.rows.len().saturating_sub(1)
    }
}

/// What each instruction of a block assigns.
fn definitions(block: &Block) -> Vec<Vec<Reg>> {
    block.instructions.iter().map(|instruction| instruction.op.defines()).collect()
}

/// The backward dataflow problem of one function.
struct Flow<'a> {
    function: &'a Function,
    predecessors: Vec<Vec<usize>>,
}

impl<'a> Flow<'a> {
    fn new(function: &'a Function) -> Self {
        let mut predecessors = vec![Vec::new(); function.blocks.len()];
        for (index, block) in function.blocks.iter().enumerate() {
            for edge in block.end.edges() {
                if let Some(list) = predecessors.get_mut(edge.target.0 as usize) {
                    list.push(index);
                }
            }
        }
        Flow { function, predecessors }
    }

    /// The least fixed point: for every block, what is live before its parameters are assigned.
    fn solve(&self) -> Vec<RegSet> {
        let blocks = &self.function.blocks;
        let mut entries = vec![RegSet::new(); blocks.len()];
        // Taken from the end, so that successors mostly come before their predecessors.
        let mut pending: Vec<usize> = (0..blocks.len()).collect();
        let mut is_pending = vec![true; blocks.len()];
        while let Some(index) = pending.pop() {
            let Some(block) = blocks.get(index) else { continue };
            set(&mut is_pending, index, false);
            let live = self.before_params(block, &entries);
            if entries.get(index) == Some(&live) {
                continue;
            }
            set(&mut entries, index, live);
            for &predecessor in self.predecessors.get(index).into_iter().flatten() {
                if is_pending.get(predecessor) == Some(&false) {
                    set(&mut is_pending, predecessor, true);
                    pending.push(predecessor);
                }
            }
        }
        entries
    }

    fn before_params(&self, block: &Block, entries: &[RegSet]) -> RegSet {
        let mut live = self.before_end(block, entries);
        for instruction in block.instructions.iter().rev() {
            self.step_back(instruction, &mut live);
        }
        for &param in &block.params {
            live.remove(param);
        }
        live
    }

    fn before_end(&self, block: &Block, entries: &[RegSet]) -> RegSet {
        let mut live = RegSet::new();
        for edge in block.end.edges() {
            if let Some(entry) = entries.get(edge.target.0 as usize) {
                live.union(entry);
            }
        }
        self.add_uses(&block.end.uses(), &mut live);
        live
    }

    fn step_back(&self, instruction: &Instruction, live: &mut RegSet) {
        for reg in instruction.op.defines() {
            live.remove(reg);
        }
        self.add_uses(&instruction.op.uses(), live);
    }

    fn add_uses(&self, uses: &[Operand], live: &mut RegSet) {
        let registers = self.function.registers.len();
        for reg in uses.iter().filter_map(|operand| operand.register()) {
            if (reg.0 as usize) < registers {
                live.insert(reg);
            }
        }
    }
}

/// Assigns an element, if it exists.
fn set<T>(list: &mut [T], index: usize, value: T) {
    if let Some(place) = list.get_mut(index) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BinaryOp, Edge, FunctionId, Op, Register, SiteId, Terminator, Type};

    fn add(dst: u32, lhs: u32, rhs: u32) -> Op {
        let (lhs, rhs) = (Operand::Reg(Reg(lhs)), Operand::Reg(Reg(rhs)));
        Op::Binary { dst: Reg(dst), op: BinaryOp::Add, width: 32, lhs, rhs, no_signed_wrap: false }
    }

    fn block(params: &[u32], ops: Vec<Op>, end: Terminator) -> Block {
        let site = SiteId(0);
        Block {
            params: params.iter().copied().map(Reg).collect(),
            instructions: ops.into_iter().map(|op| Instruction { site, op }).collect(),
            end_site: site,
            end,
        }
    }

    fn edge(target: u32, args: &[u32]) -> Edge {
        let args = args.iter().map(|&arg| Operand::Reg(Reg(arg))).collect();
        Edge { target: BlockId(target), args }
    }

    fn function(params: &[u32], registers: usize, blocks: Vec<Block>) -> Function {
        Function {
            name: "f".into(),
            site: SiteId(0),
            params: params.iter().copied().map(Reg).collect(),
            returns: Vec::new(),
            variadic: false,
            atomic: false,
            library: false,
            wrapper: false,
            registers: vec![Register { ty: Type::Int(32) }; registers],
            blocks,
        }
    }

    fn before(liveness: &Liveness, block: u32, index: usize) -> Vec<u32> {
        liveness.before(BlockId(block), index).iter().map(|reg| reg.0).collect()
    }

    #[test]
    fn a_register_is_live_from_its_assignment_to_its_last_use() {
        let ops = vec![add(2, 0, 1), add(3, 2, 2)];
        let end = Terminator::Return(vec![Operand::Reg(Reg(3))]);
        let liveness = Liveness::of(&function(&[0, 1], 4, vec![block(&[], ops, end)]));
        assert_eq!(before(&liveness, 0, 0), [0, 1]);
        assert_eq!(before(&liveness, 0, 1), [2]);
        assert_eq!(before(&liveness, 0, 2), [3]);
        assert!(liveness.before(BlockId(0), 3).is_empty());
        assert!(liveness.before(BlockId(7), 0).is_empty());
    }

    #[test]
    fn a_loop_keeps_alive_what_its_next_round_reads() {
        let (then, otherwise) = (edge(1, &[3]), edge(2, &[]));
        let condition = Operand::Reg(Reg(1));
        let blocks = vec![
            block(&[], vec![], Terminator::Jump(edge(1, &[0]))),
            block(&[2], vec![add(3, 2, 70)], Terminator::Branch { condition, then, otherwise }),
            block(&[], vec![], Terminator::Return(vec![Operand::Reg(Reg(2))])),
        ];
        let liveness = Liveness::of(&function(&[0, 1, 70], 71, blocks));
        assert_eq!(before(&liveness, 0, 0), [0, 1, 70]);
        assert_eq!(before(&liveness, 1, 0), [1, 2, 70]);
        assert_eq!(before(&liveness, 1, 1), [1, 2, 3, 70]);
        assert_eq!(before(&liveness, 2, 0), [2]);
    }

    #[test]
    fn a_waiting_frame_does_not_keep_the_results_of_its_call() {
        let call = Op::Call {
            results: vec![Reg(2)],
            callee: FunctionId(0),
            args: vec![Operand::Reg(Reg(0))],
        };
        let end = Terminator::Return(vec![Operand::Reg(Reg(3))]);
        let blocks = vec![block(&[], vec![call, add(3, 1, 2)], end)];
        let liveness = Liveness::of(&function(&[0, 1], 4, blocks));
        assert_eq!(before(&liveness, 0, 1), [1, 2]);
        assert_eq!(liveness.after_call(BlockId(0), 0), RegSet::from_iter([Reg(1)]));
    }

    #[test]
    fn a_name_for_reports_keeps_nothing_alive() {
        let value = Operand::Reg(Reg(0));
        let name = Op::Variable { name: "x".into(), value, ty: Type::Int(32) };
        let blocks = vec![block(&[], vec![name], Terminator::Unreachable)];
        assert_eq!(before(&Liveness::of(&function(&[0], 1, blocks)), 0, 0), []);
    }

    #[test]
    fn ids_out_of_range_are_passed_over() {
        let ops = vec![add(9, 8, u32::MAX)];
        let liveness = Liveness::of(&function(
            &[],
            0,
            vec![block(&[], ops, Terminator::Jump(edge(5, &[u32::MAX])))],
        ));
        assert!(liveness.before(BlockId(0), 0).is_empty());
    }

    #[test]
    fn sets_with_the_same_members_are_equal() {
        let mut set = RegSet::from_iter([Reg(1), Reg(200)]);
        assert!(!set.insert(Reg(200)));
        assert!(set.remove(Reg(200)));
        assert!(!set.remove(Reg(200)));
        assert_eq!(set, RegSet::from_iter([Reg(1)]));
        assert!(set.contains(Reg(1)) && !set.contains(Reg(200)));
        assert_eq!(set.len(), 1);
    }
}
