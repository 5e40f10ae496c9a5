//! Library functions.

use std::rc::Rc;
use unravel_kinds::Unmodelled;

use unravel_interp::Property;
use unravel_interp::memory::ObjectKind;
use unravel_program::library::{
    Action, Convention, MemoryFunction, Primitive, Print, Process, Verifier, codes,
};
use unravel_program::{Operand, Reg, Type};
use unravel_term::Term;

use super::Executor;
use super::access::{Demand, Resolved};
use crate::graph::{Finding, FindingKind, MayAccess, Space, ThreadId};
use crate::object::{Initial, ObjectId};
use crate::points_to::Target;
use crate::state::State;
use crate::value::Value;

/// Largest heap block whose size may depend on the run: each byte of it is a place.
pub(super) const LARGEST_UNKNOWN: u128 = 256;

pub(super) type Args<'a> = &'a [(Type, Operand)];

/// A new heap block: what to remark if it may get the address of a freed one.
pub(crate) struct Made {
    finding: Finding,
    block: ObjectId,
    /// Blocks freed before, by execution.
    freed_before: usize,
    /// Steps of its thread before.
    steps_before: usize,
}

/// A block that is freed.
pub(crate) struct Freed {
    thread: ThreadId,
    guard: Term,
    /// Which it may be.
    may: MayAccess,
}

impl Executor<'_> {
    /// Whether the call counts as an instruction when it is done.
    pub fn library(
        &mut self,
        state: &mut State,
        primitive: Primitive,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> bool {
        match primitive.action() {
            Action::Sync(op, convention) => {
                return self.sync(state, op, convention, args, result);
            }
            Action::Thread(action, convention) => {
                return self.thread_function(state, action, convention, args, result);
            }
            Action::Memory(function) => self.memory_function(state, function, args, result),
            Action::Process(process) => self.process(state, process),
            Action::Verifier(verifier) => self.verifier(state, verifier, args, result),
            Action::Print(print) => self.print(state, print, args, result),
            Action::Show(_) => {}
            Action::Attribute => self.attribute_refuses(state, args, result),
            Action::Math(function) => self.math(state, function, primitive.name(), args, result),
            Action::Nothing => {
                let zero = self.terms().constant(64, 0);
                self.answer(state, result, zero);
            }
            Action::ErrnoLocation => {
                let id = self.errno();
                let width = self.pointer_bits();
                let (terms, objects) = self.parts();
                let address = objects.address(terms, id, 0, width);
                if let Some(reg) = result {
                    self.set(state, reg, address);
                }
            }
        }
        true
    }

    /// A function that only the exploration knows yet.
    pub(super) fn not_yet(&mut self, state: &mut State, name: &'static str) {
        let guard = state.guard;
        self.find(guard, FindingKind::Primitive(name), state);
        state.guard = self.graph.terms.falsity();
    }

    pub fn answer(&mut self, state: &mut State, result: Option<Reg>, bits: Term) {
        if let Some(reg) = result {
            self.set_number(state, reg, bits);
        }
    }

    /// An error code in the form the function reports it. Codes are terms of 32 bits.
    pub fn report_code(
        &mut self,
        state: &mut State,
        convention: Convention,
        code: Term,
        result: Option<Reg>,
    ) {
        let bits = match convention {
            Convention::Code => code,
            Convention::C11 => self.c11_code(code),
            Convention::Errno => self.errno_code(state, code),
            Convention::Void => self.terms().constant(32, 0),
        };
        self.answer(state, result, bits);
    }

    /// -1 for an error, whose code goes to `errno`.
    fn errno_code(&mut self, state: &mut State, code: Term) -> Term {
        let zero = self.terms().constant(32, 0);
        let fine = self.terms().eq(code, zero);
        let failed = self.terms().not(fine);
        self.set_errno(state, failed, code);
        let minus_one = self.terms().constant(32, u128::from(u32::MAX));
        self.terms().ite(failed, minus_one, zero)
    }

    /// Where a call fails, `errno` gets its code, a term of 32 bits.
    pub(super) fn set_errno(&mut self, state: &mut State, failed: Term, code: Term) {
        if self.terms().is_false(failed) {
            return;
        }
        let id = self.errno();
        if self.graph.objects.get(id).shared {
            let guard = self.terms().and(state.guard, failed);
            let what = Unmodelled::SharedErrno;
            self.find(guard, FindingKind::Unsupported(what), state);
            let fine = self.terms().not(failed);
            state.require(&mut self.graph.terms, fine);
        }
        let (terms, objects) = self.parts();
        let before = state.memory.read(terms, objects, id, 0, 4);
        let error = Value::number(terms, code);
        let value = error.or_else(terms, failed, before);
        state.memory.write(terms, id, 0, 4, value);
    }

    fn c11_code(&mut self, code: Term) -> Term {
        let other = i128::from(codes::c11_result(codes::EINVAL)).cast_unsigned();
        let mut result = self.terms().constant(32, other);
        for errno in [0, codes::EBUSY, codes::ENOMEM, codes::ETIMEDOUT] {
            let this = self.terms().constant(32, i128::from(errno).cast_unsigned());
            let is_this = self.terms().eq(code, this);
            let c11 = i128::from(codes::c11_result(errno)).cast_unsigned();
            let c11 = self.terms().constant(32, c11);
            result = self.terms().ite(is_this, c11, result);
        }
        result
    }

    fn process(&mut self, state: &mut State, process: Process) {
        match process {
            Process::AssertFail | Process::Abort | Process::ReachError => {
                let truth = self.terms().truth();
                self.violation(state, Property::Reach, truth);
            }
            Process::Exit => self.exit_process(state),
        }
    }

    fn verifier(
        &mut self,
        state: &mut State,
        verifier: Verifier,
        args: Args<'_>,
        result: Option<Reg>,
    ) {
        match verifier {
            Verifier::Nondet => self.arbitrary(state, result),
            Verifier::Assume => {
                let Some(&(ty, operand)) = args.first() else { return };
                let width = self.width(ty);
                let value = self.number(state, operand, width);
                let zero = self.terms().constant(width, 0);
                let fails = self.terms().eq(value, zero);
                let stuck = self.terms().and(state.guard, fails);
                self.graph.threads[self.current.id.0 as usize].stuck.push(stuck);
                if let Some(atomic) = state.atomic {
                    self.assumes_in_section(atomic.step);
                }
                let holds = self.terms().not(fails);
                state.require(&mut self.graph.terms, holds);
            }
            Verifier::AtomicBegin => self.begin_atomic(state),
            Verifier::AtomicEnd => self.end_atomic(state),
            Verifier::Between => self.between(state, args, result),
        }
    }

    fn arbitrary(&mut self, state: &mut State, result: Option<Reg>) {
        let Some(reg) = result else { return };
        let width = self.width(self.function().type_of(reg));
        let value = self.terms().var(width);
        self.input(state, value);
        self.set_number(state, reg, value);
    }

    /// Printing changes nothing here; what is read to be printed is read by nobody else.
    fn print(&mut self, state: &mut State, print: Print, args: Args<'_>, result: Option<Reg>) {
        if matches!(print, Print::Sprintf | Print::Snprintf) {
            return self.not_yet(state, "sprintf");
        }
        if result.is_some_and(|reg| self.is_used(reg)) {
            return self.not_yet(state, "the result of printf");
        }
        let from = match print {
            Print::Printf => 0,
            _ => 1,
        };
        let format = args.get(from).map_or_else(Vec::new, |&(_, format)| self.text(format));
        let mut texts = text_arguments(&format).into_iter();
        for &(ty, operand) in args.iter().skip(from) {
            let is_text = texts.next().unwrap_or(true);
            if ty == Type::Ptr && is_text && !self.is_constant_text(state, operand) {
                return self.not_yet(state, "printf");
            }
        }
    }

    /// The bytes of a constant text.
    fn text(&self, operand: Operand) -> Vec<u8> {
        match operand {
            Operand::Global(id, 0) if self.program.global(id).constant => {
                self.program.global(id).bytes.clone().unwrap_or_default()
            }
            _ => b"%s".to_vec(),
        }
    }

    /// Whether a pointer certainly leads to a constant that ends in a zero: a text that nobody
    /// changes.
    fn is_constant_text(&mut self, state: &mut State, operand: Operand) -> bool {
        let width = self.pointer_bits();
        let pointer = self.operand(state, operand, width);
        let leaves = self.leaves(pointer.provenance);
        if leaves.none {
            return false;
        }
        let mut globals: Vec<Target> =
            leaves.objects.iter().map(|&id| self.graph.objects.get(id).target).collect();
        if leaves.unknown {
            globals.extend(self.points.of(self.function_id(), operand));
        }
        let ends = |target: &Target| match target {
            Target::Global(id) => {
                let global = self.program.global(*id);
                let bytes = global.bytes.as_deref().unwrap_or_default();
                let padded = (bytes.len() as u64) < global.size;
                global.constant && (padded || bytes.last().is_none_or(|&byte| byte == 0))
            }
            _ => false,
        };
        if !globals.iter().all(ends) {
            return false;
        }
        let demand = Demand { bytes: 1, writes: false, whole_block: false };
        self.resolve(state, operand, pointer, demand);
        true
    }

    fn memory_function(
        &mut self,
        state: &mut State,
        function: MemoryFunction,
        args: Args<'_>,
        result: Option<Reg>,
    ) {
        let number = |executor: &mut Self, state: &mut State, index: usize| {
            let (ty, operand) = args.get(index).copied().unwrap_or((Type::Ptr, Operand::Undef));
            let width = executor.width(ty);
            let value = executor.number(state, operand, width);
            executor.graph.terms.as_const(value)
        };
        let (size, align, initial) = match function {
            MemoryFunction::Malloc => (number(self, state, 0), Some(16), Initial::Undefined),
            MemoryFunction::Calloc => {
                let (count, size) = (number(self, state, 0), number(self, state, 1));
                let size = count.zip(size).and_then(|(count, size)| count.checked_mul(size));
                (size, Some(16), Initial::Zero)
            }
            MemoryFunction::AlignedAlloc => {
                let align = number(self, state, 0);
                (number(self, state, 1), align, Initial::Undefined)
            }
            MemoryFunction::Free => {
                let operand = args.first().map_or(Operand::Undef, |&(_, operand)| operand);
                return self.free(state, operand);
            }
            MemoryFunction::Realloc | MemoryFunction::ReallocArray => {
                return self.realloc(state, function, args, result);
            }
        };
        let align = align.and_then(|align| u64::try_from(align).ok());
        let length = match (function, size) {
            (MemoryFunction::Malloc, None) => {
                let operand = args.first().map_or(Operand::Undef, |&(_, operand)| operand);
                let width = self.pointer_bits();
                let wanted = self.number(state, operand, width);
                Some(self.small_length(state, wanted))
            }
            _ => None,
        };
        let size = size.or(length.map(|_| LARGEST_UNKNOWN));
        let (Some(size), Some(align)) = (size, align) else {
            return self.unsupported(state, Unmodelled::BlockOfUnknownSize);
        };
        let fails = self.allocation_failure(state);
        let code = self.terms().constant(32, codes::ENOMEM as u128);
        self.set_errno(state, fails, code);
        let Some(id) = self.allocate(state, ObjectKind::Heap, size, align, initial) else { return };
        self.graph.objects.set_length(id, length);
        self.note_block(state, id);
        let width = self.pointer_bits();
        let (terms, objects) = self.parts();
        let address = objects.address(terms, id, 0, width);
        let null = self.constant(width, 0);
        let value = null.or_else(&mut self.graph.terms, fails, address);
        if let Some(reg) = result {
            self.set(state, reg, value);
        }
    }

    /// A size that depends on the run. Large ones are not followed.
    pub(super) fn small_length(&mut self, state: &mut State, length: Term) -> Term {
        let width = self.pointer_bits();
        let most = self.terms().constant(width, LARGEST_UNKNOWN);
        let small = self.terms().ule(length, most);
        let large = self.terms().not(small);
        let guard = self.terms().and(state.guard, large);
        let what = Unmodelled::BlockOfUnknownSizeAbove(LARGEST_UNKNOWN);
        self.find(guard, FindingKind::Unsupported(what), state);
        state.require(&mut self.graph.terms, small);
        length
    }

    fn allocation_failure(&mut self, state: &State) -> Term {
        if !self.config.allocation_failure {
            return self.terms().falsity();
        }
        let fails = self.terms().var(1);
        self.pick(state.guard, fails);
        fails
    }

    /// A new block may get the address of a freed one, which only matters to a program that can
    /// tell; that is not modelled here. Which blocks may be free by then is known at the end.
    pub(super) fn note_block(&mut self, state: &State, block: ObjectId) {
        if self.observes_addresses {
            let what = Unmodelled::ReusedAddress;
            let finding = Finding {
                kind: FindingKind::Unsupported(what),
                guard: state.guard,
                thread: self.current.id,
                position: self.current.position,
                site: self.site(),
            };
            let thread = &self.graph.threads[self.current.id.0 as usize];
            let (freed_before, steps_before) = (self.freed.len(), thread.steps.len());
            self.made.push(Made { finding, block, freed_before, steps_before });
        }
    }

    /// Remarks on blocks that may get the address of one that is freed before.
    pub fn note_reuse(&mut self) {
        let made = std::mem::take(&mut self.made);
        for made in self.config.alarm.until(made) {
            let mut guards = Vec::new();
            for (index, freed) in self.freed.iter().enumerate() {
                let mut others = self.graph.candidates(&freed.may).into_iter();
                if !self.is_later(&made, index, freed) && others.any(|id| id != made.block) {
                    guards.push(freed.guard);
                }
            }
            let freed = self.terms().or_all(&guards);
            let guard = self.terms().and(made.finding.guard, freed);
            if !self.terms().is_false(guard) {
                self.graph.findings.push(Finding { guard, ..made.finding });
            }
        }
    }

    /// Whether a block is certainly freed after another is made: later by the same thread, or by
    /// one that this thread creates later.
    fn is_later(&self, made: &Made, index: usize, freed: &Freed) -> bool {
        let mut thread = freed.thread;
        if thread == made.finding.thread {
            return index >= made.freed_before;
        }
        while let Some(step) = self.graph.threads[thread.0 as usize].created_by {
            thread = self.graph.step(step).thread;
            if thread == made.finding.thread {
                let steps = &self.graph.threads[thread.0 as usize].steps;
                return steps.iter().position(|it| *it == step) >= Some(made.steps_before);
            }
        }
        false
    }

    fn free(&mut self, state: &mut State, operand: Operand) {
        let width = self.pointer_bits();
        let pointer = self.operand(state, operand, width);
        let zero = self.terms().constant(width, 0);
        let null = self.terms().eq(pointer.bits, zero);
        let mut nothing = state.clone();
        nothing.require(&mut self.graph.terms, null);
        let block = self.terms().not(null);
        state.require(&mut self.graph.terms, block);
        if !self.graph.terms.is_false(state.guard) {
            self.free_block(state, operand, pointer);
        }
        let mut merged = None;
        self.join_paths(&mut merged, nothing);
        let freed = std::mem::replace(state, self.dead());
        self.join_paths(&mut merged, freed);
        *state = merged.unwrap_or_else(|| self.dead());
    }

    fn free_block(&mut self, state: &mut State, operand: Operand, pointer: Value) {
        let demand = Demand { bytes: 0, writes: false, whole_block: true };
        let resolved = self.resolve(state, operand, pointer, demand);
        self.end_block(state, pointer, &resolved);
    }

    /// A heap block ceases to exist.
    pub(super) fn end_block(&mut self, state: &mut State, pointer: Value, resolved: &Resolved) {
        let guard = state.guard;
        let mut may = MayAccess::default();
        if let Some((_, shared, _)) = resolved.shared_part() {
            may = (*shared).clone();
        }
        may.objects.extend(resolved.private_parts().iter().map(|(id, _)| *id));
        self.freed.push(Freed { thread: self.current.id, guard, may });
        for (id, here) in resolved.private_parts() {
            state.memory.end(&mut self.graph.terms, id, here);
        }
        if let Some((step, may, shared)) = resolved.shared_part() {
            let guard = self.terms().and(state.guard, shared);
            let dead = self.terms().falsity();
            let value = Value::number(&mut self.graph.terms, dead);
            let may: Rc<MayAccess> = may;
            self.event(step, guard, Space::Life, true, pointer, 1, value, &may);
        }
    }
}

/// For the format and each argument after it, whether more than its value may be used there: a text
/// is read, or something that is not known is done. A `*` takes an argument of its own.
fn text_arguments(format: &[u8]) -> Vec<bool> {
    let mut texts = vec![true];
    let mut rest = format.iter();
    while rest.any(|&byte| byte == b'%') {
        for &byte in rest.by_ref() {
            match byte {
                b'*' => texts.push(false),
                b'%' => break,
                b'l' | b'h' | b'q' | b'j' | b'z' | b't' | b'L' => {}
                letter if letter.is_ascii_alphabetic() => {
                    texts.push(!b"diouxXcpeEfFgGaA".contains(&letter));
                    break;
                }
                _ => {}
            }
        }
    }
    texts
}
