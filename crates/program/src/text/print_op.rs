//! Instructions to text.

use super::lexer::quote;
use super::print::{Printer, name_text, register, untranslated};
use super::words::Words;
use crate::WORD;
use crate::ir::{Access, Function, OffsetTerm, Op, Operand, Reg, Type};

impl Printer<'_> {
    /// An instruction with the registers it assigns, without its place.
    pub fn instruction(&self, function: &Function, op: &Op) -> String {
        let implied = op.result_types();
        let results: Vec<_> = op
            .defines()
            .into_iter()
            .zip(implied)
            .map(|(reg, implied)| result(function, reg, implied))
            .collect();
        let text = self.op(function, op);
        if results.is_empty() { text } else { format!("{} = {text}", results.join(", ")) }
    }

    fn op(&self, function: &Function, op: &Op) -> String {
        match op {
            Op::Select { dst, condition, then, otherwise } => {
                let ty = type_of(function, *dst);
                let condition = self.operand(*condition, Some(Type::Int(1)));
                format!("select {condition}, {}", self.operands(&[*then, *otherwise], ty))
            }
            Op::Copy { dst, value } => {
                format!("copy {}", self.operand(*value, type_of(function, *dst)))
            }
            Op::Call { callee, args, .. } => {
                format!("call @{}({})", self.function_name(*callee), self.operands(args, None))
            }
            Op::CallIndirect { callee, args, .. } => {
                let callee = self.operand(*callee, Some(Type::Ptr));
                format!("call_indirect {callee}({})", self.arguments(args))
            }
            Op::Library { primitive, args, .. } => {
                format!("library {}({})", name_text(primitive.name()), self.arguments(args))
            }
            Op::External { name, args, .. } => {
                format!("external {}({})", name_text(name), self.arguments(args))
            }
            Op::Variable { name, value, ty } => {
                format!("variable {} = {ty} {}", quote(name), self.operand(*value, Some(*ty)))
            }
            Op::Unsupported { what, .. } => format!("unsupported {}", untranslated(what)),
            Op::Offset { base, constant, terms, .. } => {
                let terms: String = terms.iter().map(|term| self.term(*term)).collect();
                format!("offset {}, {constant}{terms}", self.operand(*base, Some(Type::Ptr)))
            }
            _ => self.arithmetic(op).unwrap_or_else(|| self.memory(op)),
        }
    }

    fn arithmetic(&self, op: &Op) -> Option<String> {
        let text = match op {
            Op::Binary { op, width, lhs, rhs, no_signed_wrap, .. } => {
                let nsw = if *no_signed_wrap { " nsw" } else { "" };
                let operands = self.typed(&[*lhs, *rhs], Type::Int(*width));
                format!("{}{nsw} {operands}", op.word())
            }
            Op::Compare { op, ty, lhs, rhs, .. } => {
                format!("compare {} {}", op.word(), self.typed(&[*lhs, *rhs], *ty))
            }
            Op::FloatCompare { op, ty, lhs, rhs, .. } => {
                format!("fcompare {} {}", op.word(), self.typed(&[*lhs, *rhs], *ty))
            }
            Op::Bits { op, width, args, .. } => {
                format!("{} {}", op.word(), self.typed(args, Type::Int(*width)))
            }
            Op::Float { op, ty, args, .. } => format!("{} {}", op.word(), self.typed(args, *ty)),
            Op::Cast { op, from, to, value, .. } => {
                format!("{} {} to {to}", op.word(), self.typed(&[*value], *from))
            }
            _ => return None,
        };
        Some(text)
    }

    fn memory(&self, op: &Op) -> String {
        let at = |address: &Operand| self.operand(*address, Some(Type::Ptr));
        match op {
            Op::Alloca { .. } => self.alloca(op),
            Op::Load { ty, address, access, .. } => {
                format!("load{} {ty} {}", access_text(*access), at(address))
            }
            Op::Store { ty, address, value, access } => {
                let value = self.typed(&[*value], *ty);
                format!("store{} {value}, {}", access_text(*access), at(address))
            }
            Op::ReadModifyWrite { op, ty, address, value, ordering, .. } => {
                let value = self.operand(*value, Some(*ty));
                format!("rmw {} {} {ty} {}, {value}", op.word(), ordering.word(), at(address))
            }
            Op::CompareExchange {
                ty,
                address,
                expected,
                new,
                weak,
                on_success,
                on_failure,
                ..
            } => {
                let weak = if *weak { " weak" } else { "" };
                let orderings = format!("{} {}", on_success.word(), on_failure.word());
                let values = self.operands(&[*expected, *new], Some(*ty));
                format!("cmpxchg{weak} {orderings} {ty} {}, {values}", at(address))
            }
            Op::EndLocal { address } => format!("endlocal {}", at(address)),
            Op::Fence { ordering } => format!("fence {}", ordering.word()),
            Op::MemoryCopy { to, from, length, may_overlap, unit } => {
                let word = if *may_overlap { "memmove" } else { "memcpy" };
                let (length, by) = (self.operand(*length, None), by(*unit));
                format!("{word} {}, {}, {length}{by}", at(to), at(from))
            }
            Op::MemorySet { to, byte, length, unit } => {
                let values = self.operands(&[*byte, *length], None);
                format!("memset {}, {values}{}", at(to), by(*unit))
            }
            // All others are printed by `op` and `arithmetic`.
            _ => String::new(),
        }
    }

    fn alloca(&self, op: &Op) -> String {
        let Op::Alloca { size, count, align, name, ty, .. } = op else { return String::new() };
        let count = match count {
            Operand::Int(1) => String::new(),
            _ => format!(" count {}", self.operand(*count, None)),
        };
        let name = name.as_ref().map(|name| format!(" {}", quote(name))).unwrap_or_default();
        let ty = ty.map(|ty| format!(" type {}", ty.0)).unwrap_or_default();
        format!("alloca {size}{count} align {align}{name}{ty}")
    }

    fn term(&self, term: OffsetTerm) -> String {
        let index = self.typed(&[term.index], Type::Int(term.width));
        format!(", {index} * {}", term.scale)
    }

    fn operands(&self, operands: &[Operand], ty: Option<Type>) -> String {
        let texts: Vec<_> = operands.iter().map(|&operand| self.operand(operand, ty)).collect();
        texts.join(", ")
    }

    /// Operands of one type, after that type.
    fn typed(&self, operands: &[Operand], ty: Type) -> String {
        format!("{ty} {}", self.operands(operands, Some(ty))).trim_end().to_owned()
    }

    /// Arguments, each after its type.
    fn arguments(&self, args: &[(Type, Operand)]) -> String {
        let texts: Vec<_> = args.iter().map(|&(ty, arg)| self.typed(&[arg], ty)).collect();
        texts.join(", ")
    }
}

/// An assigned register, with its type unless the instruction implies it.
fn result(function: &Function, reg: Reg, implied: Option<Type>) -> String {
    let ty = type_of(function, reg);
    if ty.is_some() && ty == implied { format!("%{}", reg.0) } else { register(function, reg) }
}

fn type_of(function: &Function, reg: Reg) -> Option<Type> {
    function.registers.get(reg.0 as usize).map(|register| register.ty)
}

fn access_text(access: Access) -> String {
    match access {
        Access::Plain => String::new(),
        Access::Volatile => " volatile".to_owned(),
        Access::Atomic(ordering) => format!(" atomic {}", ordering.word()),
    }
}

/// ` by 4`; nothing for words.
fn by(unit: u8) -> String {
    if unit == WORD { String::new() } else { format!(" by {unit}") }
}
