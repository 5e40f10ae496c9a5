//! The state of an object that several threads change: a value in [`Space::Sync`].

use unravel_term::Term;

use super::{Executor, Object};
use crate::graph::{Space, StepId};
use crate::value::Value;

impl Executor<'_> {
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
    }

    /// Holds in every run.
    pub(super) fn constrain(&mut self, guard: Term, holds: Term) {
        let constraint = self.terms().implies(guard, holds);
        self.graph.constraints.push(constraint);
    }
}
