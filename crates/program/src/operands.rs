//! Which values an instruction reads and which registers it assigns.

use crate::ir::{Edge, Op, Operand, Reg, Terminator, Type};

impl Operand {
    /// The register, if it is one.
    #[must_use]
    pub fn register(self) -> Option<Reg> {
        match self {
            Operand::Reg(reg) => Some(reg),
            _ => None,
        }
    }
}

impl Op {
    /// All operands it reads, in the order of its fields.
    ///
    /// Empty for [`Op::Variable`], which only tells reports what a value is called: a program
    /// means the same without it.
    #[must_use]
    pub fn uses(&self) -> Vec<Operand> {
        match self {
            Op::Binary { lhs, rhs, .. }
            | Op::Compare { lhs, rhs, .. }
            | Op::FloatCompare { lhs, rhs, .. } => vec![*lhs, *rhs],
            Op::Bits { args, .. } | Op::Float { args, .. } | Op::Call { args, .. } => args.clone(),
            Op::Cast { value, .. } | Op::Copy { value, .. } => vec![*value],
            Op::Select { condition, then, otherwise, .. } => vec![*condition, *then, *otherwise],
            Op::Offset { base, terms, .. } => {
                std::iter::once(*base).chain(terms.iter().map(|term| term.index)).collect()
            }
            Op::Alloca { count, .. } => vec![*count],
            Op::Load { address, .. } | Op::EndLocal { address } => vec![*address],
            Op::Store { address, value, .. } | Op::ReadModifyWrite { address, value, .. } => {
                vec![*address, *value]
            }
            Op::CompareExchange { address, expected, new, .. } => vec![*address, *expected, *new],
            Op::MemoryCopy { to, from, length, .. } => vec![*to, *from, *length],
            Op::MemorySet { to, byte, length, .. } => vec![*to, *byte, *length],
            Op::CallIndirect { callee, args, .. } => {
                std::iter::once(*callee).chain(args.iter().map(|(_, arg)| *arg)).collect()
            }
            Op::Library { args, .. } | Op::External { args, .. } => {
                args.iter().map(|(_, arg)| *arg).collect()
            }
            Op::Fence { .. } | Op::Variable { .. } | Op::Unsupported { .. } => Vec::new(),
        }
    }

    /// All operands, [`Op::Variable`]'s included, to change them.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Op::Binary { lhs, rhs, .. }
            | Op::Compare { lhs, rhs, .. }
            | Op::FloatCompare { lhs, rhs, .. } => vec![lhs, rhs],
            Op::Bits { args, .. } | Op::Float { args, .. } | Op::Call { args, .. } => {
                args.iter_mut().collect()
            }
            Op::Cast { value, .. } | Op::Copy { value, .. } | Op::Variable { value, .. } => {
                vec![value]
            }
            Op::Select { condition, then, otherwise, .. } => vec![condition, then, otherwise],
            Op::Offset { base, terms, .. } => {
                std::iter::once(base).chain(terms.iter_mut().map(|term| &mut term.index)).collect()
            }
            Op::Alloca { count, .. } => vec![count],
            Op::Load { address, .. } | Op::EndLocal { address } => vec![address],
            Op::Store { address, value, .. } | Op::ReadModifyWrite { address, value, .. } => {
                vec![address, value]
            }
            Op::CompareExchange { address, expected, new, .. } => vec![address, expected, new],
            Op::MemoryCopy { to, from, length, .. } => vec![to, from, length],
            Op::MemorySet { to, byte, length, .. } => vec![to, byte, length],
            Op::CallIndirect { callee, args, .. } => {
                std::iter::once(callee).chain(args.iter_mut().map(|(_, arg)| arg)).collect()
            }
            Op::Library { args, .. } | Op::External { args, .. } => {
                args.iter_mut().map(|(_, arg)| arg).collect()
            }
            Op::Fence { .. } | Op::Unsupported { .. } => Vec::new(),
        }
    }

    /// All registers it assigns, in the order of its fields.
    #[must_use]
    pub fn defines(&self) -> Vec<Reg> {
        match self {
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
            Op::Bits { dst, overflow, .. } => std::iter::once(*dst).chain(*overflow).collect(),
            Op::CompareExchange { old, success, .. } => vec![*old, *success],
            Op::Call { results, .. }
            | Op::CallIndirect { results, .. }
            | Op::External { results, .. }
            | Op::Unsupported { results, .. } => results.clone(),
            Op::Library { result, .. } => result.iter().copied().collect(),
            Op::Store { .. }
            | Op::EndLocal { .. }
            | Op::Fence { .. }
            | Op::MemoryCopy { .. }
            | Op::MemorySet { .. }
            | Op::Variable { .. } => Vec::new(),
        }
    }

    /// Types of the registers of [`Self::defines`], in the same order; `None` where the
    /// instruction alone does not say.
    #[must_use]
    pub fn result_types(&self) -> Vec<Option<Type>> {
        match self {
            Op::Binary { width, .. } => vec![Some(Type::Int(*width))],
            Op::Bits { width, .. } => {
                let types = [Some(Type::Int(*width)), Some(Type::Int(1))];
                types.into_iter().take(self.defines().len()).collect()
            }
            Op::Compare { .. } | Op::FloatCompare { .. } => vec![Some(Type::Int(1))],
            Op::Cast { to, .. } => vec![Some(*to)],
            Op::Float { ty, .. } | Op::Load { ty, .. } | Op::ReadModifyWrite { ty, .. } => {
                vec![Some(*ty)]
            }
            Op::Offset { .. } | Op::Alloca { .. } => vec![Some(Type::Ptr)],
            Op::CompareExchange { ty, .. } => vec![Some(*ty), Some(Type::Int(1))],
            _ => vec![None; self.defines().len()],
        }
    }
}

impl Terminator {
    /// All operands, to change them.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Terminator::Jump(edge) => edge.args.iter_mut().collect(),
            Terminator::Branch { condition, then, otherwise } => {
                let edges = then.args.iter_mut().chain(&mut otherwise.args);
                std::iter::once(condition).chain(edges).collect()
            }
            Terminator::Switch { value, cases, default, .. } => {
                let edges = cases.iter_mut().flat_map(|(_, edge)| &mut edge.args);
                std::iter::once(value).chain(edges).chain(&mut default.args).collect()
            }
            Terminator::Return(values) => values.iter_mut().collect(),
            Terminator::Unreachable => Vec::new(),
        }
    }

    /// All operands it reads, the arguments of its edges included.
    #[must_use]
    pub fn uses(&self) -> Vec<Operand> {
        let mut uses = match self {
            Terminator::Branch { condition, .. } => vec![*condition],
            Terminator::Switch { value, .. } => vec![*value],
            Terminator::Return(values) => values.clone(),
            Terminator::Jump(_) | Terminator::Unreachable => Vec::new(),
        };
        uses.extend(self.edges().flat_map(|Edge { args, .. }| args));
        uses
    }
}

/// The `unit` of a copy by words.
pub const WORD: u8 = 8;

/// What `memcpy` and its kind copy in one step: as much as both places are aligned to, `most` bytes
/// at most.
#[must_use]
pub fn copied_at_once(most: u64, rest: u64, to: u64, from: u64) -> u64 {
    let fits = |size: &u64| {
        *size <= most && rest >= *size && to.is_multiple_of(*size) && from.is_multiple_of(*size)
    };
    [8, 4, 2].into_iter().find(fits).unwrap_or(1)
}
