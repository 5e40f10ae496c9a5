//! Rules about the code of one function: ids, arities, single assignment.

use super::{Broken, typing};
use crate::ir::{Block, BlockId, Edge, Function, Op, Operand, Program, Reg, SiteId, Terminator};
use crate::liveness::Liveness;

pub(super) fn check(program: &Program, function: &Function, broken: &mut Broken) {
    let before = broken.list.len();
    Code { program, function, broken }.ids();
    // What follows looks things up by id.
    if broken.list.len() == before {
        let mut code = Code { program, function, broken };
        code.arities();
        code.assigned_once();
        code.assigned_before_use();
        typing::check(program, function, broken);
    }
}

struct Code<'a> {
    program: &'a Program,
    function: &'a Function,
    broken: &'a mut Broken,
}

impl Code<'_> {
    fn ids(&mut self) {
        self.site(self.function.site);
        let first = (0u32..).map(Reg).zip(&self.function.params).all(|(reg, param)| reg == *param);
        self.broken.require(first, || "its parameters are not the first registers".to_owned());
        self.registers(&self.function.params);
        let entry = self.function.blocks.first().is_some_and(|block| block.params.is_empty());
        self.broken
            .require(entry, || "it has no entry block, or one that takes parameters".to_owned());
        for block in &self.function.blocks {
            self.block_ids(block);
        }
    }

    fn block_ids(&mut self, block: &Block) {
        self.registers(&block.params);
        for instruction in &block.instructions {
            self.site(instruction.site);
            self.registers(&instruction.op.defines());
            self.operands(&instruction.op.uses());
            self.op_ids(&instruction.op);
        }
        self.site(block.end_site);
        self.operands(&block.end.uses());
        for Edge { target: BlockId(id), .. } in block.end.edges() {
            let known = (*id as usize) < self.function.blocks.len();
            self.broken.require(known, || format!("block {id} does not exist"));
        }
    }

    /// The ids of an instruction that are neither registers nor values it reads.
    fn op_ids(&mut self, op: &Op) {
        match op {
            Op::Call { callee, .. } => self.broken.function_id(self.program, *callee),
            Op::Variable { value, .. } => self.operands(&[*value]),
            Op::Alloca { ty, .. } => self.broken.debug_type(self.program, *ty),
            _ => {}
        }
    }

    fn site(&mut self, site: SiteId) {
        self.broken.site(self.program, site);
    }

    fn registers(&mut self, regs: &[Reg]) {
        for &Reg(id) in regs {
            let known = (id as usize) < self.function.registers.len();
            self.broken.require(known, || format!("register %{id} does not exist"));
        }
    }

    fn operands(&mut self, operands: &[Operand]) {
        for &operand in operands {
            self.registers(operand.register().as_slice());
            self.broken.address(self.program, operand);
        }
    }

    fn arities(&mut self) {
        for (at, block) in self.function.blocks.iter().enumerate() {
            for instruction in &block.instructions {
                if let Op::Call { .. } = instruction.op {
                    self.call_arity(&instruction.op);
                }
            }
            if let Terminator::Return(values) = &block.end {
                let (has, wants) = (values.len(), self.function.returns.len());
                self.count("values returned", has, wants);
            }
            for edge in block.end.edges() {
                let wants = self.function.block(edge.target).params.len();
                let what = format!("arguments on the edge bb{at} -> bb{}", edge.target.0);
                self.count(&what, edge.args.len(), wants);
            }
        }
    }

    fn call_arity(&mut self, op: &Op) {
        let Op::Call { results, callee, args } = op else { return };
        let callee = self.program.function(*callee);
        self.count(&format!("results of {}", callee.name), results.len(), callee.returns.len());
        self.count(&format!("arguments of {}", callee.name), args.len(), callee.params.len());
    }

    fn count(&mut self, what: &str, has: usize, wants: usize) {
        self.broken.require(has == wants, || format!("{has} {what}, not {wants}"));
    }

    fn assigned_once(&mut self) {
        let mut assignments = vec![0usize; self.function.registers.len()];
        let blocks = self.function.blocks.iter();
        let by_blocks = blocks.flat_map(|block| {
            let by_instructions = block.instructions.iter().flat_map(|i| i.op.defines());
            block.params.iter().copied().chain(by_instructions)
        });
        for Reg(id) in self.function.params.iter().copied().chain(by_blocks) {
            if let Some(count) = assignments.get_mut(id as usize) {
                *count += 1;
            }
        }
        for (id, count) in assignments.into_iter().enumerate() {
            self.broken
                .require(count == 1, || format!("register %{id} is assigned in {count} places"));
        }
    }

    /// A register that is live on entry is read on some path that does not assign it.
    fn assigned_before_use(&mut self) {
        let liveness = Liveness::of(self.function);
        for reg in liveness.before(BlockId(0), 0).iter() {
            let is_param = self.function.params.contains(&reg);
            self.broken.require(is_param, || {
                format!("register %{} may be read before it is assigned", reg.0)
            });
        }
    }
}
