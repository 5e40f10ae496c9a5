//! `memcpy` and `memset` at a place that is not known: the pointer is read from shared memory, such
//! as that to a table that another thread may replace.
//!
//! Their parts are ordinary accesses to wherever the pointer points. The interpreter cuts a range by
//! where its ends lie in their objects; here that is not known, so only ends that are aligned to the
//! largest part count, for which the cuts are always the same. C asks for that alignment, except of
//! bytes.

use unravel_kinds::Unmodelled;
use unravel_program::{Op, Operand, copied_at_once};
use unravel_term::Term;

use super::Executor;
use super::access::Demand;
use crate::graph::FindingKind;
use crate::state::State;
use crate::value::Value;

impl Executor<'_> {
    /// Whether a pointer comes from shared memory, and so points to something that is shared.
    pub(super) fn lies_anywhere(&mut self, state: &mut State, end: Operand) -> bool {
        let width = self.pointer_bits();
        let pointer = self.operand(state, end, width);
        let leaves = self.leaves(pointer.provenance);
        leaves.unknown && leaves.objects.is_empty()
    }

    /// `memcpy` or `memset` of a known length, with an end that may be anywhere.
    pub(super) fn unplaced_range(&mut self, state: &mut State, op: &Op, length: u64, unit: u8) {
        let (to, from, byte) = match op {
            Op::MemoryCopy { to, from, may_overlap: false, .. } => (*to, Some(*from), None),
            Op::MemorySet { to, byte, .. } => (*to, None, Some(*byte)),
            _ => return self.unsupported(state, Unmodelled::RangeAtUnknownPlace),
        };
        let most = self.pointer_bytes().min(u64::from(unit));
        for end in [Some(to), from].into_iter().flatten() {
            self.refuse_misaligned(state, end, most);
        }
        let byte = byte.map(|byte| self.operand(state, byte, 8).bits);
        let mut done = 0;
        while done < length && !self.graph.terms.is_false(state.guard) {
            let part = copied_at_once(most, length - done, done, done);
            self.current.position.progress = u32::try_from(done).unwrap_or(u32::MAX);
            self.together = Some(self.step(state));
            if done == 0 {
                self.check_range(state, to, length, true);
                from.into_iter().for_each(|from| self.check_range(state, from, length, false));
            }
            self.beyond = done;
            let value = match (from, byte) {
                (Some(from), _) => {
                    let source = self.part(state, from, done);
                    self.load(state, from, source, part)
                }
                (None, byte) => self.repeated(byte, part),
            };
            let target = self.part(state, to, done);
            self.store(state, to, target, part, value);
            (self.together, self.beyond) = (None, 0);
            done += part;
        }
    }

    /// The whole range must be there when its first part is.
    fn check_range(&mut self, state: &mut State, end: Operand, bytes: u64, writes: bool) {
        let pointer = self.part(state, end, 0);
        self.resolve(state, end, pointer, Demand { bytes, writes, whole_block: false });
    }

    /// Where a part of a range is.
    fn part(&mut self, state: &mut State, end: Operand, done: u64) -> Value {
        let width = self.pointer_bits();
        let pointer = self.operand(state, end, width);
        self.moved(pointer, done)
    }

    /// A byte, over and over.
    pub(super) fn repeated(&mut self, byte: Option<Term>, bytes: u64) -> Value {
        let byte = byte.unwrap_or_else(|| self.terms().constant(8, 0));
        let mut bits = byte;
        for _ in 1..bytes {
            bits = self.terms().concat(byte, bits);
        }
        Value::number(self.terms(), bits)
    }

    /// Paths on which a pointer is not aligned end here.
    fn refuse_misaligned(&mut self, state: &mut State, end: Operand, to: u64) {
        let pointer = self.part(state, end, 0);
        let Some(bits) = u16::try_from(to.trailing_zeros()).ok().filter(|bits| *bits > 0) else {
            return;
        };
        let terms = self.terms();
        let low = terms.extract(pointer.bits, 0, bits);
        let zero = terms.constant(bits, 0);
        let aligned = terms.eq(low, zero);
        let wrong = terms.not(aligned);
        let guard = terms.and(state.guard, wrong);
        let what = Unmodelled::UnalignedRange;
        self.find(guard, FindingKind::Unsupported(what), state);
        state.require(&mut self.graph.terms, aligned);
    }
}
