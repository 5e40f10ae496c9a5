//! Initialization and destruction of locks and condition variables.

use unravel_kinds::Unmodelled;
use unravel_program::library::sync::{Class, Deed, SyncOp};
use unravel_term::Term;

use super::{Args, Executor, Object};
use crate::graph::{CondEnd, Lifetime, WaitOn};
use crate::state::State;

const IN_USE: Unmodelled = Unmodelled::LifetimeInUse;

impl Executor<'_> {
    /// Initializes or destroys a lock, or initializes a condition variable.
    pub(super) fn lifetime(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let ends = op.deed() == Deed::Destroy;
        let object = self.object(state, op, args);
        if ends {
            self.use_object(state, op, &object);
        } else {
            self.initialize(state, op, &object, args);
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
        self.misuse_ends(state, wrong, IN_USE);
        self.note_lifetime(state, &object, guard, ends, in_use);
        if !ends {
            self.note_init(state, &object, op.class());
        }
        Some(self.number_code(0))
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
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let guard = state.guard;
        let (_, stopped) = self.may_stand(state);
        self.wait(stopped, WaitOn::Leaving(object.address));
        let in_use = self.terms().var(1);
        let (step, address, done) = (object.step, object.address, state.guard);
        self.graph.cond_ends.push(CondEnd { step, guard, done, address, in_use });
        let refused = self.terms().and(state.guard, in_use);
        self.misuse_ends(state, in_use, IN_USE);
        let never = self.terms().falsity();
        self.note_lifetime(state, &object, refused, true, never);
        Some(self.number_code(0))
    }
}
