//! Accesses to memory: private memory is value flow, shared memory becomes events.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use unravel_kinds::Unmodelled;

use unravel_interp::Property;
use unravel_interp::memory::ObjectKind;
use unravel_program::{Access as How, Op, Operand};
use unravel_term::{Node, Term, Terms};

use super::Executor;
use crate::graph::{Access, Check, FindingKind, MayAccess, Mode, Space, StepId};
use crate::object::{Object, ObjectId, width};
use crate::offsets::candidates;
use crate::points_to::Target;
use crate::state::State;
use crate::value::{PROVENANCE, UNDEFINED, Value};

/// Objects that a provenance may be, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    pub objects: BTreeSet<ObjectId>,
    /// It may be no object's.
    pub none: bool,
    /// It was read from shared memory.
    pub unknown: bool,
}

/// Leaves of provenances met before.
pub(crate) type LeafCache = BTreeMap<Term, Rc<Leaves>>;

/// Where an access goes.
pub(crate) struct Resolved {
    /// Private objects, each with its condition.
    private: Vec<(ObjectId, Term)>,
    /// Shared objects, and the condition that it goes to one.
    shared: Option<(Rc<MayAccess>, Term)>,
    /// The step of the shared part.
    step: Option<StepId>,
}

impl Resolved {
    /// Private objects, each with its condition.
    pub fn private_parts(&self) -> Vec<(ObjectId, Term)> {
        self.private.clone()
    }

    /// Where an access goes so many bytes further on in the same object.
    pub fn further(&self, by: u64) -> Resolved {
        let shared = self.shared.as_ref().map(|(may, condition)| {
            let mut may = (**may).clone();
            may.anywhere_in.iter_mut().for_each(|(_, at)| *at = at.further(by));
            (Rc::new(may), *condition)
        });
        Resolved { private: self.private.clone(), shared, step: self.step }
    }

    /// Step, objects and condition of the shared part.
    pub fn shared_part(&self) -> Option<(StepId, Rc<MayAccess>, Term)> {
        let (may, shared) = self.shared.as_ref()?;
        Some((self.step?, may.clone(), *shared))
    }
}

/// What an access demands.
#[derive(Clone, Copy)]
pub struct Demand {
    /// How many bytes.
    pub bytes: u64,
    /// Constant objects are no good.
    pub writes: bool,
    /// The start of a heap block, to free it.
    pub whole_block: bool,
}

impl Executor<'_> {
    pub fn memory_access(&mut self, state: &mut State, op: &Op) {
        self.mode = mode(op);
        self.access_memory(state, op);
        self.mode = Mode::default();
    }

    fn access_memory(&mut self, state: &mut State, op: &Op) {
        match *op {
            Op::Load { dst, ty, address, .. } => {
                let pointer = self.operand(state, address, self.pointer_bits());
                let value = self.load(state, address, pointer, self.bytes(ty));
                let value = self.cut(value, self.width(ty));
                self.set(state, dst, value);
            }
            Op::Store { ty, address, value, .. } => {
                let value = self.operand(state, value, self.width(ty));
                let pointer = self.operand(state, address, self.pointer_bits());
                self.store(state, address, pointer, self.bytes(ty), value);
            }
            Op::ReadModifyWrite { dst, op, ty, address, value, .. } => {
                let pointer = self.operand(state, address, self.pointer_bits());
                let demand = Demand { bytes: self.bytes(ty), writes: true, whole_block: false };
                let resolved = self.resolve(state, address, pointer, demand);
                let exchange = op == unravel_program::RmwOp::Exchange;
                // A copy decides nothing; arithmetic on what was never assigned does. It is decided
                // before what memory holds: of the two inputs, the interpreter seldom asks for that.
                let operand = match exchange {
                    true => self.operand(state, value, self.width(ty)),
                    false => self.forced(state, value, self.width(ty)),
                };
                let old = self.read(state, address, pointer, &resolved, demand.bytes);
                let old = self.cut(old, self.width(ty));
                let bits = self.modify(op, ty, old.bits, operand.bits);
                let new = Value { bits, ..if exchange { operand } else { old } };
                let truth = self.terms().truth();
                self.write(state, pointer, &resolved, demand.bytes, new, truth);
                self.set(state, dst, old);
            }
            Op::CompareExchange {
                old,
                success,
                ty,
                address,
                expected,
                new,
                weak,
                on_failure,
                ..
            } => {
                let pointer = self.operand(state, address, self.pointer_bits());
                let demand = Demand { bytes: self.bytes(ty), writes: true, whole_block: false };
                let resolved = self.resolve(state, address, pointer, demand);
                // A swap that fails may acquire nothing; the write of one that does not says so.
                let swapped = self.mode;
                self.mode.acquires &= on_failure.acquires();
                let current = self.read(state, address, pointer, &resolved, demand.bytes);
                self.mode = swapped;
                let current = self.cut(current, self.width(ty));
                let expected = self.number(state, expected, self.width(ty));
                let mut swaps = self.terms().eq(current.bits, expected);
                if weak {
                    swaps = self.weakly(state, swaps);
                }
                let new = self.operand(state, new, self.width(ty));
                self.write(state, pointer, &resolved, demand.bytes, new, swaps);
                self.set(state, old, current);
                self.set_number(state, success, swaps);
            }
            _ => {}
        }
    }

    /// A weak compare-and-swap may fail although the values agree.
    fn weakly(&mut self, state: &State, swaps: Term) -> Term {
        let fails = self.terms().var(1);
        let guard = self.terms().and(state.guard, swaps);
        self.pick(guard, fails);
        let goes = self.terms().not(fails);
        self.terms().and(swaps, goes)
    }

    fn cut(&mut self, value: Value, width: u16) -> Value {
        Value { bits: self.terms().resize_zext(value.bits, width), ..value }
    }

    /// A read of up to 16 bytes.
    pub fn load(
        &mut self,
        state: &mut State,
        operand: Operand,
        pointer: Value,
        bytes: u64,
    ) -> Value {
        let demand = Demand { bytes, writes: false, whole_block: false };
        let resolved = self.resolve(state, operand, pointer, demand);
        self.read(state, operand, pointer, &resolved, bytes)
    }

    /// A write of up to 16 bytes.
    pub fn store(
        &mut self,
        state: &mut State,
        operand: Operand,
        pointer: Value,
        bytes: u64,
        value: Value,
    ) {
        let demand = Demand { bytes, writes: true, whole_block: false };
        let resolved = self.resolve(state, operand, pointer, demand);
        let truth = self.terms().truth();
        self.write(state, pointer, &resolved, bytes, value, truth);
    }

    // ----- Where it goes -----

    pub fn leaves(&mut self, provenance: Term) -> Rc<Leaves> {
        if let Some(known) = self.leaves.get(&provenance) {
            return known.clone();
        }
        let mut found = Leaves::default();
        let mut seen = BTreeSet::new();
        let mut work = vec![provenance];
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.graph.terms.node(term) {
                Node::Const(number) => match ObjectId::of_provenance(number) {
                    Some(id) => {
                        found.objects.insert(id);
                    }
                    None => found.none = true,
                },
                Node::Ite(_, a, b) => work.extend([a, b]),
                _ => found.unknown = true,
            }
        }
        let found = Rc::new(found);
        self.leaves.insert(provenance, found.clone());
        found
    }

    /// Where an access goes. Paths on which it is an error end here.
    pub fn resolve(
        &mut self,
        state: &mut State,
        operand: Operand,
        pointer: Value,
        demand: Demand,
    ) -> Resolved {
        let leaves = self.leaves(pointer.provenance);
        if leaves.none || leaves.unknown {
            self.refuse_numbers(state, pointer);
        }
        let mut may = MayAccess::default();
        if leaves.unknown {
            let places = self.points.places(self.function_id(), operand).into_iter();
            may.anywhere_in = places.map(|(it, at)| (it, at.further(self.beyond))).collect();
        }
        let mut resolved = Resolved { private: Vec::new(), shared: None, step: None };
        let mut fine = Vec::new();
        for &id in &leaves.objects {
            if self.graph.objects.get(id).shared {
                may.objects.push(id);
            } else {
                let here = self.is_object(pointer, id);
                let fits = self.fits(pointer, id, demand);
                let gone = state.memory.gone(&self.graph.terms, id);
                let terms = self.terms();
                let alive = terms.not(gone);
                fine.push(terms.and_all(&[here, fits, alive]));
                resolved.private.push((id, here));
            }
        }
        if leaves.unknown || !may.objects.is_empty() {
            let elsewhere: Vec<Term> = resolved.private.iter().map(|(_, here)| *here).collect();
            let private = self.terms().or_all(&elsewhere);
            let shared = self.terms().not(private);
            let may = Rc::new(may);
            let step = self.step(state);
            resolved.step = Some(step);
            fine.push(self.shared_fine(state, pointer, demand, &may, shared, step));
            resolved.shared = Some((may, shared));
        }
        let fine = self.terms().or_all(&fine);
        let wrong = self.terms().not(fine);
        self.violation(state, Property::Memory, wrong);
        resolved
    }

    pub fn is_object(&mut self, pointer: Value, id: ObjectId) -> Term {
        let number = self.terms().constant(PROVENANCE, id.provenance());
        self.terms().eq(pointer.provenance, number)
    }

    pub fn fits(&mut self, pointer: Value, id: ObjectId, demand: Demand) -> Term {
        let (terms, objects) = self.parts();
        fits(terms, objects.get(id), pointer, demand)
    }

    /// Null is an error; any other number may be the address of something.
    fn refuse_numbers(&mut self, state: &mut State, pointer: Value) {
        let width = self.pointer_bits();
        let terms = self.terms();
        let (none, undefined) =
            (terms.constant(PROVENANCE, 0), terms.constant(PROVENANCE, UNDEFINED));
        let (a, b) = (terms.eq(pointer.provenance, none), terms.eq(pointer.provenance, undefined));
        let number = terms.or(a, b);
        let page = terms.constant(width, 4096);
        let large = terms.uge(pointer.bits, page);
        let refused = terms.and(number, large);
        let guard = terms.and(state.guard, refused);
        let what = Unmodelled::UnknownAddress;
        self.find(guard, FindingKind::Unsupported(what), state);
        let fine = self.terms().not(refused);
        state.require(self.terms(), fine);
    }

    /// Whether the access to shared memory is no error.
    fn shared_fine(
        &mut self,
        state: &State,
        pointer: Value,
        demand: Demand,
        may: &Rc<MayAccess>,
        shared: Term,
        step: StepId,
    ) -> Term {
        let life = self.life(state, pointer, may, shared, step);
        if may.anywhere_in.is_empty() {
            let mut fine = Vec::new();
            for &id in &may.objects {
                let here = self.is_object(pointer, id);
                let fits = self.fits(pointer, id, demand);
                let mortal = self.graph.objects.get(id).mortal;
                let truth = self.terms().truth();
                let alive = life.filter(|_| mortal).unwrap_or(truth);
                fine.push(self.terms().and_all(&[here, fits, alive]));
            }
            return self.terms().or_all(&fine);
        }
        let ok = self.terms().var(1);
        let guard = self.terms().and(state.guard, shared);
        self.graph.checks.push(Check {
            ok,
            guard,
            address: pointer,
            bytes: demand.bytes,
            writes: demand.writes,
            whole_block: demand.whole_block,
            life,
            may: may.clone(),
        });
        ok
    }

    /// Reads whether the object still exists, if it may not.
    fn life(
        &mut self,
        state: &State,
        pointer: Value,
        may: &Rc<MayAccess>,
        shared: Term,
        step: StepId,
    ) -> Option<Term> {
        let mortal = may.objects.iter().any(|&id| self.graph.objects.get(id).mortal)
            || may.anywhere_in.iter().any(|&(target, _)| self.is_mortal(target));
        if !mortal {
            return None;
        }
        let life = self.terms().var(1);
        let guard = self.terms().and(state.guard, shared);
        let value = Value::number(self.terms(), life);
        self.event(step, guard, Space::Life, false, pointer, 1, value, may);
        Some(life)
    }

    /// Whether objects made there may end while others can reach them.
    pub fn is_mortal(&self, target: Target) -> bool {
        match target {
            Target::Allocation(function, block, index) => {
                let block = self.program.function(function).block(block);
                let op = block.instructions.get(index as usize).map(|it| &it.op);
                matches!(op, Some(Op::Alloca { .. })) || self.points.may_be_freed(target)
            }
            Target::Global(id) => self.program.global(id).thread_local,
            _ => false,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of an event")]
    pub fn event(
        &mut self,
        step: StepId,
        guard: Term,
        space: Space,
        writes: bool,
        address: Value,
        bytes: u64,
        value: Value,
        may: &Rc<MayAccess>,
    ) {
        if self.graph.terms.is_false(guard) {
            return;
        }
        let position = self.next_event(step);
        let may = may.clone();
        let site = self.site();
        // Atomic sections do not race with each other.
        let inside = self.sections.iter().rev().any(|section| section.step == step);
        let whole = Mode { atomic: true, releases: true, acquires: true, silent: false };
        let mode = if inside && space == Space::Data { whole } else { self.mode };
        self.graph.accesses.push(Access {
            mode,
            step,
            position,
            site,
            guard,
            space,
            writes,
            address,
            bytes,
            value,
            may,
        });
    }

    // ----- Reading and writing -----

    pub fn read(
        &mut self,
        state: &mut State,
        operand: Operand,
        pointer: Value,
        resolved: &Resolved,
        bytes: u64,
    ) -> Value {
        let mut value: Option<Value> = None;
        if let (Some((may, shared)), Some(step)) = (&resolved.shared, resolved.step) {
            let holds_pointers = bytes == self.pointer_bytes()
                && self.points.holds_pointers(self.function_id(), operand, self.beyond);
            let known = self.known(state, pointer, bytes);
            let bits = known.map_or_else(|| self.terms().var(width(bytes)), |it| it.bits);
            let provenance = match known {
                _ if !holds_pointers => self.terms().constant(PROVENANCE, 0),
                Some(known) => known.provenance,
                None => self.terms().var(PROVENANCE),
            };
            let read = Value { bits, provenance };
            let guard = self.terms().and(state.guard, *shared);
            self.event(step, guard, Space::Data, false, pointer, bytes, read, may);
            value = Some(read);
        }
        for &(id, here) in &resolved.private {
            let Some(read) = self.read_private(state, id, pointer, bytes) else { continue };
            value = Some(value.map_or(read, |other| read.or_else(self.terms(), here, other)));
        }
        let value = value.unwrap_or_else(|| self.constant(width(bytes), 0));
        // Should the memory never have been written, the interpreter asks for the value here.
        if self.terms().as_const(value.bits).is_none() {
            self.memory_input(state, value.bits);
        }
        self.decided(value, bytes)
    }

    /// A value that was read: what was never written, on this path or another, is a number now. What
    /// is narrower than a pointer is one in any case.
    fn decided(&mut self, value: Value, bytes: u64) -> Value {
        let (narrow, terms) = (bytes < self.pointer_bytes(), self.terms());
        let none = terms.constant(PROVENANCE, 0);
        match terms.as_const(value.provenance) {
            Some(UNDEFINED) => Value::number(terms, value.bits),
            Some(_) => value,
            None if narrow => Value::number(terms, value.bits),
            None => {
                let undefined = terms.constant(PROVENANCE, UNDEFINED);
                let never = terms.eq(value.provenance, undefined);
                Value { provenance: terms.ite(never, none, value.provenance), ..value }
            }
        }
    }

    fn offset(&mut self, pointer: Value, id: ObjectId) -> Term {
        let base = u128::from(self.graph.objects.get(id).base);
        let width = self.pointer_bits();
        let base = self.terms().constant(width, base);
        self.terms().sub(pointer.bits, base)
    }

    pub fn read_private(
        &mut self,
        state: &mut State,
        id: ObjectId,
        pointer: Value,
        bytes: u64,
    ) -> Option<Value> {
        let offset = self.offset(pointer, id);
        let size = self.graph.objects.get(id).size;
        let Some(places) = candidates(&self.graph.terms, offset, bytes, size) else {
            self.unsupported(state, Unmodelled::LargeArrayIndex);
            return None;
        };
        let mut value: Option<Value> = None;
        for &at in places.iter().rev() {
            let (terms, objects) = self.parts();
            let read = state.memory.read(terms, objects, id, at, bytes);
            value = Some(match value {
                None => read,
                Some(other) => {
                    let here = self.is_at(offset, at);
                    read.or_else(self.terms(), here, other)
                }
            });
        }
        value
    }

    fn is_at(&mut self, offset: Term, at: u64) -> Term {
        let width = self.pointer_bits();
        let at = self.terms().constant(width, u128::from(at));
        self.terms().eq(offset, at)
    }

    /// Writes where a condition holds.
    pub fn write(
        &mut self,
        state: &mut State,
        pointer: Value,
        resolved: &Resolved,
        bytes: u64,
        value: Value,
        condition: Term,
    ) {
        let value = self.cut(value, width(bytes));
        if let (Some((may, shared)), Some(step)) = (&resolved.shared, resolved.step) {
            let guard = self.terms().and_all(&[state.guard, *shared, condition]);
            self.event(step, guard, Space::Data, true, pointer, bytes, value, may);
            self.learn(state, pointer, bytes, value, condition, may);
        }
        for &(id, here) in &resolved.private {
            let here = self.terms().and(here, condition);
            self.write_private(state, id, pointer, bytes, value, here);
        }
    }

    pub fn write_private(
        &mut self,
        state: &mut State,
        id: ObjectId,
        pointer: Value,
        bytes: u64,
        value: Value,
        condition: Term,
    ) {
        let offset = self.offset(pointer, id);
        let size = self.graph.objects.get(id).size;
        let Some(places) = candidates(&self.graph.terms, offset, bytes, size) else {
            return self.unsupported(state, Unmodelled::LargeArrayIndex);
        };
        let single = places.len() == 1;
        for at in places {
            self.refuse_over_state(state, id, at, bytes, condition);
            let mut here = condition;
            if !single {
                let is_at = self.is_at(offset, at);
                here = self.terms().and(here, is_at);
            }
            let (terms, objects) = self.parts();
            if terms.is_false(here) {
                continue;
            }
            let old = state.memory.read(terms, objects, id, at, bytes);
            let new = value.or_else(terms, here, old);
            self.graph.private_writes.insert((id, at, bytes));
            let terms = &mut self.graph.terms;
            state.memory.write(terms, id, at, bytes, new);
        }
    }
}

/// How an access takes part in synchronization.
fn mode(op: &Op) -> Mode {
    let ordering = match op {
        Op::Load { access: How::Atomic(ordering), .. }
        | Op::Store { access: How::Atomic(ordering), .. } => *ordering,
        Op::ReadModifyWrite { ordering, .. } => *ordering,
        Op::CompareExchange { on_success, .. } => *on_success,
        _ => return Mode::default(),
    };
    let (releases, acquires) = (ordering.releases(), ordering.acquires());
    Mode { atomic: true, releases, acquires, silent: false }
}

/// Whether an access with a pointer into an object lies inside it.
pub fn fits(terms: &mut Terms, object: &Object, pointer: Value, demand: Demand) -> Term {
    if demand.writes && object.constant {
        return terms.falsity();
    }
    let width = terms.width(pointer.bits);
    let base = terms.constant(width, u128::from(object.base));
    let offset = terms.sub(pointer.bits, base);
    if demand.whole_block {
        let zero = terms.constant(width, 0);
        let heap = terms.boolean(object.kind == ObjectKind::Heap);
        let start = terms.eq(offset, zero);
        return terms.and(heap, start);
    }
    if let Some(length) = object.length {
        return fits_length(terms, offset, length, demand.bytes);
    }
    match object.size.checked_sub(demand.bytes) {
        Some(last) => {
            let last = terms.constant(width, u128::from(last));
            terms.ule(offset, last)
        }
        None => terms.falsity(),
    }
}

/// Whether bytes at an offset lie inside a length, both of one width.
fn fits_length(terms: &mut Terms, offset: Term, length: Term, bytes: u64) -> Term {
    let width = terms.width(offset);
    let bytes = terms.constant(width, u128::from(bytes));
    let enough = terms.ule(bytes, length);
    let last = terms.sub(length, bytes);
    let inside = terms.ule(offset, last);
    terms.and(enough, inside)
}
