//! Rules about types.
//!
//! Results have exactly the type their instruction gives them. Operands need only have the right
//! width: an address is as good as an integer of its width, since both are bits.

use std::collections::BTreeSet;

use super::Broken;
use crate::ir::{
    BitsOp, CastOp, Edge, FloatOp, Function, Instruction, Op, Operand, Program, Reg, Target,
    Terminator, Type,
};

/// The ids of `function` must be in range.
pub(super) fn check(program: &Program, function: &Function, broken: &mut Broken) {
    for register in &function.registers {
        broken.ty(register.ty);
    }
    for &ty in &function.returns {
        broken.ty(ty);
    }
    let mut typing = Typing { program, function, broken };
    for block in &function.blocks {
        for Instruction { op, .. } in &block.instructions {
            typing.results(op);
            typing.operands(op);
            typing.form(op);
        }
        typing.terminator(&block.end);
    }
}

struct Typing<'a> {
    program: &'a Program,
    function: &'a Function,
    broken: &'a mut Broken,
}

impl Typing<'_> {
    fn results(&mut self, op: &Op) {
        let types = match op {
            Op::Call { callee, .. } => {
                self.program.function(*callee).returns.iter().copied().map(Some).collect()
            }
            _ => op.result_types(),
        };
        for (reg, wants) in op.defines().into_iter().zip(types) {
            let has = self.function.type_of(reg);
            if let Some(wants) = wants {
                self.broken.ty(wants);
                self.broken.require(has == wants, || {
                    format!("register %{} has type {has}, not {wants}", reg.0)
                });
            }
        }
    }

    fn operands(&mut self, op: &Op) {
        for (operand, ty) in self.operand_types(op) {
            self.broken.ty(ty);
            self.operand(operand, ty);
        }
    }

    /// Checks that an operand has the width of a type.
    fn operand(&mut self, operand: Operand, ty: Type) {
        let target = self.program.target;
        let width = ty.bits(target);
        match operand {
            Operand::Reg(reg) => {
                let has = self.function.type_of(reg);
                self.broken.require(has.bits(target) == width, || {
                    format!("register %{} of type {has} is used as {ty}", reg.0)
                });
            }
            Operand::Int(value) => {
                self.broken.require(fits(value, width), || format!("{value} is too wide for {ty}"));
            }
            Operand::Global(..) | Operand::Function(_) | Operand::Undef => {}
        }
    }

    /// What an instruction expects its operands to be, as far as it says.
    fn operand_types(&self, op: &Op) -> Vec<(Operand, Type)> {
        let all = |args: &[Operand], ty| args.iter().map(|&arg| (arg, ty)).collect();
        match op {
            Op::Binary { width, lhs, rhs, .. } => all(&[*lhs, *rhs], Type::Int(*width)),
            Op::Bits { width, args, .. } => all(args, Type::Int(*width)),
            Op::Compare { ty, lhs, rhs, .. } | Op::FloatCompare { ty, lhs, rhs, .. } => {
                all(&[*lhs, *rhs], *ty)
            }
            Op::Float { ty, args, .. } => all(args, *ty),
            Op::Cast { from, value, .. } => vec![(*value, *from)],
            Op::Variable { value, ty, .. } => vec![(*value, *ty)],
            Op::Copy { dst, value } => vec![(*value, self.function.type_of(*dst))],
            Op::Select { dst, condition, then, otherwise } => {
                let ty = self.function.type_of(*dst);
                vec![(*condition, Type::Int(1)), (*then, ty), (*otherwise, ty)]
            }
            Op::Offset { base, terms, .. } => {
                let indices = terms.iter().map(|term| (term.index, Type::Int(term.width)));
                std::iter::once((*base, Type::Ptr)).chain(indices).collect()
            }
            Op::Call { callee, args, .. } => {
                let callee = self.program.function(*callee);
                let types = callee.params.iter().filter_map(|&reg| register_type(callee, reg));
                args.iter().copied().zip(types).collect()
            }
            Op::Library { args, .. } | Op::External { args, .. } => {
                args.iter().map(|&(ty, arg)| (arg, ty)).collect()
            }
            Op::CallIndirect { callee, args, .. } => {
                let args = args.iter().map(|&(ty, arg)| (arg, ty));
                std::iter::once((*callee, Type::Ptr)).chain(args).collect()
            }
            _ => memory_operand_types(op),
        }
    }

    /// Rules about the form of an instruction that are not about a single value.
    fn form(&mut self, op: &Op) {
        match op {
            Op::Bits { op, overflow, args, .. } => {
                self.arity(args.len(), bits_arity(*op));
                self.broken.require(overflow.is_some() == has_overflow(*op), || {
                    "an overflow flag where there is none, or none where there is one".to_owned()
                });
            }
            Op::Float { op, ty, args, .. } => {
                self.arity(args.len(), float_arity(*op));
                self.is_float(*ty);
            }
            Op::FloatCompare { ty, .. } => self.is_float(*ty),
            Op::Compare { ty, .. } => self.broken.require(!is_float(*ty), || {
                "an integer comparison of floating point numbers".to_owned()
            }),
            Op::Cast { op, from, to, .. } => {
                let fits = cast_fits(*op, *from, *to, self.program.target);
                self.broken.require(fits, || format!("a cast from {from} to {to} of another kind"));
            }
            Op::Alloca { align, .. } => self.broken.align(*align),
            _ => {}
        }
    }

    fn arity(&mut self, has: usize, wants: usize) {
        self.broken.require(has == wants, || format!("{has} operands, not {wants}"));
    }

    fn is_float(&mut self, ty: Type) {
        self.broken.require(is_float(ty), || format!("floating point arithmetic on {ty}"));
    }

    fn terminator(&mut self, end: &Terminator) {
        match end {
            Terminator::Branch { condition, .. } => self.operand(*condition, Type::Int(1)),
            Terminator::Switch { value, width, cases, .. } => {
                self.broken.width(*width);
                self.operand(*value, Type::Int(*width));
                self.cases(*width, cases);
            }
            Terminator::Return(values) => {
                for (&value, &ty) in values.iter().zip(&self.function.returns) {
                    self.operand(value, ty);
                }
            }
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        for edge in end.edges() {
            for (&arg, &param) in edge.args.iter().zip(&self.function.block(edge.target).params) {
                self.operand(arg, self.function.type_of(param));
            }
        }
    }

    fn cases(&mut self, width: u16, cases: &[(u128, Edge)]) {
        let mut seen = BTreeSet::new();
        for &(value, _) in cases {
            self.broken.require(fits(value, width), || format!("case {value} is too wide"));
            self.broken.require(seen.insert(value), || format!("case {value} occurs twice"));
        }
    }
}

/// The part of [`Typing::operand_types`] about memory.
fn memory_operand_types(op: &Op) -> Vec<(Operand, Type)> {
    let at = |address: &Operand| (*address, Type::Ptr);
    match op {
        Op::Load { address, .. } | Op::EndLocal { address } => vec![at(address)],
        Op::Store { ty, address, value, .. } | Op::ReadModifyWrite { ty, address, value, .. } => {
            vec![at(address), (*value, *ty)]
        }
        Op::CompareExchange { ty, address, expected, new, .. } => {
            vec![at(address), (*expected, *ty), (*new, *ty)]
        }
        // A length has the width of a pointer.
        Op::MemoryCopy { to, from, length, .. } => vec![at(to), at(from), at(length)],
        Op::MemorySet { to, byte, length, .. } => vec![at(to), (*byte, Type::Int(8)), at(length)],
        _ => Vec::new(),
    }
}

/// Type of a register of another function, whose ids may not have been checked yet.
fn register_type(function: &Function, reg: Reg) -> Option<Type> {
    function.registers.get(reg.0 as usize).map(|register| register.ty)
}

fn fits(value: u128, width: u16) -> bool {
    value.checked_shr(u32::from(width)).unwrap_or(0) == 0
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

fn is_int(ty: Type) -> bool {
    matches!(ty, Type::Int(_))
}

fn cast_fits(op: CastOp, from: Type, to: Type, target: Target) -> bool {
    let (before, after) = (from.bits(target), to.bits(target));
    match op {
        CastOp::Truncate => is_int(from) && is_int(to) && after <= before,
        CastOp::ZeroExtend | CastOp::SignExtend => is_int(from) && is_int(to) && before <= after,
        CastOp::PtrToInt => from == Type::Ptr && is_int(to),
        CastOp::IntToPtr => is_int(from) && to == Type::Ptr,
        CastOp::Bitcast => before == after,
        CastOp::FloatToSigned | CastOp::FloatToUnsigned => is_float(from) && is_int(to),
        CastOp::SignedToFloat | CastOp::UnsignedToFloat => is_int(from) && is_float(to),
        CastOp::FloatToFloat => is_float(from) && is_float(to),
    }
}

fn has_overflow(op: BitsOp) -> bool {
    matches!(
        op,
        BitsOp::SAddOverflow
            | BitsOp::UAddOverflow
            | BitsOp::SSubOverflow
            | BitsOp::USubOverflow
            | BitsOp::SMulOverflow
            | BitsOp::UMulOverflow
    )
}

fn bits_arity(op: BitsOp) -> usize {
    match op {
        BitsOp::PopCount
        | BitsOp::LeadingZeros
        | BitsOp::TrailingZeros
        | BitsOp::ByteSwap
        | BitsOp::BitReverse
        | BitsOp::Abs => 1,
        BitsOp::FunnelShiftLeft | BitsOp::FunnelShiftRight => 3,
        _ => 2,
    }
}

fn float_arity(op: FloatOp) -> usize {
    match op {
        FloatOp::Add
        | FloatOp::Sub
        | FloatOp::Mul
        | FloatOp::Div
        | FloatOp::Rem
        | FloatOp::Min
        | FloatOp::Max
        | FloatOp::CopySign => 2,
        FloatOp::MulAdd => 3,
        _ => 1,
    }
}
