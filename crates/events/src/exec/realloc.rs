//! `realloc`: a new block with what the old one held, which is freed, all in one step.
//!
//! The old block may be any that its pointer points to, so how much there is to copy is often not
//! known here. Each part is read where it lies inside the old block, which is decided when all
//! blocks are known ([`crate::Check`]); what lies beyond stays as it was never written. A block that
//! ends within a part is not followed. Cost: one read of the old block for each part of the new one.

use std::rc::Rc;
use unravel_kinds::Unmodelled;

use unravel_interp::memory::ObjectKind;
use unravel_program::library::{Action, MemoryFunction};
use unravel_program::{BinaryOp, Function, Op, Operand, Program, Reg};
use unravel_term::Term;

use super::Executor;
use super::access::{Demand, Resolved};
use super::library::Args;
use crate::graph::{Check, FindingKind, MayAccess, Mode};
use crate::object::{Initial, ObjectId};
use crate::points_to::Target;
use crate::state::State;
use crate::value::Value;

/// Largest part that is copied at once if no pointers are among what is copied: programs grow
/// arrays of `int` by one.
const PART: u64 = 4;

/// The new block.
struct Block {
    id: ObjectId,
    size: u64,
    /// Its size where that depends on the run; then `size` is the largest.
    length: Option<Term>,
}

impl Executor<'_> {
    pub(super) fn realloc(
        &mut self,
        state: &mut State,
        function: MemoryFunction,
        args: Args<'_>,
        result: Option<Reg>,
    ) {
        if self.config.allocation_failure {
            return self.not_yet(state, "realloc, if it may fail,");
        }
        let operand = args.first().map_or(Operand::Undef, |&(_, operand)| operand);
        let width = self.pointer_bits();
        let pointer = self.operand(state, operand, width);
        let Some(block) = self.new_block(state, function, args) else { return };
        let null = self.constant(width, 0).bits;
        let is_null = self.terms().eq(pointer.bits, null);
        let mut fresh = state.clone();
        fresh.require(&mut self.graph.terms, is_null);
        let is_block = self.terms().not(is_null);
        state.require(&mut self.graph.terms, is_block);
        if !self.graph.terms.is_false(state.guard) {
            self.move_block(state, operand, pointer, &block);
        }
        let mut merged = None;
        self.join_paths(&mut merged, fresh);
        let moved = std::mem::replace(state, self.dead());
        self.join_paths(&mut merged, moved);
        *state = merged.unwrap_or_else(|| self.dead());
        self.note_block(state, block.id);
        if let Some(reg) = result {
            let (terms, objects) = self.parts();
            let address = objects.address(terms, block.id, 0, width);
            self.set(state, reg, address);
        }
    }

    fn new_block(
        &mut self,
        state: &mut State,
        function: MemoryFunction,
        args: Args<'_>,
    ) -> Option<Block> {
        let wanted = self.wanted_size(state, function, args);
        let constant = self.terms().as_const(wanted);
        let length = constant.is_none().then(|| self.small_length(state, wanted));
        let size = constant.unwrap_or(super::library::LARGEST_UNKNOWN);
        let id = self.allocate(state, ObjectKind::Heap, size, 16, Initial::Undefined)?;
        self.graph.objects.set_length(id, length);
        Some(Block { id, size: u64::try_from(size).unwrap_or(u64::MAX), length })
    }

    fn wanted_size(&mut self, state: &mut State, function: MemoryFunction, args: Args<'_>) -> Term {
        let width = self.pointer_bits();
        let mut number = |index: usize| {
            let operand = args.get(index).map_or(Operand::Undef, |&(_, operand)| operand);
            self.number(state, operand, width)
        };
        match function {
            MemoryFunction::ReallocArray => {
                let (count, size) = (number(1), number(2));
                self.terms().mul(count, size)
            }
            _ => number(1),
        }
    }

    /// Copies the old block and frees it.
    fn move_block(&mut self, state: &mut State, operand: Operand, pointer: Value, block: &Block) {
        let leaves = self.leaves(pointer.provenance);
        let is_shared = leaves.unknown
            || leaves
                .objects
                .iter()
                .chain([&block.id])
                .any(|&id| self.graph.objects.get(id).shared);
        if is_shared {
            self.together = Some(self.step(state));
        }
        let whole = Demand { bytes: 0, writes: false, whole_block: true };
        let old = self.resolve(state, operand, pointer, whole);
        // That the block ends says all about races with this.
        let before = std::mem::replace(&mut self.mode, Mode { silent: true, ..Mode::default() });
        self.copy_parts(state, operand, pointer, &old, block);
        self.mode = before;
        self.end_block(state, pointer, &old);
        self.together = None;
    }

    fn copy_parts(
        &mut self,
        state: &mut State,
        operand: Operand,
        pointer: Value,
        old: &Resolved,
        block: &Block,
    ) {
        let unit = self.unit(operand, block.size);
        let width = self.pointer_bits();
        let (terms, objects) = self.parts();
        let start = objects.address(terms, block.id, 0, width);
        let mut done = 0;
        while done < block.size && !self.graph.terms.is_false(state.guard) {
            let part = unit.min(block.size - done);
            let source = self.moved(pointer, done);
            let old = &old.further(done);
            self.beyond = done;
            let (inside, wanted) =
                (self.is_inside(state, source, part, old), self.is_wanted(block, done + part));
            let copied = self.terms().and(inside, wanted);
            if part > 1 {
                let begins = self.is_inside(state, source, 1, old);
                let is_begun = self.is_wanted(block, done + 1);
                let some = self.terms().and(begins, is_begun);
                self.refuse_cut(state, some, copied);
            }
            if !self.graph.terms.is_false(copied) {
                let mut there = state.clone();
                there.require(&mut self.graph.terms, copied);
                let value = self.read(&mut there, operand, source, old, part);
                let value = match (old.private_parts().as_slice(), old.shared_part()) {
                    (&[(id, _)], None) => self.without_undefined(&there, id, done, part, value),
                    _ => value,
                };
                let target = self.moved(start, done);
                self.write_new(state, block.id, target, part, value, copied);
            }
            self.beyond = 0;
            done += part;
        }
    }

    /// How many bytes are copied at once.
    fn unit(&mut self, operand: Operand, size: u64) -> u64 {
        let bytes = self.pointer_bytes();
        let function = self.function_id();
        let offsets = (0..size).step_by(usize::try_from(bytes).unwrap_or(8));
        let mut offsets = offsets.map(|at| self.points.holds_pointers(function, operand, at));
        if offsets.any(|it| it) {
            return bytes;
        }
        let places = self.points.places(function, operand).into_keys();
        let own = self.target();
        let sizes = places.chain([own]).map(|target| divisor_of_size(self.program, target));
        // The largest power of two that divides all.
        sizes.fold(PART, |unit, size| unit.min(1 << size.trailing_zeros().min(2)))
    }

    /// Whether a part lies in the old block, which exists.
    fn is_inside(&mut self, state: &State, part: Value, bytes: u64, old: &Resolved) -> Term {
        let demand = Demand { bytes, writes: false, whole_block: false };
        let mut inside = Vec::new();
        for (id, here) in old.private_parts() {
            let fits = self.fits(part, id, demand);
            inside.push(self.terms().and(here, fits));
        }
        if let Some((_, may, shared)) = old.shared_part() {
            let fits = if may.anywhere_in.is_empty() {
                let mut fits = Vec::new();
                for &id in &may.objects {
                    let (here, there) = (self.is_object(part, id), self.fits(part, id, demand));
                    fits.push(self.terms().and(here, there));
                }
                self.terms().or_all(&fits)
            } else {
                self.fits_later(state, part, bytes, &may, shared)
            };
            inside.push(self.terms().and(shared, fits));
        }
        self.terms().or_all(&inside)
    }

    /// Whether a part lies in a block that may not be known yet.
    fn fits_later(
        &mut self,
        state: &State,
        part: Value,
        bytes: u64,
        may: &Rc<MayAccess>,
        shared: Term,
    ) -> Term {
        let ok = self.terms().var(1);
        let guard = self.terms().and(state.guard, shared);
        self.graph.checks.push(Check {
            ok,
            guard,
            address: part,
            bytes,
            writes: false,
            whole_block: false,
            life: None,
            may: may.clone(),
        });
        ok
    }

    /// Paths on which the old or the new block ends within a part end here.
    fn refuse_cut(&mut self, state: &mut State, begins: Term, copied: Term) {
        let ends = self.terms().not(copied);
        let is_cut = self.terms().and(begins, ends);
        if self.graph.terms.is_false(is_cut) {
            return;
        }
        let guard = self.terms().and(state.guard, is_cut);
        let what = Unmodelled::OddRealloc;
        self.find(guard, FindingKind::Unsupported(what), state);
        let fine = self.terms().not(is_cut);
        state.require(&mut self.graph.terms, fine);
    }

    /// Whether the new block is as large as this.
    fn is_wanted(&mut self, block: &Block, bytes: u64) -> Term {
        let Some(length) = block.length else { return self.terms().truth() };
        let width = self.pointer_bits();
        let bytes = self.terms().constant(width, u128::from(bytes));
        self.terms().ule(bytes, length)
    }

    /// Puts a part into the new block, which nobody else can reach yet.
    fn write_new(
        &mut self,
        state: &mut State,
        id: ObjectId,
        target: Value,
        bytes: u64,
        value: Value,
        copied: Term,
    ) {
        if !self.graph.objects.get(id).shared {
            return self.write_private(state, id, target, bytes, value, copied);
        }
        let may = MayAccess { objects: vec![id], ..MayAccess::default() };
        let guard = self.terms().and(state.guard, copied);
        let step = self.step(state);
        self.event(step, guard, crate::Space::Data, true, target, bytes, value, &Rc::new(may));
    }
}

/// A number that divides the size of whatever is allocated at a place, as its code shows: that of
/// an element. 1 if nothing is known.
fn divisor_of_size(program: &Program, target: Target) -> u64 {
    let Target::Allocation(function, block, index) = target else { return 1 };
    let function = program.function(function);
    let made = function.block(block).instructions.get(index as usize).map(|it| &it.op);
    let Some(Op::Library { primitive, args, .. }) = made else { return 1 };
    let arg = |index: usize| args.get(index).map_or(1, |it| divisor(function, it.1, 0));
    match primitive.action() {
        Action::Memory(MemoryFunction::Malloc) => arg(0),
        Action::Memory(MemoryFunction::Realloc | MemoryFunction::AlignedAlloc) => arg(1),
        Action::Memory(MemoryFunction::Calloc) => arg(0).saturating_mul(arg(1)),
        Action::Memory(MemoryFunction::ReallocArray) => arg(1).saturating_mul(arg(2)),
        _ => 1,
    }
}

/// A number that divides a value: `n * sizeof(int)` is a multiple of four.
fn divisor(function: &Function, value: Operand, depth: u32) -> u64 {
    const DEEP: u32 = 8;
    let reg = match value {
        Operand::Int(number) => return u64::try_from(number).unwrap_or(1).max(1),
        Operand::Reg(reg) if depth < DEEP => reg,
        _ => return 1,
    };
    let all = function.blocks.iter().flat_map(|it| &it.instructions);
    let of = |it: &Operand| divisor(function, *it, depth + 1);
    let found = all.map(|it| &it.op).find_map(|op| match op {
        Op::Binary { dst, op: BinaryOp::Mul, lhs, rhs, .. } if *dst == reg => {
            Some(of(lhs).saturating_mul(of(rhs)))
        }
        Op::Binary {
            dst,
            op: BinaryOp::Shl | BinaryOp::SignedShl,
            lhs,
            rhs: Operand::Int(by),
            ..
        } if *dst == reg => {
            let by = u32::try_from(*by).unwrap_or(0);
            Some(of(lhs).saturating_mul(1u64.checked_shl(by).unwrap_or(1)))
        }
        Op::Cast { dst, value, .. } | Op::Copy { dst, value } if *dst == reg => Some(of(value)),
        _ => None,
    });
    found.unwrap_or(1)
}
