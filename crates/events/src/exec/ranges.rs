//! `memcpy`, `memmove` and `memset`: word by word where the memory is shared.

use unravel_interp::Property;
use unravel_kinds::Unmodelled;
use unravel_program::{Op, Operand, copied_at_once};
use unravel_term::Term;

use super::Executor;
use super::access::Demand;
use crate::object::ObjectId;
use crate::state::State;
use crate::value::{PROVENANCE, UNDEFINED, Value};

/// Most bytes that are copied at once.
const MOST_BYTES: u64 = 1 << 14;

/// One end of a range: its pointer and where that points.
#[derive(Clone, Copy)]
struct End {
    operand: Operand,
    pointer: Value,
    object: ObjectId,
    offset: u64,
}

impl Executor<'_> {
    pub fn range_access(&mut self, state: &mut State, op: &Op) {
        let (to, length, unit) = match op {
            Op::MemoryCopy { to, length, unit, .. } | Op::MemorySet { to, length, unit, .. } => {
                (to, length, *unit)
            }
            _ => return,
        };
        let width = self.pointer_bits();
        let length = self.number(state, *length, width);
        let length = self.terms().as_const(length).and_then(|it| u64::try_from(it).ok());
        let Some(length) = length.filter(|&length| length <= MOST_BYTES) else {
            return self.unsupported(state, Unmodelled::RangeOfUnknownLength);
        };
        if length == 0 {
            return;
        }
        let ends = match op {
            Op::MemoryCopy { from, .. } => vec![*to, *from],
            _ => vec![*to],
        };
        if ends.iter().any(|&end| self.lies_anywhere(state, end)) {
            return self.unplaced_range(state, op, length, unit);
        }
        let Some(to) = self.range_end(state, *to, length, true) else { return };
        match op {
            Op::MemoryCopy { from, .. } => {
                let Some(from) = self.range_end(state, *from, length, false) else { return };
                self.copy(state, to, from, length, unit);
            }
            Op::MemorySet { byte, .. } => {
                let byte = self.operand(state, *byte, 8).bits;
                self.fill(state, to, byte, length, unit);
            }
            _ => {}
        }
    }

    /// Checks one end of a range as a whole.
    fn range_end(
        &mut self,
        state: &mut State,
        operand: Operand,
        length: u64,
        writes: bool,
    ) -> Option<End> {
        let width = self.pointer_bits();
        let pointer = self.operand(state, operand, width);
        let leaves = self.leaves(pointer.provenance);
        let bits = self.terms().as_const(pointer.bits);
        let (Some(&object), Some(bits)) = (leaves.objects.first(), bits) else {
            if leaves.objects.is_empty() && !leaves.unknown {
                let truth = self.terms().truth();
                self.violation(state, Property::Memory, truth);
            } else {
                self.unsupported(state, Unmodelled::RangeAtUnknownPlace);
            }
            return None;
        };
        if leaves.unknown || leaves.none || leaves.objects.len() > 1 {
            self.unsupported(state, Unmodelled::RangeAtUnknownPlace);
            return None;
        }
        let demand = Demand { bytes: length, writes, whole_block: false };
        let fits = {
            let (terms, objects) = self.parts();
            super::access::fits(terms, objects.get(object), pointer, demand)
        };
        let wrong = self.terms().not(fits);
        self.violation(state, Property::Memory, wrong);
        let base = self.graph.objects.get(object).base;
        let offset = u64::try_from(bits).unwrap_or(0).wrapping_sub(base);
        Some(End { operand, pointer, object, offset })
    }

    fn copy(&mut self, state: &mut State, to: End, from: End, length: u64, unit: u8) {
        // Backwards where the ranges overlap that way, as `memmove` promises.
        let backwards = to.object == from.object && to.offset > from.offset;
        let mut done = 0;
        while done < length && !self.graph.terms.is_false(state.guard) && !self.is_stopped() {
            let rest = length - done;
            let first = if backwards { rest } else { done };
            let chunk = self.chunk(rest, unit, to.offset + first, from.offset + first);
            let at = if backwards { rest - chunk } else { done };
            self.begin_chunk(state, done, &[to.object, from.object]);
            let source = self.moved(from.pointer, at);
            self.beyond = at;
            let value = self.load(state, from.operand, source, chunk);
            self.beyond = 0;
            let value = self.without_undefined(state, from.object, from.offset + at, chunk, value);
            let target = self.moved(to.pointer, at);
            self.store(state, to.operand, target, chunk, value);
            self.together = None;
            done += chunk;
        }
    }

    fn fill(&mut self, state: &mut State, to: End, byte: Term, length: u64, unit: u8) {
        let mut done = 0;
        while done < length && !self.graph.terms.is_false(state.guard) && !self.is_stopped() {
            let chunk = self.chunk(length - done, unit, to.offset + done, to.offset + done);
            self.begin_chunk(state, done, &[to.object]);
            let value = self.repeated(Some(byte), chunk);
            let target = self.moved(to.pointer, done);
            self.store(state, to.operand, target, chunk, value);
            self.together = None;
            done += chunk;
        }
    }

    /// A copied value: bytes that were never written, padding above all, may differ between the
    /// copy and what it was copied from.
    pub(super) fn without_undefined(
        &mut self,
        state: &State,
        id: ObjectId,
        at: u64,
        bytes: u64,
        value: Value,
    ) -> Value {
        if self.graph.objects.get(id).shared {
            return value;
        }
        let undefined: Vec<bool> =
            (at..at + bytes).map(|at| self.is_undefined(state, id, at)).collect();
        if !undefined.contains(&true) {
            return value;
        }
        let mut whole: Option<Term> = None;
        for (index, is_undefined) in (0u16..).zip(&undefined) {
            let byte = if *is_undefined {
                let byte = self.terms().var(8);
                self.graph.undefined_copies.push(byte);
                byte
            } else {
                self.terms().extract(value.bits, index * 8, 8)
            };
            whole = Some(whole.map_or(byte, |low| self.terms().concat(byte, low)));
        }
        let bits = whole.unwrap_or(value.bits);
        let all = !undefined.contains(&false);
        let provenance = self.terms().constant(PROVENANCE, if all { UNDEFINED } else { 0 });
        Value { bits, provenance }
    }

    fn is_undefined(&mut self, state: &State, id: ObjectId, at: u64) -> bool {
        let (terms, objects) = self.parts();
        let byte = state.memory.read(terms, objects, id, at, 1);
        terms.as_const(byte.provenance) == Some(UNDEFINED)
    }

    /// All that one chunk does is one step.
    fn begin_chunk(&mut self, state: &State, done: u64, objects: &[ObjectId]) {
        self.current.position.progress = u32::try_from(done).unwrap_or(u32::MAX);
        if objects.iter().any(|&id| self.graph.objects.get(id).shared) {
            self.together = Some(self.step(state));
        }
    }

    pub(super) fn moved(&mut self, pointer: Value, by: u64) -> Value {
        let pointer_width = self.pointer_bits();
        let by = self.terms().constant(pointer_width, u128::from(by));
        Value { bits: self.terms().add(pointer.bits, by), ..pointer }
    }

    fn chunk(&self, rest: u64, unit: u8, to: u64, from: u64) -> u64 {
        copied_at_once(self.pointer_bytes().min(u64::from(unit)), rest, to, from)
    }
}
