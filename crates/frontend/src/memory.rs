//! Instructions that touch memory: locals, loads, stores and atomic operations.

use unravel_program::{Access, BinaryOp, CastOp, Op, Operand, Reg, RmwOp, Type};

use crate::aggregate::Leaf;
use crate::function::Body;
use crate::llvm::{Opcode, RmwKind, Ty, Value};
use crate::lower::What;

impl<'m> Body<'_, 'm> {
    /// A local; one of a block begins with the block.
    pub(crate) fn alloca(&mut self, at: Value<'m>) -> Result<(), What> {
        if self.block_locals.contains_key(&at) { Ok(()) } else { self.begin_local(at) }
    }

    /// A block begins or ends that declares a local.
    pub(crate) fn block_local(&mut self, at: Value<'m>, begins: bool) -> Result<(), What> {
        let Some(local) = at.operand(1) else { return Ok(()) };
        if !self.block_locals.contains_key(&local) {
            return Ok(());
        }
        if begins {
            return self.begin_local(local);
        }
        let address = self.operand(local)?;
        self.emit(Op::EndLocal { address });
        Ok(())
    }

    fn begin_local(&mut self, at: Value<'m>) -> Result<(), What> {
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
            let site = self.cx.debug.with_hook(site, at);
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
            match self.parts(at, 0, &leaf) {
                Some(parts) => self.load_in_parts((dst, leaf.ty), &parts, address, access),
                None => self.emit(Op::Load { dst, ty: leaf.ty, address, access }),
            }
        }
        Ok(())
    }

    /// Start and width, in bits, of the parts in which the machine accesses a leaf in several steps:
    /// one that is wider than a word, or that lies in two words. The lowest comes first. A pointer
    /// is never taken apart: its parts would not say what it points to.
    fn parts(&self, at: Value<'m>, address: u32, leaf: &Leaf) -> Option<Vec<(u16, u16)>> {
        let (word, width) = (self.cx.target.pointer_bits(), leaf.ty.bits(self.cx.target));
        if matches!(access(at), Access::Atomic(_)) || leaf.ty == Type::Ptr {
            return None;
        }
        if width > word {
            let is_int = matches!(leaf.ty, Type::Int(_));
            return is_int.then(|| cut(width, 0, word));
        }
        let align = leaf.offset.trailing_zeros().min(7);
        let align = at.access_align()?.min(1 << align);
        if align >= u64::from(width / 8) || !width.is_multiple_of(8) {
            return None;
        }
        let bytes = u64::from(word / 8);
        let offset = self.place_in_word(at.operand(address)?, bytes);
        match offset.map(|it| (it.wrapping_add(leaf.offset) % bytes) * 8) {
            Some(start) => {
                let start = u16::try_from(start).ok()?;
                (start + width > word).then(|| cut(width, start, word))
            }
            None => Some(cut(width, 0, u16::try_from(align * 8).ok()?)),
        }
    }

    /// How far behind the beginning of a word an address lies, if what it is computed from begins
    /// with one, as variables and heap blocks do. `None` if an index decides.
    fn place_in_word(&self, address: Value<'m>, word: u64) -> Option<u64> {
        // Addresses are computed in a few steps; a cycle would go through a φ-node.
        const DEPTH: usize = 100;
        let (mut at, mut offset) = (address, 0u64);
        for _ in 0..DEPTH {
            if at.opcode() != Some(Opcode::LLVMGetElementPtr) {
                break;
            }
            let steps = self.cx.steps(at).ok()?;
            if steps.terms.iter().any(|(_, scale)| !scale.unsigned_abs().is_multiple_of(word)) {
                return None;
            }
            offset = offset.wrapping_add_signed(steps.constant);
            at = steps.base;
        }
        Some(offset % word)
    }

    fn load_in_parts(
        &mut self,
        (dst, ty): (Reg, Type),
        parts: &[(u16, u16)],
        address: Operand,
        access: Access,
    ) {
        let width = ty.bits(self.cx.target);
        let whole = if ty == Type::Int(width) { dst } else { self.fresh(Type::Int(width)) };
        self.load_whole(whole, width, parts, address, access);
        if whole != dst {
            let (op, from, value) = (CastOp::Bitcast, Type::Int(width), Operand::Reg(whole));
            self.emit(Op::Cast { dst, op, from, to: ty, value });
        }
    }

    fn load_whole(
        &mut self,
        dst: Reg,
        width: u16,
        words: &[(u16, u16)],
        address: Operand,
        access: Access,
    ) {
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

    fn store_in_parts(
        &mut self,
        (value, ty): (Operand, Type),
        parts: &[(u16, u16)],
        address: Operand,
        access: Access,
    ) {
        let width = ty.bits(self.cx.target);
        let value = self.converted(value, ty, Type::Int(width));
        for &(start, part) in parts {
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
            match self.parts(at, 1, &leaf) {
                Some(parts) => self.store_in_parts((value, leaf.ty), &parts, address, access),
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

/// The parts of so many bits that end where a word does, if the first begins `start` bits behind
/// the beginning of one.
fn cut(width: u16, start: u16, word: u16) -> Vec<(u16, u16)> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < width {
        let length = (word - (start + at) % word).min(width - at);
        parts.push((at, length));
        at += length;
    }
    parts
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
