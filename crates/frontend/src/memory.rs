//! Instructions that touch memory: locals, loads, stores and atomic operations.

use unravel_program::{Access, Op, Operand, RmwOp, Type};

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
            _ => Err("an access to another address space".to_owned()),
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
            self.emit(Op::Load { dst, ty: leaf.ty, address, access });
        }
        Ok(())
    }

    pub(crate) fn store(&mut self, at: Value<'m>) -> Result<(), What> {
        let value = at.operand(0).ok_or("a malformed access")?;
        let leaves = self.cx.leaves(value.ty().ok_or("a malformed access")?)?;
        let values = self.operands(value)?;
        let address = self.address(at, 1)?;
        let access = access(at);
        for (value, leaf) in values.into_iter().zip(leaves) {
            let address = self.displaced(address, leaf.offset);
            self.emit(Op::Store { ty: leaf.ty, address, value, access });
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
            return Err("a malformed compare-and-swap".to_owned());
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
            return Err("a vector operation".to_owned());
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
