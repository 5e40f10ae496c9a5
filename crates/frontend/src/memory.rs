//! Instructions that touch memory: locals, loads, stores and atomic operations.

use unravel_program::{Access, BinaryOp, CastOp, Op, Operand, Reg, RmwOp, Type};

use crate::function::Body;
use crate::llvm::{RmwKind, Ty, Value};
use crate::lower::What;

impl<'m> Body<'_, 'm> {
    pub(crate) fn alloca(&mut self, at: Value<'m>) -> Result<(), What> {
        let dst = self.result(at)?;
        let ty = at.allocated_type();
        let size = ty.and_then(|ty| self.cx.layout.size(ty)).ok_or("a local of unknown size")?;
        let count = at.operand(0).ok_or("a malformed local")?;
        let width = self.int_width(count)?;
        let pointer = Type::Int(self.cx.target.pointer_bits());
        let count = self.operand(count)?;
        let count = self.converted(count, Type::Int(width), pointer);
        let (mut name, mut ty) = (None, None);
        // The `alloca` itself stands nowhere, its variable where it is declared.
        if let Some((variable, site)) = self.declared.remove(&at) {
            (name, ty) = (Some(variable.name), variable.ty);
            self.stand_at(site);
        }
        self.emit(Op::Alloca { dst, size, count, align: at.alignment().unwrap_or(1), name, ty });
        Ok(())
    }

    /// Address of an access. Other address spaces (`__seg_gs`) are not memory as we know it.
    fn address(&mut self, at: Value<'m>, index: u32) -> Result<Operand, What> {
        let pointer = at.operand(index).ok_or("a malformed access")?;
        match pointer.ty().and_then(|ty| ty.address_space()) {
            Some(0) => self.operand(pointer),
            _ => Err("an access to another address space".into()),
        }
    }

    /// An address plus some bytes.
    pub(crate) fn displaced(&mut self, base: Operand, bytes: u64) -> Operand {
        let constant = bytes.cast_signed();
        if let Some(operand) = self.cx.displaced(base, constant) {
            return operand;
        }
        let dst = self.fresh(Type::Ptr);
        self.emit(Op::Offset { dst, base, constant, terms: Vec::new() });
        Operand::Reg(dst)
    }

    /// A struct is read member by member.
    pub(crate) fn load(&mut self, at: Value<'m>) -> Result<(), What> {
        let leaves = self.cx.leaves(at.ty().ok_or("a malformed access")?)?;
        let address = self.address(at, 0)?;
        let access = access(at);
        for (dst, leaf) in self.results(at).into_iter().zip(leaves) {
            let address = self.displaced(address, leaf.offset);
            match self.wider_than_a_word(leaf.ty, access) {
                Some(width) => self.load_in_words(dst, width, address, access),
                None => self.emit(Op::Load { dst, ty: leaf.ty, address, access }),
            }
        }
        Ok(())
    }

    /// The width of an integer that the machine accesses in several steps (DESIGN §2).
    fn wider_than_a_word(&self, ty: Type, access: Access) -> Option<u16> {
        match (ty, access) {
            (_, Access::Atomic(_)) => None,
            (Type::Int(width), _) => (width > self.cx.target.pointer_bits()).then_some(width),
            _ => None,
        }
    }

    /// Start and width of the words of a wide integer, the lowest first.
    fn words(&self, width: u16) -> Vec<(u16, u16)> {
        let word = self.cx.target.pointer_bits();
        let starts = (0..width).step_by(usize::from(word));
        starts.map(|start| (start, word.min(width - start))).collect()
    }

    fn load_in_words(&mut self, dst: Reg, width: u16, address: Operand, access: Access) {
        let words = self.words(width);
        let mut sum = Operand::Int(0);
        for (index, &(start, part)) in words.iter().enumerate() {
            let address = self.displaced(address, u64::from(start / 8));
            let (word, wide, high) = (
                self.fresh(Type::Int(part)),
                self.fresh(Type::Int(width)),
                self.fresh(Type::Int(width)),
            );
            self.emit(Op::Load { dst: word, ty: Type::Int(part), address, access });
            let (from, to) = (Type::Int(part), Type::Int(width));
            let value = Operand::Reg(word);
            self.emit(Op::Cast { dst: wide, op: CastOp::ZeroExtend, from, to, value });
            let by = Operand::Int(u128::from(start));
            self.emit(bits(high, BinaryOp::Shl, width, Operand::Reg(wide), by));
            let last = index + 1 == words.len();
            let next = if last { dst } else { self.fresh(Type::Int(width)) };
            self.emit(bits(next, BinaryOp::Or, width, sum, Operand::Reg(high)));
            sum = Operand::Reg(next);
        }
    }

    fn store_in_words(&mut self, value: Operand, width: u16, address: Operand, access: Access) {
        for (start, part) in self.words(width) {
            let (low, word) = (self.fresh(Type::Int(width)), self.fresh(Type::Int(part)));
            let by = Operand::Int(u128::from(start));
            self.emit(bits(low, BinaryOp::LShr, width, value, by));
            let (from, to) = (Type::Int(width), Type::Int(part));
            let low = Operand::Reg(low);
            self.emit(Op::Cast { dst: word, op: CastOp::Truncate, from, to, value: low });
            let address = self.displaced(address, u64::from(start / 8));
            let value = Operand::Reg(word);
            self.emit(Op::Store { ty: to, address, value, access });
        }
    }

    pub(crate) fn store(&mut self, at: Value<'m>) -> Result<(), What> {
        let value = at.operand(0).ok_or("a malformed access")?;
        let leaves = self.cx.leaves(value.ty().ok_or("a malformed access")?)?;
        let values = self.operands(value)?;
        let address = self.address(at, 1)?;
        let access = access(at);
        for (value, leaf) in values.into_iter().zip(leaves) {
            let address = self.displaced(address, leaf.offset);
            match self.wider_than_a_word(leaf.ty, access) {
                Some(width) => self.store_in_words(value, width, address, access),
                None => self.emit(Op::Store { ty: leaf.ty, address, value, access }),
            }
        }
        Ok(())
    }

    pub(crate) fn read_modify_write(&mut self, at: Value<'m>) -> Result<(), What> {
        let dst = self.result(at)?;
        let ty = self.atomic_type(at.ty())?;
        let op = at.rmw_kind().and_then(rmw_op).ok_or("an atomic operation of a rare kind")?;
        let ordering = at.ordering().ok_or("a malformed atomic operation")?;
        let (address, value) = (self.address(at, 0)?, self.operand_of(at, 1)?);
        self.emit(Op::ReadModifyWrite { dst, op, ty, address, value, ordering });
        Ok(())
    }

    pub(crate) fn compare_exchange(&mut self, at: Value<'m>) -> Result<(), What> {
        let ty = self.atomic_type(at.operand(1).and_then(|it| it.ty()))?;
        let results = self.results(at);
        let [old, success] = results[..] else {
            return Err("a malformed compare-and-swap".into());
        };
        let (on_success, on_failure, weak) = at.exchange().ok_or("a malformed compare-and-swap")?;
        let address = self.address(at, 0)?;
        let (expected, new) = (self.operand_of(at, 1)?, self.operand_of(at, 2)?);
        self.emit(Op::CompareExchange {
            old,
            success,
            ty,
            address,
            expected,
            new,
            weak,
            on_success,
            on_failure,
        });
        Ok(())
    }

    fn atomic_type(&self, ty: Option<Ty<'m>>) -> Result<Type, What> {
        let ty = ty.ok_or("a malformed atomic operation")?;
        if ty.element().is_some() {
            return Err("a vector operation".into());
        }
        self.cx.scalar(ty)
    }

    /// A fence against signal handlers of the same thread orders nothing between threads.
    pub(crate) fn fence(&mut self, at: Value<'m>) -> Result<(), What> {
        if !at.is_single_thread_fence() {
            let ordering = at.ordering().ok_or("a malformed fence")?;
            self.emit(Op::Fence { ordering });
        }
        Ok(())
    }
}

fn access(at: Value<'_>) -> Access {
    match at.ordering() {
        Some(ordering) => Access::Atomic(ordering),
        None if at.is_volatile() => Access::Volatile,
        None => Access::Plain,
    }
}

fn rmw_op(kind: RmwKind) -> Option<RmwOp> {
    Some(match kind {
        RmwKind::LLVMAtomicRMWBinOpXchg => RmwOp::Exchange,
        RmwKind::LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        RmwKind::LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        RmwKind::LLVMAtomicRMWBinOpAnd => RmwOp::And,
        RmwKind::LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        RmwKind::LLVMAtomicRMWBinOpOr => RmwOp::Or,
        RmwKind::LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        RmwKind::LLVMAtomicRMWBinOpMax => RmwOp::Max,
        RmwKind::LLVMAtomicRMWBinOpMin => RmwOp::Min,
        RmwKind::LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        RmwKind::LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        RmwKind::LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        RmwKind::LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        RmwKind::LLVMAtomicRMWBinOpFMax
        | RmwKind::LLVMAtomicRMWBinOpFMin
        | RmwKind::LLVMAtomicRMWBinOpUIncWrap
        | RmwKind::LLVMAtomicRMWBinOpUDecWrap => return None,
    })
}

/// A bitwise operation or shift.
fn bits(dst: Reg, op: BinaryOp, width: u16, lhs: Operand, rhs: Operand) -> Op {
    Op::Binary { dst, op, width, lhs, rhs, no_signed_wrap: false }
}
