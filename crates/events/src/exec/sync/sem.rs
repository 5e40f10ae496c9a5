//! Semaphores: what they are (8 bits) and their value (32 bits) are one state.

use unravel_kinds::Unmodelled;
use unravel_program::library::codes;
use unravel_program::library::sync::{Cond, SyncOp};
use unravel_term::Term;

use super::{Args, Executor, Object};
use crate::graph::{SemEnd, SemWait, WaitOn};
use crate::state::State;
use crate::value::Value;

const WIDTH: u16 = 40;
const LIVE: u128 = 1;
const DESTROYED: u128 = 2;

/// The state of a semaphore, taken apart.
struct Sem {
    live: Term,
    value: Term,
    positive: Term,
}

impl Executor<'_> {
    fn sem_state(&mut self, bits: Term) -> Sem {
        let terms = self.terms();
        let (tag, value) = (terms.extract(bits, 32, 8), terms.extract(bits, 0, 32));
        let (live, zero) = (terms.constant(8, LIVE), terms.constant(32, 0));
        let live = terms.eq(tag, live);
        let none = terms.eq(value, zero);
        Sem { live, value, positive: terms.not(none) }
    }

    fn set_value(&mut self, guard: Term, object: &Object, value: Term) {
        let tag = self.terms().constant(8, LIVE);
        let bits = self.terms().concat(tag, value);
        self.write_state(guard, object, bits);
    }

    pub(super) fn sem_init(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let object = self.object(state, op, args);
        let operand = self.operand_of(op, args)?;
        let value = self.number(state, operand, 32);
        let most = self.terms().constant(32, u128::from(codes::SEM_VALUE_MAX));
        let fits = self.terms().ule(value, most);
        if self.graph.threads.len() > 1 {
            self.refuse_init_in_use(state, &object, fits);
        }
        let guard = self.terms().and(state.guard, fits);
        self.set_value(guard, &object, value);
        self.note_init(&State { guard, ..state.clone() }, &object, op.class());
        let (fine, invalid) = (self.number_code(0), self.code_in(op, &[Cond::ValueTooLarge]));
        Some(self.terms().ite(fits, fine, invalid))
    }

    /// Another initialization is a misuse while somebody waits.
    fn refuse_init_in_use(&mut self, state: &mut State, object: &Object, fits: Term) {
        let before = self.read_state(state.guard, object, WIDTH);
        let live = self.sem_state(before).live;
        let in_use = self.terms().var(1);
        let guard = self.terms().and_all(&[state.guard, live, fits]);
        let (step, address) = (object.step, object.address);
        self.graph.sem_ends.push(SemEnd { step, guard, address, in_use });
        let waited = self.terms().and_all(&[fits, live, in_use]);
        self.misuse_ends(state, waited, Unmodelled::SemaphoreInUse);
    }

    /// Takes one, or tries to.
    pub(super) fn sem_wait(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        if op.may_block() {
            self.may_stand_at_sem(state, &object);
        }
        let before = self.read_state(state.guard, &object, WIDTH);
        let sem = self.sem_state(before);
        if op.may_block() {
            let unknown = self.terms().not(sem.live);
            let goes = self.terms().or(unknown, sem.positive);
            self.constrain(state.guard, goes);
        }
        let known = self.require_live(state, sem.live);
        self.take(state, &object, &sem, known);
        let (fine, refused) = (self.number_code(0), self.code_in(op, &[]));
        let code = self.terms().ite(sem.positive, fine, refused);
        Some(self.unless_refused(op, known, code))
    }

    /// The thread may stand at a semaphore that has nothing for it at the end of the run.
    fn may_stand_at_sem(&mut self, state: &mut State, object: &Object) {
        let guard = state.guard;
        let (_, stopped) = self.may_stand(state);
        let last = self.last_state(stopped, object, WIDTH);
        let sem = self.sem_state(last);
        let none = self.terms().not(sem.positive);
        let blocked = self.terms().and(sem.live, none);
        self.wait(stopped, WaitOn::State { blocked });
        let (step, address, done) = (object.step, object.address, state.guard);
        self.graph.sem_waits.push(SemWait { step, guard, done, address });
    }

    /// Takes one where there is one.
    fn take(&mut self, state: &State, object: &Object, sem: &Sem, known: Term) {
        let one = self.terms().constant(32, 1);
        let less = self.terms().sub(sem.value, one);
        let guard = self.terms().and_all(&[state.guard, known, sem.positive]);
        self.orders(false, true);
        self.set_value(guard, object, less);
    }

    pub(super) fn sem_post(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let before = self.read_state(state.guard, &object, WIDTH);
        let sem = self.sem_state(before);
        let known = self.require_live(state, sem.live);
        let terms = self.terms();
        let most = terms.constant(32, u128::from(codes::SEM_VALUE_MAX));
        let full = terms.uge(sem.value, most);
        let fits = terms.not(full);
        let one = terms.constant(32, 1);
        let more = terms.add(sem.value, one);
        let guard = terms.and_all(&[state.guard, known, fits]);
        self.orders(true, false);
        self.set_value(guard, &object, more);
        let (fine, overflow) = (self.number_code(0), self.code_in(op, &[Cond::Full]));
        let code = self.terms().ite(fits, fine, overflow);
        Some(self.unless_refused(op, known, code))
    }

    pub(super) fn sem_value(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let before = self.read_state(state.guard, &object, WIDTH);
        let sem = self.sem_state(before);
        let known = self.require_live(state, sem.live);
        if !self.graph.terms.is_true(known) {
            self.unsupported(state, Unmodelled::UninitializedSemaphore);
            return None;
        }
        let (operand, pointer) = self.argument(state, args, op.argument().position());
        let value = Value::number(self.terms(), sem.value);
        self.together = Some(object.step);
        self.store(state, operand, pointer, 4, value);
        self.together = None;
        Some(self.number_code(0))
    }

    pub(super) fn sem_destroy(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let before = self.read_state(state.guard, &object, WIDTH);
        let sem = self.sem_state(before);
        let known = self.require_live(state, sem.live);
        let in_use = self.terms().var(1);
        let guard = self.terms().and(state.guard, known);
        let (step, address) = (object.step, object.address);
        self.graph.sem_ends.push(SemEnd { step, guard, address, in_use });
        let waited = self.terms().and(known, in_use);
        self.misuse_ends(state, waited, Unmodelled::SemaphoreInUse);
        let guard = self.terms().and(state.guard, known);
        let tag = self.terms().constant(WIDTH, DESTROYED << 32);
        self.write_state(guard, &object, tag);
        let fine = self.number_code(0);
        Some(self.unless_refused(op, known, fine))
    }
}
