//! Helpers of the tests: write C, load it, check the rules that every program obeys.
#![allow(dead_code, reason = "each test file uses some of them")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use unravel_frontend::{Error, Options, load};
use unravel_program::*;

/// A directory with files, gone at the end of the test.
pub struct Sources {
    dir: TempDir,
    files: Vec<PathBuf>,
}

impl Sources {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let write = |(name, text): &(&str, &str)| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path
        };
        let files = files.iter().map(write).collect();
        Sources { dir, files }
    }

    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn load(&self, flags: &[&str]) -> Result<Program, Error> {
        let flags = flags.iter().map(|it| (*it).to_owned()).collect();
        let options = Options { flags, ..Options::default() };
        let program = load(&self.files, &options)?;
        assert_well_formed(&program);
        Ok(program)
    }
}

/// Loads one C file.
pub fn load_c(text: &str) -> Program {
    load_with(text, &[])
}

/// Loads one C file with flags.
pub fn load_with(text: &str, flags: &[&str]) -> Program {
    Sources::new(&[("test.c", text)]).load(flags).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Loads one file of LLVM IR, with a `main` added.
pub fn load_ll(text: &str) -> Program {
    let text = format!(
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
         target triple = \"x86_64-pc-linux-gnu\"\n{text}\n\
         define i32 @main() {{ ret i32 0 }}\n"
    );
    Sources::new(&[("test.ll", &text)]).load(&[]).unwrap_or_else(|error| panic!("{error:?}"))
}

pub fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    let found = program.functions.iter().find(|it| it.name == name);
    found.unwrap_or_else(|| panic!("no function {name}"))
}

pub fn global<'p>(program: &'p Program, name: &str) -> &'p Global {
    let found = program.globals.iter().find(|it| it.name == name || it.shown_name == name);
    found.unwrap_or_else(|| panic!("no global {name}"))
}

/// All instructions of a function, block by block.
pub fn ops<'p>(program: &'p Program, name: &str) -> Vec<&'p Op> {
    let blocks = function(program, name).blocks.iter();
    blocks.flat_map(|block| &block.instructions).map(|it| &it.op).collect()
}

/// What is unsupported in a function, with the line.
pub fn unsupported(program: &Program, name: &str) -> Vec<(u32, String)> {
    let blocks = function(program, name).blocks.iter();
    let instructions = blocks.flat_map(|block| &block.instructions);
    let found = instructions.filter_map(|it| match &it.op {
        Op::Unsupported { what, .. } => {
            Some((program.site(it.site).span.map_or(0, |span| span.line), what.clone()))
        }
        _ => None,
    });
    found.collect()
}

/// Checks the rules of the IR.
pub fn assert_well_formed(program: &Program) {
    assert_eq!(validate::validate(program), Ok(()));
    assert!((program.main.0 as usize) < program.functions.len());
    assert_eq!(program.sites[0], Site { span: None, function: String::new(), inlined_at: None });
    for site in &program.sites {
        assert!(site.inlined_at.is_none_or(|at| (at.0 as usize) < program.sites.len()));
        let file = site.span.map(|span| span.file);
        assert!(file.is_none_or(|file| program.files.get(file).is_some()));
    }
    for constructor in &program.constructors {
        assert!((constructor.0 as usize) < program.functions.len());
    }
    for ty in &program.types.types {
        match &ty.shape {
            Shape::Struct(members) => {
                assert!(members.iter().all(|it| program.types.get(it.ty).is_some()));
            }
            Shape::Array { element, .. } => assert!(program.types.get(*element).is_some()),
            _ => {}
        }
    }
    for global in &program.globals {
        check_global(program, global);
    }
    for function in &program.functions {
        Checker { program, function }.check();
    }
}

fn check_global(program: &Program, global: &Global) {
    assert!((global.site.0 as usize) < program.sites.len());
    assert!(global.align > 0 && !global.name.is_empty() && !global.shown_name.is_empty());
    assert!(global.ty.is_none_or(|ty| program.types.get(ty).is_some()));
    let bytes = global.bytes.as_deref().unwrap_or_default();
    assert!(bytes.len() as u64 <= global.size, "{}", global.name);
    let mut end = 0;
    for relocation in &global.relocations {
        assert!(relocation.offset >= end);
        end = relocation.offset + u64::from(program.target.pointer_bytes);
        assert!(end <= global.size);
        assert!(matches!(relocation.target, Operand::Global(..) | Operand::Function(_)));
    }
}

struct Checker<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Checker<'_> {
    fn check(&self) {
        let function = self.function;
        let name = &function.name;
        assert!(!function.blocks.is_empty(), "{name}: no blocks");
        assert!(function.blocks[0].params.is_empty(), "{name}: entry with parameters");
        let params: Vec<_> = (0u32..).take(function.params.len()).map(Reg).collect();
        assert_eq!(function.params, params, "{name}");
        let mut assigned = vec![false; function.registers.len()];
        let mut assign = |reg: Reg| {
            let place = assigned.get_mut(reg.0 as usize);
            let place = place.unwrap_or_else(|| panic!("{name}: {reg:?} out of range"));
            assert!(!*place, "{name}: {reg:?} assigned twice");
            *place = true;
        };
        function.params.iter().for_each(|reg| assign(*reg));
        for block in &function.blocks {
            block.params.iter().for_each(|reg| assign(*reg));
            for instruction in &block.instructions {
                assert!((instruction.site.0 as usize) < self.program.sites.len());
                self.check_op(&instruction.op, &mut assign);
            }
            self.check_end(&block.end);
        }
        for ty in function.registers.iter().map(|it| it.ty) {
            assert!((1..=128).contains(&ty.bits(self.program.target)));
        }
        self.check_dominance();
    }

    /// Every use is reached by its definition: a simple forward analysis over all paths.
    fn check_dominance(&self) {
        let function = self.function;
        let count = function.blocks.len();
        let mut defined: Vec<Option<Vec<bool>>> = vec![None; count];
        let mut entry = vec![false; function.registers.len()];
        function.params.iter().for_each(|reg| entry[reg.0 as usize] = true);
        defined[0] = Some(entry);
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            let mut now = defined[at].clone().unwrap();
            let block = &function.blocks[at];
            block.params.iter().for_each(|reg| now[reg.0 as usize] = true);
            for instruction in &block.instructions {
                for operand in uses(&instruction.op) {
                    self.check_use(&now, operand);
                }
                defs(&instruction.op).iter().for_each(|reg| now[reg.0 as usize] = true);
            }
            end_uses(&block.end).into_iter().for_each(|operand| self.check_use(&now, operand));
            for edge in block.end.edges() {
                let next = edge.target.0 as usize;
                let merged = match &defined[next] {
                    None => now.clone(),
                    Some(old) => old.iter().zip(&now).map(|(a, b)| *a && *b).collect(),
                };
                if defined[next].as_ref() != Some(&merged) {
                    defined[next] = Some(merged);
                    work.push(next);
                }
            }
        }
    }

    fn check_use(&self, defined: &[bool], operand: Operand) {
        if let Operand::Reg(reg) = operand {
            assert!(defined[reg.0 as usize], "{}: {reg:?} used undefined", self.function.name);
        }
    }

    fn check_operand(&self, operand: Operand) {
        match operand {
            Operand::Reg(reg) => assert!((reg.0 as usize) < self.function.registers.len()),
            Operand::Global(id, _) => assert!((id.0 as usize) < self.program.globals.len()),
            Operand::Function(id) => assert!((id.0 as usize) < self.program.functions.len()),
            Operand::Int(_) | Operand::Undef => {}
        }
    }

    /// An operand where a type is known: constants fit it, registers have it.
    fn check_typed(&self, operand: Operand, ty: Type) {
        self.check_operand(operand);
        let bits = ty.bits(self.program.target);
        match operand {
            Operand::Reg(reg) => {
                assert_eq!(self.function.type_of(reg), ty, "{}: {reg:?}", self.function.name);
            }
            Operand::Int(value) if bits < 128 => assert!(value >> bits == 0, "{value:x} as {ty:?}"),
            Operand::Global(..) | Operand::Function(_) => {
                assert_eq!(bits, self.program.target.pointer_bits());
            }
            _ => {}
        }
    }

    fn check_end(&self, end: &Terminator) {
        for edge in end.edges() {
            let target = &self.function.blocks[edge.target.0 as usize];
            assert_eq!(edge.args.len(), target.params.len(), "{}", self.function.name);
            for (arg, param) in edge.args.iter().zip(&target.params) {
                self.check_typed(*arg, self.function.type_of(*param));
            }
        }
        match end {
            Terminator::Branch { condition, .. } => self.check_typed(*condition, Type::Int(1)),
            Terminator::Switch { value, width, cases, .. } => {
                self.check_typed(*value, Type::Int(*width));
                let mut values: Vec<_> = cases.iter().map(|(value, _)| *value).collect();
                values.sort_unstable();
                values.dedup();
                assert_eq!(values.len(), cases.len());
            }
            Terminator::Return(values) => {
                assert_eq!(values.len(), self.function.returns.len(), "{}", self.function.name);
                for (value, ty) in values.iter().zip(&self.function.returns) {
                    self.check_typed(*value, *ty);
                }
            }
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
    }

    fn check_op(&self, op: &Op, assign: &mut impl FnMut(Reg)) {
        defs(op).into_iter().for_each(&mut *assign);
        uses(op).into_iter().for_each(|operand| self.check_operand(operand));
        let pointer = Type::Int(self.program.target.pointer_bits());
        let is = |reg: Reg, ty: Type| assert_eq!(self.function.type_of(reg), ty, "{op:?}");
        match op {
            Op::Binary { dst, width, lhs, rhs, .. } => {
                is(*dst, Type::Int(*width));
                self.check_typed(*lhs, Type::Int(*width));
                self.check_typed(*rhs, Type::Int(*width));
            }
            Op::Compare { dst, ty, lhs, rhs, .. } => {
                assert!(matches!(ty, Type::Int(_) | Type::Ptr));
                is(*dst, Type::Int(1));
                self.check_typed(*lhs, *ty);
                self.check_typed(*rhs, *ty);
            }
            Op::Bits { dst, overflow, width, args, .. } => {
                is(*dst, Type::Int(*width));
                overflow.iter().for_each(|reg| is(*reg, Type::Int(1)));
                args.iter().for_each(|arg| self.check_typed(*arg, Type::Int(*width)));
            }
            Op::Cast { dst, op, from, to, value } => {
                is(*dst, *to);
                self.check_typed(*value, *from);
                match op {
                    CastOp::PtrToInt => assert_eq!((*from, *to), (Type::Ptr, pointer)),
                    CastOp::IntToPtr => assert_eq!((*from, *to), (pointer, Type::Ptr)),
                    CastOp::Bitcast => {
                        let target = self.program.target;
                        assert_eq!(from.bits(target), to.bits(target));
                    }
                    _ => {}
                }
            }
            Op::Select { dst, condition, then, otherwise } => {
                self.check_typed(*condition, Type::Int(1));
                self.check_typed(*then, self.function.type_of(*dst));
                self.check_typed(*otherwise, self.function.type_of(*dst));
            }
            Op::Copy { dst, value } => self.check_typed(*value, self.function.type_of(*dst)),
            Op::Float { dst, ty, args, .. } => {
                assert!(matches!(ty, Type::F32 | Type::F64));
                is(*dst, *ty);
                args.iter().for_each(|arg| self.check_typed(*arg, *ty));
            }
            Op::FloatCompare { dst, ty, lhs, rhs, .. } => {
                is(*dst, Type::Int(1));
                self.check_typed(*lhs, *ty);
                self.check_typed(*rhs, *ty);
            }
            Op::Offset { dst, base, terms, .. } => {
                is(*dst, Type::Ptr);
                self.check_typed(*base, Type::Ptr);
                terms.iter().for_each(|it| self.check_typed(it.index, Type::Int(it.width)));
            }
            Op::Alloca { dst, count, align, .. } => {
                is(*dst, Type::Ptr);
                assert!(*align > 0);
                self.check_typed(*count, pointer);
            }
            Op::Load { dst, ty, address, .. } => {
                is(*dst, *ty);
                self.check_typed(*address, Type::Ptr);
            }
            Op::Store { ty, address, value, .. } => {
                self.check_typed(*address, Type::Ptr);
                self.check_typed(*value, *ty);
            }
            Op::ReadModifyWrite { dst, ty, address, value, .. } => {
                is(*dst, *ty);
                self.check_typed(*address, Type::Ptr);
                self.check_typed(*value, *ty);
            }
            Op::CompareExchange { old, success, ty, address, expected, new, .. } => {
                is(*old, *ty);
                is(*success, Type::Int(1));
                self.check_typed(*address, Type::Ptr);
                self.check_typed(*expected, *ty);
                self.check_typed(*new, *ty);
            }
            Op::MemoryCopy { to, from, length, .. } => {
                self.check_typed(*to, Type::Ptr);
                self.check_typed(*from, Type::Ptr);
                self.check_typed(*length, pointer);
            }
            Op::MemorySet { to, byte, length } => {
                self.check_typed(*to, Type::Ptr);
                self.check_typed(*byte, Type::Int(8));
                self.check_typed(*length, pointer);
            }
            Op::Call { results, callee, args } => self.check_call(results, *callee, args),
            Op::CallIndirect { callee, args, .. } => {
                self.check_typed(*callee, Type::Ptr);
                args.iter().for_each(|(ty, arg)| self.check_typed(*arg, *ty));
            }
            Op::Library { args, .. } | Op::External { args, .. } => {
                args.iter().for_each(|(ty, arg)| self.check_typed(*arg, *ty));
            }
            Op::Variable { value, ty, .. } => self.check_typed(*value, *ty),
            Op::Fence { .. } | Op::Unsupported { .. } => {}
        }
    }

    fn check_call(&self, results: &[Reg], callee: FunctionId, args: &[Operand]) {
        let callee = &self.program.functions[callee.0 as usize];
        assert_eq!(results.len(), callee.returns.len(), "{}", callee.name);
        for (reg, ty) in results.iter().zip(&callee.returns) {
            assert_eq!(self.function.type_of(*reg), *ty);
        }
        assert!(args.len() >= callee.params.len(), "{}", callee.name);
        assert!(args.len() == callee.params.len() || callee.variadic, "{}", callee.name);
        for (arg, param) in args.iter().zip(&callee.params) {
            self.check_typed(*arg, callee.type_of(*param));
        }
    }
}

/// Registers that an instruction assigns.
fn defs(op: &Op) -> Vec<Reg> {
    match op {
        Op::Binary { dst, .. }
        | Op::Compare { dst, .. }
        | Op::Cast { dst, .. }
        | Op::Select { dst, .. }
        | Op::Copy { dst, .. }
        | Op::Float { dst, .. }
        | Op::FloatCompare { dst, .. }
        | Op::Offset { dst, .. }
        | Op::Alloca { dst, .. }
        | Op::Load { dst, .. }
        | Op::ReadModifyWrite { dst, .. } => vec![*dst],
        Op::Bits { dst, overflow, .. } => [*dst].into_iter().chain(*overflow).collect(),
        Op::CompareExchange { old, success, .. } => vec![*old, *success],
        Op::Call { results, .. }
        | Op::CallIndirect { results, .. }
        | Op::External { results, .. }
        | Op::Unsupported { results, .. } => results.clone(),
        Op::Library { result, .. } => result.iter().copied().collect(),
        Op::Store { .. }
        | Op::Fence { .. }
        | Op::MemoryCopy { .. }
        | Op::MemorySet { .. }
        | Op::Variable { .. } => Vec::new(),
    }
}

/// Operands of an instruction.
fn uses(op: &Op) -> Vec<Operand> {
    match op {
        Op::Binary { lhs, rhs, .. }
        | Op::Compare { lhs, rhs, .. }
        | Op::FloatCompare { lhs, rhs, .. } => vec![*lhs, *rhs],
        Op::Bits { args, .. } | Op::Float { args, .. } | Op::Call { args, .. } => args.clone(),
        Op::Cast { value, .. } | Op::Copy { value, .. } | Op::Variable { value, .. } => {
            vec![*value]
        }
        Op::Select { condition, then, otherwise, .. } => vec![*condition, *then, *otherwise],
        Op::Offset { base, terms, .. } => {
            [*base].into_iter().chain(terms.iter().map(|term| term.index)).collect()
        }
        Op::Alloca { count, .. } => vec![*count],
        Op::Load { address, .. } => vec![*address],
        Op::Store { address, value, .. } | Op::ReadModifyWrite { address, value, .. } => {
            vec![*address, *value]
        }
        Op::CompareExchange { address, expected, new, .. } => vec![*address, *expected, *new],
        Op::MemoryCopy { to, from, length, .. } => vec![*to, *from, *length],
        Op::MemorySet { to, byte, length } => vec![*to, *byte, *length],
        Op::CallIndirect { callee, args, .. } => {
            [*callee].into_iter().chain(args.iter().map(|(_, arg)| *arg)).collect()
        }
        Op::Library { args, .. } | Op::External { args, .. } => {
            args.iter().map(|(_, arg)| *arg).collect()
        }
        Op::Fence { .. } | Op::Unsupported { .. } => Vec::new(),
    }
}

fn end_uses(end: &Terminator) -> Vec<Operand> {
    let mut operands: Vec<_> = end.edges().flat_map(|edge| edge.args.clone()).collect();
    match end {
        Terminator::Branch { condition, .. } => operands.push(*condition),
        Terminator::Switch { value, .. } => operands.push(*value),
        Terminator::Return(values) => operands.extend(values),
        Terminator::Jump(_) | Terminator::Unreachable => {}
    }
    operands
}
