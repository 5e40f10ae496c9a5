//! Objects: local variables, globals, and what the runtime has.

use std::collections::BTreeMap;
use std::rc::Rc;
use unravel_kinds::Unmodelled;

use unravel_interp::memory::ObjectKind;
use unravel_program::{GlobalId, Op, Operand};
use unravel_term::Term;

use super::Executor;
use crate::graph::{MayAccess, Mode, Space, StepId};
use crate::object::{Initial, Object, ObjectId};
use crate::points_to::Target;
use crate::state::State;
use crate::value::Value;

impl Executor<'_> {
    pub fn alloca(&mut self, state: &mut State, op: &Op) {
        let Op::Alloca { dst, size, count, align, .. } = op else { return };
        let width = self.pointer_bits();
        let count = self.number(state, *count, width);
        let Some(count) = self.terms().as_const(count) else {
            return self.unsupported(state, Unmodelled::ArrayOfUnknownLength);
        };
        let bytes = u128::from(*size).saturating_mul(count);
        if let Some(id) = self.allocate(state, ObjectKind::Stack, bytes, *align, Initial::Undefined)
        {
            self.frame().locals.push(id);
            let (terms, objects) = self.parts();
            let address = objects.address(terms, id, 0, width);
            self.set(state, *dst, address);
        }
    }

    /// A new object made by the current instruction.
    pub fn allocate(
        &mut self,
        state: &mut State,
        kind: ObjectKind,
        bytes: u128,
        align: u64,
        initial: Initial,
    ) -> Option<ObjectId> {
        let size = u64::try_from(bytes).ok().filter(|&size| size <= self.config.memory_limit);
        let Some(size) = size else {
            self.unsupported(state, Unmodelled::LargeObject(bytes));
            return None;
        };
        let target = self.target();
        let object = Object {
            target,
            kind,
            base: 0,
            size,
            length: None,
            shared: self.points.is_shared(target),
            constant: false,
            mortal: self.is_mortal(target),
            guard: state.guard,
            site: self.site(),
            initial,
        };
        let id = self.graph.objects.add(object, align);
        if id.is_none() {
            self.unsupported(state, Unmodelled::ManyObjects);
        }
        id
    }

    /// What is allocated here, for the points-to analysis.
    pub fn target(&mut self) -> Target {
        let frame = self.frame();
        Target::Allocation(frame.function, frame.block, frame.index)
    }

    /// The block of a local ends. Its register was set by one execution of its `Alloca`, so it names
    /// one object.
    pub fn end_local(&mut self, state: &mut State, address: Operand) {
        let width = self.pointer_bits();
        let address = self.operand(state, address, width);
        let number = self.terms().as_const(address.provenance);
        let Some(id) = number.and_then(ObjectId::of_provenance) else {
            return self.unsupported(state, Unmodelled::UnforeseenAccess);
        };
        self.frame().locals.retain(|&local| local != id);
        self.end_locals(state, &[id]);
    }

    /// The local variables of a call end.
    pub fn end_locals(&mut self, state: &mut State, locals: &[ObjectId]) {
        let truth = self.terms().truth();
        let (shared, private): (Vec<ObjectId>, Vec<ObjectId>) =
            locals.iter().partition(|&&id| self.graph.objects.get(id).shared);
        for id in private {
            state.memory.end(&mut self.graph.terms, id, truth);
        }
        if shared.is_empty() {
            return;
        }
        let step = self.step(state);
        for id in shared {
            let made = self.graph.objects.get(id).guard;
            let guard = self.terms().and(state.guard, made);
            self.end_life(step, guard, id);
        }
    }

    pub fn end_life(&mut self, step: StepId, guard: Term, id: ObjectId) {
        let width = self.pointer_bits();
        let (terms, objects) = self.parts();
        let address = objects.address(terms, id, 0, width);
        let dead = terms.falsity();
        let value = Value::number(terms, dead);
        let may = Rc::new(MayAccess { objects: vec![id], anywhere_in: Vec::new() });
        let before = std::mem::replace(&mut self.mode, Mode { silent: true, ..Mode::default() });
        self.event(step, guard, Space::Life, true, address, 1, value, &may);
        self.mode = before;
    }

    /// The object of a global: this thread's, if it is thread-local.
    pub fn global(&mut self, id: GlobalId) -> ObjectId {
        let info = self.program.global(id);
        let known = if info.thread_local {
            self.current.thread_locals.get(&id)
        } else {
            self.globals.get(&id)
        };
        if let Some(&object) = known {
            return object;
        }
        let object = self.make_global(id);
        if info.thread_local {
            self.current.thread_locals.insert(id, object);
        } else {
            self.globals.insert(id, object);
        }
        object
    }

    fn make_global(&mut self, id: GlobalId) -> ObjectId {
        let info = self.program.global(id);
        let target = Target::Global(id);
        let stream =
            info.bytes.is_none() && matches!(info.name.as_str(), "stdin" | "stdout" | "stderr");
        let initial = match &info.bytes {
            Some(bytes) => Initial::Bytes(bytes.clone(), BTreeMap::new()),
            None if stream => Initial::Zero,
            None => Initial::Undefined,
        };
        let object = Object {
            target,
            kind: if info.thread_local { ObjectKind::ThreadLocal } else { ObjectKind::Global },
            base: 0,
            size: info.size,
            length: None,
            shared: self.points.is_shared(target) && !info.constant && !stream,
            constant: info.constant || stream,
            mortal: info.thread_local,
            guard: self.graph.terms.truth(),
            site: info.site,
            initial,
        };
        let Some(object) = self.graph.objects.add(object, info.align) else {
            return ObjectId(0);
        };
        if info.thread_local {
            self.current.thread_locals.insert(id, object);
        } else {
            self.globals.insert(id, object);
        }
        self.enter_relocations(id, object, stream);
        object
    }

    fn enter_relocations(&mut self, id: GlobalId, object: ObjectId, stream: bool) {
        let info = self.program.global(id);
        let width = self.pointer_bits();
        let mut pointers = BTreeMap::new();
        let state = self.dead();
        for relocation in &info.relocations {
            let value = self.operand(&state, relocation.target, width);
            pointers.insert(relocation.offset, value);
        }
        if stream {
            // What a stream is inside is nobody's business; it must only be known again.
            let (terms, objects) = self.parts();
            pointers.insert(0, objects.address(terms, object, 0, width));
        }
        self.enter_relaxed(id, &mut pointers);
        if !pointers.is_empty() {
            let bytes = info.bytes.clone().unwrap_or_default();
            self.graph.objects.set_initial(object, Initial::Bytes(bytes, pointers));
        }
    }

    /// This thread's `errno`.
    pub fn errno(&mut self) -> ObjectId {
        if let Some(known) = self.current.errno {
            return known;
        }
        let object = Object {
            target: Target::Errno,
            kind: ObjectKind::ThreadLocal,
            base: 0,
            size: 4,
            length: None,
            shared: self.points.is_shared(Target::Errno),
            constant: false,
            mortal: false,
            guard: self.graph.terms.truth(),
            site: unravel_program::SiteId(0),
            initial: Initial::Zero,
        };
        let id = self.graph.objects.add(object, 4).unwrap_or(ObjectId(0));
        self.current.errno = Some(id);
        id
    }
}
