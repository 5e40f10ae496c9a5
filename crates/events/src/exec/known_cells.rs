//! What the current thread reads and writes in cells whose value it knows
//! ([`crate::known_cells`]).

use std::rc::Rc;

use unravel_term::Term;

use super::Executor;
use crate::graph::{MayAccess, ThreadId};
use crate::known_cells::{Known, KnownCells, Place};
use crate::mutant::Mutant;
use crate::object::{Initial, ObjectId};
use crate::points_to::Target;
use crate::state::State;
use crate::value::{UNDEFINED, Value};

impl Executor<'_> {
    /// What memory holds there, if nobody but this thread can have written it.
    pub fn known(&mut self, state: &State, pointer: Value, bytes: u64) -> Option<Value> {
        let at = self.exact_place(pointer).filter(|&at| self.is_own(at, bytes))?;
        let value = match state.known.read(at, bytes) {
            Known::Value(value) => value,
            Known::Initial if self.has_initial(at, bytes) => {
                let (terms, objects) = self.parts();
                objects.initial(terms, at.object, at.offset, bytes)
            }
            _ => return None,
        };
        (self.graph.terms.as_const(value.provenance) != Some(UNDEFINED)).then_some(value)
    }

    /// A write to shared memory where a condition holds.
    pub fn learn(
        &self,
        state: &mut State,
        pointer: Value,
        bytes: u64,
        value: Value,
        condition: Term,
        may: &MayAccess,
    ) {
        let known = Rc::make_mut(&mut state.known);
        match self.exact_place(pointer) {
            Some(at) if self.graph.terms.is_true(condition) && self.is_own(at, bytes) => {
                known.write(at, bytes, value);
            }
            Some(at) => known.forget_cell(at, bytes),
            None => {
                let anywhere = may.anywhere_in.iter().map(|(target, _)| *target);
                let objects = may.objects.iter().map(|&id| self.made_at(id));
                anywhere.chain(objects).for_each(|target| known.forget(target));
            }
        }
    }

    /// What a thread that is created now knows.
    pub fn settled(&self, known: &KnownCells) -> KnownCells {
        let written = self.points.among_threads();
        known.settled(|at, bytes| !written.may(at.target, at.offset, bytes))
    }

    fn made_at(&self, id: ObjectId) -> Target {
        self.graph.objects.get(id).target
    }

    fn exact_place(&self, pointer: Value) -> Option<Place> {
        let terms = &self.graph.terms;
        let object = ObjectId::of_provenance(terms.as_const(pointer.provenance)?)?;
        let base = self.graph.objects.get(object).base;
        let offset = u64::try_from(terms.as_const(pointer.bits)?).ok()?.checked_sub(base)?;
        Some(Place { target: self.made_at(object), object, offset })
    }

    /// Whether nobody but this thread writes a cell while this thread is there. Of the first thread
    /// there is one, whatever is created; what others know has to stay as it is.
    fn is_own(&self, at: Place, bytes: u64) -> bool {
        if self.bounds.broken(Mutant::NobodyElseWrites) {
            return true;
        }
        let is_first = self.current.id == ThreadId(0);
        let others = if is_first { self.points.by_threads() } else { self.points.among_threads() };
        !others.may(at.target, at.offset, bytes)
    }

    fn has_initial(&self, at: Place, bytes: u64) -> bool {
        let object = self.graph.objects.get(at.object);
        let is_inside = at.offset.checked_add(bytes).is_some_and(|end| end <= object.size);
        is_inside && !matches!(object.initial, Initial::Undefined)
    }
}
