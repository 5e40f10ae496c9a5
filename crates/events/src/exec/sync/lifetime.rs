//! Initialization and destruction of locks and condition variables.

use unravel_interp::Property;
use unravel_kinds::Unmodelled;
use unravel_program::library::sync::{Class, SyncOp};
use unravel_term::Term;

use super::{Args, Executor, Object};
use crate::graph::{CondEnd, FindingKind, Lifetime, WaitOn};
use crate::state::State;

impl Executor<'_> {
    pub(super) fn lifetime(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
        ends: bool,
    ) -> Option<Term> {
        let object = self.object(state, op, args);
        if ends {
            self.use_object(state, op, &object);
        } else {
            self.initialize(state, op, object.address, args);
        }
        // Who waits at a condition variable does not keep it from being made anew.
        let in_use = match op.class() {
            Class::Cond => self.terms().falsity(),
            _ => self.terms().var(1),
        };
        let (held, read) =
            (self.is_mine(state, object.address, false), self.is_mine(state, object.address, true));
        let wrong = self.terms().or_all(&[held, read, in_use]);
        let guard = self.terms().and(state.guard, wrong);
        self.refuse_use(state, wrong);
        self.note_lifetime(state, &object, guard, ends, in_use);
        if !ends {
            self.note_init(state, &object, op.class());
        }
        Some(self.number_code(0))
    }

    fn refuse_use(&mut self, state: &mut State, wrong: Term) {
        if self.config.properties.has(Property::Misuse) {
            return self.violation(state, Property::Misuse, wrong);
        }
        let guard = self.terms().and(state.guard, wrong);
        let what = Unmodelled::LifetimeInUse;
        self.find(guard, FindingKind::Unsupported(what), state);
        let fine = self.terms().not(wrong);
        state.require(&mut self.graph.terms, fine);
    }

    fn note_lifetime(
        &mut self,
        state: &State,
        object: &Object,
        refused: Term,
        ends: bool,
        in_use: Term,
    ) {
        let done = state.guard;
        let guard = self.terms().or(refused, done);
        let (step, address) = (object.step, object.address);
        self.graph.lifetimes.push(Lifetime { step, guard, done, address, ends, in_use });
    }

    /// A condition variable is destroyed: a misuse if somebody waits, and it waits itself until
    /// those who were woken are gone.
    pub(super) fn cond_destroy(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        if self.waits_in_section(state) {
            return None;
        }
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let guard = state.guard;
        let (_, stopped) = self.may_stand(state);
        self.wait(stopped, WaitOn::Leaving(object.address));
        let in_use = self.terms().var(1);
        let (step, address, done) = (object.step, object.address, state.guard);
        self.graph.cond_ends.push(CondEnd { step, guard, done, address, in_use });
        let refused = self.terms().and(state.guard, in_use);
        self.refuse_use(state, in_use);
        let never = self.terms().falsity();
        self.note_lifetime(state, &object, refused, true, never);
        Some(self.number_code(0))
    }
}
