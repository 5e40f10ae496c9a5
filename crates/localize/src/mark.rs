//! Copies before everything that may be another.

use unravel_events::relax;
use unravel_program::library::Action;
use unravel_program::{
    Access, BinaryOp, BlockId, CompareOp, FunctionId, Global, GlobalId, Instruction, Op, Operand,
    Program, Reg, Register, SiteId, Terminator, Type,
};

use crate::facts::Facts;
use crate::update::{updated, use_operand};
use crate::{initial, naming};

/// No thread executes anything so often.
pub(crate) const NEVER: u128 = 0xffff_ffff;

/// What kind of value is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What is assigned to a variable.
    Assignment,
    /// What a variable holds at first.
    Initial,
    /// What an atomic update adds, or stores, or combines with what is there.
    Operand,
    /// An argument of a call, from 1.
    Argument(usize),
    /// What a function returns.
    Return,
    /// Whether a branch is taken, or what a switch depends on.
    Condition,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// With a sign.
    Signed,
    /// Without one.
    Unsigned,
    /// True or false.
    Bool,
}

/// Something that may have another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What it is.
    pub kind: Kind,
    /// Where it stands in the source.
    pub site: SiteId,
    /// The variable, or the function that is called.
    pub name: Option<String>,
    /// The variable is a local one.
    pub is_local: bool,
    /// How its values look.
    pub look: Look,
    /// Width in bits.
    pub width: u16,
    /// The source has a constant there.
    pub is_constant: bool,
    /// A synchronization object is set up with it: it decides who waits.
    pub is_count: bool,
    /// One thread may execute it several times.
    pub is_repeated: bool,
    /// Its single executions can be changed one by one.
    pub is_counted: bool,
    /// What holds the value.
    pub holder: Holder,
    /// The function that is called with it, if it is an argument.
    pub callee: Option<FunctionId>,
}

/// What holds a value that may be another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A copy: function, block, index.
    Copy(FunctionId, BlockId, usize),
    /// So many bytes at an offset of the initial value of a variable.
    Initial(GlobalId, u64, u64),
}

/// A program with marks. It means what it meant without them.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The program.
    pub program: Program,
    /// The marks.
    pub marks: Vec<Mark>,
    /// The marks, for the symbolic engine.
    pub table: relax::Marks,
}

/// Marks everything in the user's code that may be another.
#[must_use]
pub fn mark(program: &Program) -> Marked {
    let mut marked =
        Marked { program: program.clone(), marks: Vec::new(), table: relax::Marks::default() };
    for (number, function) in (0u32..).zip(&program.functions) {
        if !function.library {
            let id = FunctionId(number);
            Marker { program, facts: Facts::of(program, id), id, out: &mut marked }.function();
        }
    }
    initial::mark(program, &mut marked);
    marked
}

struct Marker<'p, 'm> {
    program: &'p Program,
    facts: Facts<'p>,
    id: FunctionId,
    out: &'m mut Marked,
}

/// What is to be marked: which operand of its instruction, and what it is.
struct Wanted {
    operand: usize,
    kind: Kind,
    width: u16,
    name: Option<String>,
    is_local: bool,
    look: Look,
    callee: Option<FunctionId>,
    is_count: bool,
}

impl Wanted {
    fn new(operand: usize, kind: Kind, width: u16) -> Wanted {
        let look = if width == 1 { Look::Bool } else { Look::Signed };
        let (name, is_local, callee, is_count) = (None, false, None, false);
        Wanted { operand, kind, width, name, is_local, look, callee, is_count }
    }
}

impl Marker<'_, '_> {
    fn function(&mut self) {
        for (number, block) in (0u32..).zip(&self.program.function(self.id).blocks) {
            let id = BlockId(number);
            let mut instructions = Vec::new();
            let mut update = None;
            for instruction in &block.instructions {
                let mut changed = instruction.clone();
                use_operand(&mut changed.op, update);
                for wanted in self.wanted(instruction) {
                    let mut operands = changed.op.operands_mut();
                    let Some(operand) = operands.get_mut(wanted.operand) else { continue };
                    self.insert(id, &mut instructions, instruction.site, &wanted, operand);
                }
                update = updated(&instruction.op, &changed.op).or(update);
                instructions.push(changed);
            }
            let mut end = block.end.clone();
            self.end(id, &mut instructions, block.end_site, &mut end);
            let out = &mut self.out.program.functions[self.id.0 as usize].blocks[number as usize];
            (out.instructions, out.end) = (instructions, end);
        }
    }

    fn end(
        &mut self,
        block: BlockId,
        instructions: &mut Vec<Instruction>,
        site: SiteId,
        end: &mut Terminator,
    ) {
        let returns = &self.program.function(self.id).returns;
        match end {
            Terminator::Branch { condition, .. } => {
                let wanted = Wanted::new(0, Kind::Condition, 1);
                self.insert(block, instructions, site, &wanted, condition);
            }
            Terminator::Switch { value, width, .. } => {
                let wanted = Wanted::new(0, Kind::Condition, *width);
                self.insert(block, instructions, site, &wanted, value);
            }
            Terminator::Return(values) => {
                if let ([value], [Type::Int(width)]) = (&mut values[..], &returns[..])
                    && !self.facts.is_start
                    && !self.facts.is_stored_result(*value)
                {
                    let wanted = Wanted::new(0, Kind::Return, *width);
                    self.insert(block, instructions, site, &wanted, value);
                }
            }
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
    }

    /// What an instruction has that may be another.
    fn wanted(&self, instruction: &Instruction) -> Vec<Wanted> {
        match &instruction.op {
            Op::Store { ty: Type::Int(width), address, .. } => {
                self.store(*address, *width, instruction.site).into_iter().collect()
            }
            Op::ReadModifyWrite { ty: Type::Int(width), address, .. } => {
                let wanted = Wanted::new(1, Kind::Operand, *width);
                vec![self.named(wanted, *address, instruction.site)]
            }
            Op::CompareExchange { ty: Type::Int(width), address, .. } => {
                let wanted = Wanted::new(2, Kind::Operand, *width);
                vec![self.named(wanted, *address, instruction.site)]
            }
            Op::Call { callee, .. } => self.arguments(*callee),
            Op::CallIndirect { args, .. } => integers(args, 1),
            // What a semaphore or a barrier begins with. Whether an assumption holds is no fault of
            // the program, and how large a block is, is no value that the engine lets vary.
            Op::Library { primitive, args, .. } => match primitive.action() {
                Action::Sync(..) => {
                    let name = Some(primitive.name().to_owned());
                    let counts = integers(args, 0).into_iter();
                    counts.map(|it| Wanted { name: name.clone(), is_count: true, ..it }).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn store(&self, address: Operand, width: u16, site: SiteId) -> Option<Wanted> {
        if self.facts.is_temporary(address) {
            return None;
        }
        if !self.facts.is_return_slot(address) {
            return Some(self.named(Wanted::new(1, Kind::Assignment, width), address, site));
        }
        (!self.facts.is_start).then(|| Wanted::new(1, Kind::Return, width))
    }

    fn named(&self, wanted: Wanted, address: Operand, site: SiteId) -> Wanted {
        let bytes = u64::from(wanted.width).div_ceil(8);
        let (name, look) = naming::memory(self.program, &self.facts, (address, bytes), site);
        Wanted { name, look, is_local: self.facts.is_local(address), ..wanted }
    }

    fn arguments(&self, callee: FunctionId) -> Vec<Wanted> {
        let function = self.program.function(callee);
        let mut wanted = Vec::new();
        for (index, &param) in function.params.iter().enumerate() {
            if let Type::Int(width) = function.type_of(param) {
                let argument = Wanted::new(index, Kind::Argument(index + 1), width);
                // One that is made for a format has the name of the C function, and a number.
                let own = function.name.split('.').next().filter(|_| function.library);
                let name = Some(own.unwrap_or(&function.name).to_owned());
                wanted.push(Wanted { name, callee: Some(callee), ..argument });
            }
        }
        wanted
    }

    /// Puts a copy before the use of an operand, if that may be changed.
    fn insert(
        &mut self,
        block: BlockId,
        instructions: &mut Vec<Instruction>,
        site: SiteId,
        wanted: &Wanted,
        operand: &mut Operand,
    ) {
        let is_value = matches!(operand, Operand::Int(_) | Operand::Reg(_));
        let has_place = self.program.site(site).span.is_some_and(|span| span.line > 0);
        let is_given = self.facts.is_result(*operand) || self.facts.is_inside_swap(*operand);
        if !is_value || !has_place || is_given {
            return;
        }
        let is_repeated = self.facts.is_called || self.facts.repeated.contains(&block);
        let is_counted = is_repeated && wanted.kind == Kind::Assignment;
        let counter = is_counted.then(|| self.count(instructions));
        let dst = self.register(Type::Int(wanted.width));
        let number = self.out.marks.len();
        self.out.table.copies.insert((self.id, dst), relax::Mark { number, counter });
        self.out.marks.push(Mark {
            kind: wanted.kind,
            site,
            name: wanted.name.clone(),
            is_local: wanted.is_local,
            look: wanted.look,
            width: wanted.width,
            is_constant: self.facts.is_constant(*operand),
            is_count: wanted.is_count,
            is_repeated,
            is_counted,
            holder: Holder::Copy(self.id, block, instructions.len()),
            callee: wanted.callee,
        });
        instructions.push(Instruction { site, op: Op::Copy { dst, value: *operand } });
        *operand = Operand::Reg(dst);
    }

    fn register(&mut self, ty: Type) -> Reg {
        let registers = &mut self.out.program.functions[self.id.0 as usize].registers;
        registers.push(Register { ty });
        Reg(u32::try_from(registers.len() - 1).unwrap_or(u32::MAX))
    }

    /// Counts the executions in a variable of the thread; the last of the instructions tells whether
    /// this one is to be changed ([`crate::apply`]). Gives the register with the number.
    fn count(&mut self, instructions: &mut Vec<Instruction>) -> Reg {
        let int = Type::Int(32);
        let (count, next) = (self.register(int), self.register(int));
        let is_this = self.register(Type::Int(1));
        let address = Operand::Global(self.counter(), 0);
        let (lhs, access) = (Operand::Reg(count), Access::Plain);
        let (op, width, rhs) = (BinaryOp::Add, 32, Operand::Int(1));
        let operations = [
            Op::Load { dst: count, ty: int, address, access },
            Op::Binary { dst: next, op, width, lhs, rhs, no_signed_wrap: false },
            Op::Store { ty: int, address, value: Operand::Reg(next), access },
            Op::Compare { dst: is_this, op: CompareOp::Eq, ty: int, lhs, rhs: Operand::Int(NEVER) },
        ];
        let site = SiteId(0);
        instructions.extend(operations.map(|op| Instruction { site, op }));
        count
    }

    fn counter(&mut self) -> GlobalId {
        let globals = &mut self.out.program.globals;
        let id = GlobalId(u32::try_from(globals.len()).unwrap_or(u32::MAX));
        let name = format!("executions.{}", id.0);
        globals.push(Global {
            shown_name: name.clone(),
            name,
            ty: None,
            site: SiteId(0),
            size: 4,
            align: 4,
            constant: false,
            thread_local: true,
            bytes: Some(Vec::new()),
            relocations: Vec::new(),
        });
        id
    }
}

/// The arguments that are integers, behind so many other operands.
fn integers(args: &[(Type, Operand)], behind: usize) -> Vec<Wanted> {
    let integer = |(index, (ty, _)): (usize, &(Type, Operand))| match ty {
        Type::Int(width) => Some(Wanted::new(behind + index, Kind::Argument(index + 1), *width)),
        _ => None,
    };
    args.iter().enumerate().filter_map(integer).collect()
}
