//! Random programs for tests: every variant, odd names, extreme numbers, ids out of range.

use super::words::Words;
use crate::ir::*;
use crate::library::Primitive;
use crate::names::{DebugType, Member, Shape, TypeId, Types};
use unravel_kinds::Untranslated;
use unravel_span::{FileId, Files, Span};

/// The program of a seed.
pub(super) fn program(seed: u64) -> Program {
    let mut random = Random(seed);
    let mut files = Files::new();
    for _ in 0..random.below(4) {
        files.intern(&random.name());
    }
    Program {
        target: Target { pointer_bytes: random.pick(&[4, 8, 0, 255]) },
        files,
        types: Types { types: random.list(Random::debug_type) },
        sites: random.list(Random::site_entry),
        globals: random.list(Random::global),
        functions: random.list(Random::function),
        constructors: random.list(|random| FunctionId(random.id())),
        main: FunctionId(random.id()),
        arguments: random.list(Random::operand),
        unsupported: random
            .list(|random| Unsupported { site: SiteId(random.id()), what: random.untranslated() }),
    }
}

/// Names that a careless printer or lexer trips over; some twice.
const NAMES: &[&str] = &[
    "x",
    "x",
    "main",
    "next.count",
    "",
    "a b",
    "\"",
    "\\",
    "\\n",
    "\n\t\r\0",
    "é日本\u{2028}",
    "1x",
    "#0",
    "@x#1",
    "...",
    "bb0",
    "function",
    "global",
    ";",
    "\u{7f}\u{85}",
    "$s",
    "-",
    "x+1",
];

const LIBRARY: &[&str] =
    &["pthread_create", "pthread_mutex_lock", "malloc", "printf", "__VERIFIER_nondet_"];

/// A splitmix64 generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    fn unit(&mut self) -> u8 {
        self.pick(&[1, 2, 4, crate::WORD])
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn word<T: Words>(&mut self) -> T {
        self.pick(T::ALL).0
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(5)).map(|_| item(self)).collect()
    }

    fn maybe<T>(&mut self, item: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flip() { Some(item(self)) } else { None }
    }

    fn id(&mut self) -> u32 {
        if self.below(40) == 0 { u32::MAX } else { self.below(5) as u32 }
    }

    fn size(&mut self) -> u64 {
        let random = self.next();
        self.pick(&[0, 1, 4, 8, u64::MAX, random])
    }

    fn signed(&mut self) -> i64 {
        let random = self.next().cast_signed();
        self.pick(&[0, 1, -1, 8, i64::MIN, i64::MAX, random])
    }

    fn name(&mut self) -> String {
        self.pick(NAMES).to_owned()
    }

    fn untranslated(&mut self) -> Untranslated {
        match self.below(3) {
            0 => Untranslated::MissingVariable(self.name()),
            1 => Untranslated::OwnFunction(self.name()),
            _ => Untranslated::Construct(self.name()),
        }
    }

    fn bits(&mut self) -> u128 {
        let shift = self.below(128) as u32;
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let edges = [0, 1, u128::MAX, 1 << shift, (1 << shift) - 1, any, any >> shift];
        self.pick(&edges)
    }

    fn width(&mut self) -> u16 {
        self.pick(&[1, 8, 16, 31, 32, 64, 127, 128, 0, 129, u16::MAX])
    }

    fn ty(&mut self) -> Type {
        let width = self.width();
        self.pick(&[Type::Int(width), Type::Int(width), Type::Ptr, Type::F32, Type::F64])
    }

    fn reg(&mut self) -> Reg {
        Reg(self.id())
    }

    fn regs(&mut self) -> Vec<Reg> {
        self.list(Random::reg)
    }

    fn operand(&mut self) -> Operand {
        match self.below(6) {
            0 => Operand::Reg(self.reg()),
            1 | 2 => Operand::Int(self.bits()),
            3 => Operand::Global(GlobalId(self.id()), self.signed()),
            4 => Operand::Function(FunctionId(self.id())),
            _ => Operand::Undef,
        }
    }

    fn args(&mut self) -> Vec<(Type, Operand)> {
        self.list(|random| (random.ty(), random.operand()))
    }

    fn debug_type(&mut self) -> DebugType {
        let shape = match self.below(9) {
            0 => Shape::Signed,
            1 => Shape::Unsigned,
            2 => Shape::Bool,
            3 => Shape::Char,
            4 => Shape::Float,
            5 => Shape::Pointer,
            6 => Shape::Struct(self.list(|random| Member {
                name: random.name(),
                offset: random.size(),
                ty: TypeId(random.id()),
            })),
            7 => Shape::Array { element: TypeId(self.id()), length: self.size() },
            _ => Shape::Opaque,
        };
        DebugType { name: self.name(), size: self.size(), shape }
    }

    fn site_entry(&mut self) -> Site {
        Site {
            span: self.maybe(|random| Span::new(FileId(random.id()), random.id(), random.id())),
            function: self.name(),
            inlined_at: self.maybe(|random| SiteId(random.id())),
            hook: self.maybe(Self::size),
        }
    }

    fn global(&mut self) -> Global {
        let name = self.name();
        Global {
            shown_name: if self.flip() { name.clone() } else { self.name() },
            name,
            ty: self.maybe(|random| TypeId(random.id())),
            site: SiteId(self.id()),
            size: self.size(),
            align: self.size(),
            constant: self.flip(),
            thread_local: self.flip(),
            bytes: self.maybe(|random| random.list(|random| random.next() as u8)),
            relocations: self
                .list(|random| Relocation { offset: random.size(), target: random.operand() }),
        }
    }

    fn function(&mut self) -> Function {
        Function {
            name: self.name(),
            site: SiteId(self.id()),
            params: self.regs(),
            returns: self.list(Random::ty),
            variadic: self.flip(),
            atomic: self.flip(),
            library: self.flip(),
            wrapper: self.flip(),
            registers: self.list(|random| Register { ty: random.ty() }),
            blocks: self.list(Random::block),
        }
    }

    fn block(&mut self) -> Block {
        let count = self.below(12);
        let instruction =
            |random: &mut Self| Instruction { site: SiteId(random.id()), op: random.op() };
        Block {
            params: self.regs(),
            instructions: (0..count).map(|_| instruction(self)).collect(),
            end_site: SiteId(self.id()),
            end: self.terminator(),
        }
    }

    fn edge(&mut self) -> Edge {
        Edge { target: BlockId(self.id()), args: self.list(Random::operand) }
    }

    fn terminator(&mut self) -> Terminator {
        match self.below(5) {
            0 => Terminator::Jump(self.edge()),
            1 => Terminator::Branch {
                condition: self.operand(),
                then: self.edge(),
                otherwise: self.edge(),
            },
            2 => Terminator::Switch {
                value: self.operand(),
                width: self.width(),
                cases: self.list(|random| (random.bits(), random.edge())),
                default: self.edge(),
            },
            3 => Terminator::Return(self.list(Random::operand)),
            _ => Terminator::Unreachable,
        }
    }

    fn op(&mut self) -> Op {
        match self.below(3) {
            0 => self.arithmetic(),
            1 => self.memory(),
            _ => self.call(),
        }
    }

    fn arithmetic(&mut self) -> Op {
        let (dst, op_width, ty) = (self.reg(), self.width(), self.ty());
        let (lhs, rhs) = (self.operand(), self.operand());
        let (args, width) = (self.list(Random::operand), op_width);
        match self.below(9) {
            0 => {
                let no_signed_wrap = self.flip();
                Op::Binary { dst, op: self.word(), width, lhs, rhs, no_signed_wrap }
            }
            1 => Op::Compare { dst, op: self.word(), ty, lhs, rhs },
            2 => Op::Bits { dst, overflow: self.maybe(Random::reg), op: self.word(), width, args },
            3 => Op::Cast { dst, op: self.word(), from: ty, to: self.ty(), value: lhs },
            4 => Op::Select { dst, condition: self.operand(), then: lhs, otherwise: rhs },
            5 => Op::Copy { dst, value: lhs },
            6 => Op::Float { dst, op: self.word(), ty, args },
            7 => Op::FloatCompare { dst, op: self.word(), ty, lhs, rhs },
            _ => Op::Offset {
                dst,
                base: lhs,
                constant: self.signed(),
                terms: self.list(|random| OffsetTerm {
                    index: random.operand(),
                    width: random.width(),
                    scale: random.signed(),
                }),
            },
        }
    }

    fn memory(&mut self) -> Op {
        let (dst, ty, address, value) = (self.reg(), self.ty(), self.operand(), self.operand());
        let (length, ordering) = (self.operand(), self.word());
        let access = self.pick(&[Access::Plain, Access::Volatile, Access::Atomic(ordering)]);
        match self.below(9) {
            0 => Op::Alloca {
                dst,
                size: self.size(),
                count: length,
                align: self.size(),
                name: self.maybe(Random::name),
                ty: self.maybe(|random| TypeId(random.id())),
            },
            1 => Op::Load { dst, ty, address, access },
            2 => Op::Store { ty, address, value, access },
            3 => Op::ReadModifyWrite { dst, op: self.word(), ty, address, value, ordering },
            4 => Op::CompareExchange {
                old: dst,
                success: self.reg(),
                ty,
                address,
                expected: value,
                new: length,
                weak: self.flip(),
                on_success: ordering,
                on_failure: self.word(),
            },
            5 => Op::Fence { ordering },
            6 => {
                let (may_overlap, unit) = (self.flip(), self.unit());
                Op::MemoryCopy { to: address, from: value, length, may_overlap, unit }
            }
            7 => Op::EndLocal { address },
            _ => Op::MemorySet { to: address, byte: value, length, unit: self.unit() },
        }
    }

    fn call(&mut self) -> Op {
        let (results, name, args) = (self.regs(), self.name(), self.args());
        match self.below(6) {
            0 => {
                let callee = FunctionId(self.id());
                Op::Call { results, callee, args: self.list(Random::operand) }
            }
            1 => Op::CallIndirect { results, callee: self.operand(), args },
            2 => {
                let primitive = Primitive::named(self.pick(LIBRARY)).expect("a modelled function");
                Op::Library { result: results.first().copied(), primitive, args }
            }
            3 => Op::External { results, name, args },
            4 => Op::Variable { name, value: self.operand(), ty: self.ty() },
            _ => Op::Unsupported { results, what: self.untranslated() },
        }
    }
}
