//! Bodies of functions: blocks, their parameters and the edges between them.

use std::collections::{HashMap, HashSet};

use unravel_program::{
    Block as IrBlock, BlockId, Edge, Function, Instruction, Op, Operand, Primitive, Reg, Register,
    SiteId, Terminator, Type,
};

use crate::debug::Variable;
use crate::llvm::{Block, Opcode, Value, ValueKind};
use crate::locals::Locals;
use crate::lower::{Lowering, What, c_name};

/// A body under construction. Instructions go to the block that is being lowered.
pub(crate) struct Body<'a, 'm> {
    pub(crate) cx: &'a mut Lowering<'m>,
    /// Variables that `llvm.dbg.declare` gives to an `alloca`, with their places.
    pub(crate) declared: HashMap<Value<'m>, (Variable, SiteId)>,
    /// Locals that begin and end with a block, with the calls that begin them.
    pub(crate) block_locals: HashMap<Value<'m>, Value<'m>>,
    /// Where the further arguments (`...`) lie.
    pub(crate) further: Option<Reg>,
    /// Name of the function in the source.
    name: String,
    registers: Vec<Register>,
    /// Leaves of parameters and instructions.
    values: HashMap<Value<'m>, Vec<Operand>>,
    blocks: HashMap<Block<'m>, BlockId>,
    instructions: Vec<Instruction>,
    site: SiteId,
    function_site: SiteId,
}

/// Lowers a function with a body.
pub(crate) fn lower<'m>(cx: &mut Lowering<'m>, function: Value<'m>) -> Function {
    let site = cx.debug.function_site(function);
    let mut body = Body::new(cx, function, site);
    body.block_locals = Locals::new(body.cx.layout, function).of_blocks();
    let params = body.assign_params(function);
    let order = reverse_postorder(function);
    let reachable: HashSet<_> = order.iter().copied().collect();
    let blocks: Vec<_> =
        function.blocks().into_iter().filter(|it| reachable.contains(it)).collect();
    for (index, block) in (0u32..).zip(&blocks) {
        body.blocks.insert(*block, BlockId(index));
        body.prepare(*block);
    }
    // Definitions come before uses in reverse postorder, but not in LLVM's order of blocks.
    let mut lowered: HashMap<_, _> =
        order.into_iter().map(|block| (block, body.lower_block(block))).collect();
    let name = function.name();
    let ty = function.value_type().and_then(|ty| ty.function());
    // A `return` of what cannot be represented is unsupported.
    let returns = ty.map(|(result, ..)| body.cx.leaf_types(result).unwrap_or_default());
    let (returns, variadic) = (returns.unwrap_or_default(), body.further.is_some());
    Function {
        site,
        params,
        returns,
        variadic,
        atomic: c_name(function).starts_with("__VERIFIER_atomic_"),
        library: false,
        wrapper: false,
        registers: body.registers,
        blocks: blocks.iter().filter_map(|block| lowered.remove(block)).collect(),
        name,
    }
}

/// A function that calls one without a body, for those whose address is taken.
pub(crate) fn wrap<'m>(cx: &mut Lowering<'m>, function: Value<'m>) -> Function {
    let site = cx.debug.function_site(function);
    let signature = function.value_type().map(|ty| cx.signature(ty));
    let mut body = Body::new(cx, function, site);
    let (params, returns, variadic, problem) = match signature {
        Some(Ok(it)) => (it.params, it.returns, it.variadic, None),
        Some(Err(what)) => (Vec::new(), Vec::new(), false, Some(what)),
        None => (Vec::new(), Vec::new(), false, Some(What::from("a malformed function"))),
    };
    let params: Vec<_> = params.into_iter().map(|ty| (ty, body.fresh(ty))).collect();
    let args = params.iter().map(|(ty, reg)| (*ty, Operand::Reg(*reg))).collect();
    let results: Vec<_> = returns.iter().map(|ty| body.fresh(*ty)).collect();
    let called = match problem {
        Some(what) => Err(what),
        // There is no way to pass on the arguments beyond the named ones. For functions that
        // print, which the model knows, the lack shows when the format is read.
        None if variadic && Primitive::named(&c_name(function)).is_none() => {
            Err(format!("`{}`, with variable arguments, through a pointer", function.name()).into())
        }
        None => body.call_undefined(function, args, &results),
    };
    if let Err(what) = called {
        body.emit(Op::Unsupported { results: results.clone(), what });
    }
    let end = Terminator::Return(results.into_iter().map(Operand::Reg).collect());
    let block =
        IrBlock { params: Vec::new(), instructions: body.instructions, end_site: site, end };
    Function {
        name: function.name(),
        site,
        params: params.into_iter().map(|(_, reg)| reg).collect(),
        returns,
        variadic: false,
        atomic: false,
        library: true,
        wrapper: false,
        registers: body.registers,
        blocks: vec![block],
    }
}

impl<'a, 'm> Body<'a, 'm> {
    fn new(cx: &'a mut Lowering<'m>, function: Value<'m>, site: SiteId) -> Self {
        let name = cx.debug.function_name(function);
        Body {
            cx,
            declared: HashMap::new(),
            block_locals: HashMap::new(),
            further: None,
            name,
            registers: Vec::new(),
            values: HashMap::new(),
            blocks: HashMap::new(),
            instructions: Vec::new(),
            site,
            function_site: site,
        }
    }

    /// A new register.
    pub(crate) fn fresh(&mut self, ty: Type) -> Reg {
        let reg = Reg(u32::try_from(self.registers.len()).unwrap_or(u32::MAX));
        self.registers.push(Register { ty });
        reg
    }

    /// Type of a register.
    pub(crate) fn type_of(&self, reg: Reg) -> Type {
        self.registers.get(reg.0 as usize).map_or(Type::Int(1), |register| register.ty)
    }

    /// What cannot be represented is told with a place: with its function's if it has none.
    fn emit_unsupported(&mut self, results: Vec<Reg>, what: What) {
        if !self.cx.debug.has_place(self.site) {
            self.site = self.function_site;
        }
        self.emit(Op::Unsupported { results, what });
    }

    /// Moves what is emitted next to another place.
    pub(crate) fn stand_at(&mut self, site: SiteId) {
        self.site = site;
    }

    /// Appends an instruction at the place of the one that is being lowered.
    pub(crate) fn emit(&mut self, op: Op) {
        self.instructions.push(Instruction { site: self.site, op });
    }

    fn assign_params(&mut self, function: Value<'m>) -> Vec<Reg> {
        for param in function.params() {
            self.assign(param);
        }
        let ty = function.value_type().and_then(|ty| ty.function());
        if ty.is_some_and(|(_, params, variadic)| variadic && !params.is_empty()) {
            self.further = Some(self.fresh(Type::Ptr));
        }
        (0u32..).map(Reg).take(self.registers.len()).collect()
    }

    /// Gives a value its registers, if its type can be represented.
    fn assign(&mut self, value: Value<'m>) {
        let Some(Ok(types)) = value.ty().map(|ty| self.cx.leaf_types(ty)) else { return };
        let regs = types.into_iter().map(|ty| Operand::Reg(self.fresh(ty))).collect();
        self.values.insert(value, regs);
    }

    /// Gives registers to a block's parameters, and notes its variables.
    fn prepare(&mut self, block: Block<'m>) {
        for instruction in block.instructions() {
            match instruction.opcode() {
                Some(Opcode::LLVMPHI) => self.assign(instruction),
                Some(Opcode::LLVMCall) if is_declare(instruction) => {
                    let site = self.cx.debug.site_of(instruction, &self.name);
                    if let Some((value, variable)) = self.cx.debug.declared(instruction) {
                        self.declared.entry(value).or_insert((variable, site));
                    }
                }
                _ => {}
            }
        }
    }

    fn lower_block(&mut self, block: Block<'m>) -> IrBlock {
        let params = phis(block).into_iter().flat_map(|phi| self.results(phi)).collect();
        let terminator = block.terminator();
        for instruction in block.instructions() {
            if Some(instruction) == terminator {
                break;
            }
            self.site = self.cx.debug.site_of(instruction, &self.name);
            if let Err(what) = self.instruction(instruction) {
                let results = self.results(instruction);
                self.emit_unsupported(results, what);
            }
        }
        let end = terminator.map_or(Terminator::Unreachable, |it| self.terminator(block, it));
        let instructions = std::mem::take(&mut self.instructions);
        IrBlock { params, instructions, end_site: self.site, end }
    }

    fn terminator(&mut self, block: Block<'m>, terminator: Value<'m>) -> Terminator {
        self.site = self.cx.debug.site_of(terminator, &self.name);
        self.try_terminator(block, terminator).unwrap_or_else(|what| {
            self.emit_unsupported(Vec::new(), what);
            Terminator::Unreachable
        })
    }

    fn try_terminator(&mut self, block: Block<'m>, at: Value<'m>) -> Result<Terminator, What> {
        match at.opcode() {
            Some(Opcode::LLVMBr) => self.branch(block, at),
            Some(Opcode::LLVMSwitch) => self.switch(block, at),
            Some(Opcode::LLVMRet) => match at.operand(0) {
                Some(value) => Ok(Terminator::Return(self.operands(value)?)),
                None => Ok(Terminator::Return(Vec::new())),
            },
            Some(Opcode::LLVMUnreachable) => Ok(Terminator::Unreachable),
            Some(Opcode::LLVMIndirectBr) => Err("a computed `goto`".into()),
            Some(Opcode::LLVMCallBr) => Err("inline assembly with labels".into()),
            _ => Err("exception handling".into()),
        }
    }

    fn branch(&mut self, block: Block<'m>, at: Value<'m>) -> Result<Terminator, What> {
        let successors = at.successors();
        match successors.as_slice() {
            [target] => Ok(Terminator::Jump(self.edge(block, *target)?)),
            [then, otherwise] => {
                let condition = self.operand_of(at, 0)?;
                let then = self.edge(block, *then)?;
                let otherwise = self.edge(block, *otherwise)?;
                Ok(Terminator::Branch { condition, then, otherwise })
            }
            _ => Err("a malformed branch".into()),
        }
    }

    /// Operands of a switch: the value, the default block, then pairs of constant and block.
    fn switch(&mut self, block: Block<'m>, at: Value<'m>) -> Result<Terminator, What> {
        let odd = || What::from("a malformed switch");
        let value = at.operand(0).ok_or_else(odd)?;
        let width = self.int_width(value)?;
        let value = self.operand(value)?;
        let successors = at.successors();
        let (default, targets) = successors.split_first().ok_or_else(odd)?;
        let default = self.edge(block, *default)?;
        let mut cases = Vec::new();
        for (index, target) in (1u32..).zip(targets) {
            let bits = at.operand(2 * index).and_then(|it| it.int_bits()).ok_or_else(odd)?;
            cases.push((bits, self.edge(block, *target)?));
        }
        Ok(Terminator::Switch { value, width, cases, default })
    }

    /// The edge between two blocks, with the values of the φ-nodes on it.
    fn edge(&mut self, from: Block<'m>, to: Block<'m>) -> Result<Edge, What> {
        let odd = || What::from("a malformed jump");
        let target = *self.blocks.get(&to).ok_or_else(odd)?;
        let mut args = Vec::new();
        for phi in phis(to) {
            let count = self.results(phi).len();
            if count == 0 {
                continue;
            }
            let values = self.operands(phi.incoming(from).ok_or_else(odd)?)?;
            if values.len() != count {
                return Err(odd());
            }
            args.extend(values);
        }
        Ok(Edge { target, args })
    }

    /// The registers of a value's leaves, given now if it has none yet. None at all if its type
    /// cannot be represented.
    pub(crate) fn results(&mut self, value: Value<'m>) -> Vec<Reg> {
        if !self.values.contains_key(&value) {
            self.assign(value);
        }
        let leaves = self.values.get(&value).map(Vec::as_slice).unwrap_or_default();
        let regs = leaves.iter().filter_map(|leaf| match leaf {
            Operand::Reg(reg) => Some(*reg),
            _ => None,
        });
        regs.collect()
    }

    /// The one register of an instruction with one scalar result.
    pub(crate) fn result(&mut self, value: Value<'m>) -> Result<Reg, What> {
        match self.results(value).as_slice() {
            [reg] => Ok(*reg),
            _ => match value.ty().map(|ty| self.cx.scalar(ty)) {
                Some(Err(what)) => Err(what),
                _ => Err("an operation on several values at once".into()),
            },
        }
    }

    /// Records the leaves of a value that needs no register of its own.
    pub(crate) fn define(&mut self, value: Value<'m>, leaves: Vec<Operand>) {
        self.values.insert(value, leaves);
    }

    /// The leaves of a value.
    pub(crate) fn operands(&mut self, value: Value<'m>) -> Result<Vec<Operand>, What> {
        if let Some(leaves) = self.values.get(&value) {
            return Ok(leaves.clone());
        }
        match value.kind() {
            ValueKind::LLVMArgumentValueKind => self.not_computed(value),
            ValueKind::LLVMInstructionValueKind if value.is_instruction() => {
                self.not_computed(value)
            }
            ValueKind::LLVMInlineAsmValueKind => Err("inline assembly".into()),
            ValueKind::LLVMMetadataAsValueValueKind => Err("metadata as a value".into()),
            _ => self.constant(value),
        }
    }

    /// A value without leaves is of a type that cannot be represented.
    fn not_computed(&self, value: Value<'m>) -> Result<Vec<Operand>, What> {
        self.cx.leaves(value.ty().ok_or("a malformed value")?)?;
        Err("a value that nothing computes".into())
    }

    /// A value that is one scalar.
    pub(crate) fn operand(&mut self, value: Value<'m>) -> Result<Operand, What> {
        match self.operands(value)?.as_slice() {
            [operand] => Ok(*operand),
            _ => Err("an operation on several values at once".into()),
        }
    }

    /// Operand `index` of an instruction, one scalar.
    pub(crate) fn operand_of(&mut self, value: Value<'m>, index: u32) -> Result<Operand, What> {
        let operand = value.operand(index).ok_or_else(|| What::from("a malformed instruction"))?;
        self.operand(operand)
    }
}

/// φ-nodes stand at the beginning of a block.
fn phis<'m>(block: Block<'m>) -> Vec<Value<'m>> {
    let instructions = block.instructions().into_iter();
    instructions.take_while(|it| it.opcode() == Some(Opcode::LLVMPHI)).collect()
}

fn is_declare(call: Value<'_>) -> bool {
    call.called().is_some_and(|callee| callee.name() == "llvm.dbg.declare")
}

/// Blocks that can be reached, each after the blocks that dominate it. What lies behind an
/// unsupported terminator is not reached.
fn reverse_postorder(function: Value<'_>) -> Vec<Block<'_>> {
    let Some(entry) = function.blocks().first().copied() else { return Vec::new() };
    let mut seen = HashSet::from([entry]);
    let mut stack = vec![(entry, next_blocks(entry))];
    let mut order = Vec::new();
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, next_blocks(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn next_blocks(block: Block<'_>) -> Vec<Block<'_>> {
    let Some(terminator) = block.terminator() else { return Vec::new() };
    match terminator.opcode() {
        Some(Opcode::LLVMBr | Opcode::LLVMSwitch) => terminator.successors(),
        _ => Vec::new(),
    }
}
