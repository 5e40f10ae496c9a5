//! The state of an object that several threads change: a value in [`Space::Sync`].

use unravel_interp::Property;
use unravel_kinds::Unmodelled;
use unravel_program::Ordering;
use unravel_program::library::sync::Class;
use unravel_term::Term;

use super::{Executor, Object};
use crate::graph::{Fence, FindingKind, InitWrite, LockUse, Mode, Space, StepId};
use crate::object::ObjectId;
use crate::state::State;
use crate::value::Value;

/// Bytes of an object that say what it is.
const STATE_BYTES: u64 = 4;

impl Executor<'_> {
    /// What is done to the state next publishes what the thread did before, or learns what others
    /// did (for races).
    pub(super) fn orders(&mut self, releases: bool, acquires: bool) {
        self.mode = Mode { atomic: true, releases, acquires, silent: false };
    }

    /// The state at this moment.
    pub(super) fn read_state(&mut self, guard: Term, object: &Object, width: u16) -> Term {
        self.read_state_at(object.step, guard, object, width)
    }

    /// The state at the end of the run.
    pub(super) fn last_state(&mut self, guard: Term, object: &Object, width: u16) -> Term {
        let end = self.graph.end;
        self.read_state_at(end, guard, object, width)
    }

    pub(super) fn read_state_at(
        &mut self,
        step: StepId,
        guard: Term,
        object: &Object,
        width: u16,
    ) -> Term {
        let bits = self.terms().var(width);
        let value = Value::number(self.terms(), bits);
        self.event(step, guard, Space::Sync, false, object.address, 1, value, &object.may);
        self.mode = Mode::default();
        bits
    }

    pub(super) fn write_state(&mut self, guard: Term, object: &Object, bits: Term) {
        self.write_state_at(object.step, guard, object, bits);
    }

    pub(super) fn write_state_at(
        &mut self,
        step: StepId,
        guard: Term,
        object: &Object,
        bits: Term,
    ) {
        let value = Value::number(self.terms(), bits);
        self.event(step, guard, Space::Sync, true, object.address, 1, value, &object.may);
        self.mode = Mode::default();
    }

    /// An initialization writes the object's memory, as far as races go.
    pub(super) fn note_init(&mut self, state: &State, object: &Object, class: Class) {
        let bytes = class.footprint();
        let (step, address, guard) = (object.step, object.address, state.guard);
        let may = object.may.clone();
        self.graph.init_writes.push(InitWrite { step, guard, address, bytes, may });
    }

    /// A fence orders steps for races only.
    pub fn fence(&mut self, state: &State, ordering: Ordering) {
        if self.config.properties.has(Property::Race) {
            let step = self.step(state);
            let (acquires, releases) = (ordering.acquires(), ordering.releases());
            let guard = state.guard;
            self.graph.fences.push(Fence { step, guard, acquires, releases });
        }
    }

    /// A write of data over an object that was used begins it anew, as what its bytes say: that is
    /// not followed here.
    pub fn refuse_over_state(
        &mut self,
        state: &mut State,
        id: ObjectId,
        at: u64,
        bytes: u64,
        condition: Term,
    ) {
        let has_state =
            |it: &&LockUse| it.has_state || matches!(it.class, Class::Once | Class::Cond);
        let here = |it: &LockUse| it.may.objects.contains(&id).then_some(it.address);
        let uses: Vec<_> = self.graph.lock_uses.iter().filter(has_state).filter_map(here).collect();
        let base = self.graph.objects.get(id).base;
        for address in uses {
            let known =
                self.graph.terms.as_const(address.bits).and_then(|it| u64::try_from(it).ok());
            let beside =
                known.is_some_and(|it| it >= base + at + bytes || it + STATE_BYTES <= base + at);
            if !beside {
                let guard = self.terms().and(state.guard, condition);
                let what = Unmodelled::OverwriteInUse;
                self.find(guard, FindingKind::Unsupported(what), state);
                let fine = self.terms().not(condition);
                state.require(&mut self.graph.terms, fine);
            }
        }
    }

    /// Holds in every run.
    pub(super) fn constrain(&mut self, guard: Term, holds: Term) {
        let constraint = self.terms().implies(guard, holds);
        self.graph.constraints.push(constraint);
    }
}
