//! Condition variables.
//!
//! A wait releases the mutex and takes it again in a later step. A wakeup may come without a
//! signal, so nothing has to be known for a wait to end; but a thread that is *not* woken, or gives
//! up after a time, must not have been signaled, and so every signal in between went to somebody
//! else. That is said when all signals are known.

use unravel_kinds::Unmodelled;
use unravel_program::library::sync::{Argument, Class, Cond, Deed, MutexKind, SyncOp};
use unravel_term::Term;

use super::locks::Operation;
use super::{Args, Executor, Object};
use crate::graph::{CondClash, CondWait, Signal, StepId, WaitOn};
use crate::state::State;

impl Executor<'_> {
    pub(super) fn cond_wait(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let timed = op.may_time_out();
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let mutex = self.wait_mutex(state, &object, args);
        let wrong = self.terms().not(mutex.mine);
        if mutex.kind == MutexKind::ErrorCheck {
            let refused = op.code_in(&[Cond::WaitMutexNotHeld, Cond::WaitMutexChecks]);
            return self.refuse_or(state, wrong, refused.unwrap_or(0), |executor, state| {
                Some(executor.wait_with(state, &object, mutex, timed, args))
            });
        }
        self.misuse_ends(state, wrong, Unmodelled::WaitWithoutMutex);
        Some(self.wait_with(state, &object, mutex, timed, args))
    }

    /// Waits with a mutex that the thread holds.
    fn wait_with(
        &mut self,
        state: &mut State,
        object: &Object,
        mutex: Operation,
        timed: bool,
        args: Args<'_>,
    ) -> Term {
        self.refuse_other_mutex(state, object, &mutex);
        self.release(state, &mutex);
        let begun = state.guard;
        self.settle(object.step, begun);
        let timeout = timed.then(|| self.give_up(state));
        let index = self.graph.cond_waits.len();
        let signaled = self.terms().var(1);
        self.current.position.progress = if timed { 2 } else { 1 };
        let wake = self.new_step(state);
        self.graph.steps[wake.0 as usize].sync = Some(SyncOp::CondWake);
        self.graph.cond_waits.push(CondWait {
            address: object.address,
            mutex: mutex.address,
            begin: object.step,
            begun,
            timeout,
            wake,
            woken: begun,
            signaled,
        });
        self.take_again(state, &Operation { step: wake, ..mutex }, index, timed, args);
        self.graph.cond_waits[index].woken = state.guard;
        let fine = self.number_code(0);
        match timeout {
            Some((_, gives_up)) => {
                let late = self.code_in(SyncOp::CondTimedOut, &[Cond::WaitMutexAvailable]);
                self.terms().ite(gives_up, late, fine)
            }
            None => fine,
        }
    }

    /// Others may wait there with another mutex; that is known when all waits are.
    fn refuse_other_mutex(&mut self, state: &mut State, object: &Object, mutex: &Operation) {
        let clash = self.terms().var(1);
        let (step, guard, address) = (object.step, state.guard, object.address);
        self.graph.cond_clashes.push(CondClash {
            step,
            guard,
            address,
            mutex: mutex.address,
            clash,
        });
        self.misuse_ends(state, clash, Unmodelled::WaitWithOtherMutex);
    }

    fn wait_mutex(&mut self, state: &mut State, object: &Object, args: Args<'_>) -> Operation {
        let (operand, address) = self.argument(state, args, Argument::Mutex.position());
        self.check_object(state, object.step, operand, address, Class::Mutex);
        let kind = self.kind(state, Class::Mutex, operand, address);
        let mine = self.is_mine(state, address, false);
        let reads = self.terms().falsity();
        Operation { step: object.step, address, kind, mine, reads }
    }

    /// The time may be over before the mutex is free: from then on no signal is for this thread.
    fn give_up(&mut self, state: &State) -> (StepId, Term) {
        self.current.position.progress = 1;
        let over = self.terms().var(1);
        let mut late = state.clone();
        late.require(&mut self.graph.terms, over);
        let step = self.new_step(&late);
        self.settle(step, late.guard);
        // The interpreter asks which way it goes: up first.
        let goes_on = self.terms().not(over);
        self.pick_wakeup(state.guard, goes_on);
        (step, late.guard)
    }

    /// Takes the mutex again; a thread that waits without limit may also stand for want of a
    /// signal.
    fn take_again(
        &mut self,
        state: &mut State,
        it: &Operation,
        index: usize,
        timed: bool,
        args: Args<'_>,
    ) {
        let (go, stopped) = self.may_stand(state);
        // Meanwhile somebody may have freed what it waits on.
        for (index, class) in [(0, Class::Cond), (Argument::Mutex.position(), Class::Mutex)] {
            let (operand, address) = self.argument(state, args, index);
            self.check_object(state, it.step, operand, address, class);
        }
        let guard = state.guard;
        let on = if timed {
            WaitOn::Lock { address: it.address, shared: false }
        } else {
            WaitOn::Wakeup(index)
        };
        self.wait(stopped, on);
        // A mutex that was locked several times is still held.
        let mine = match it.kind {
            MutexKind::Recursive => self.is_mine(state, it.address, false),
            _ => self.terms().falsity(),
        };
        let it = Operation { mine, ..*it };
        self.count(state, &it, true, false);
        let not_mine = self.terms().not(mine);
        let taken = self.terms().and_all(&[guard, go, not_mine]);
        self.begin_section(state, &it, taken, go, false);
    }

    pub(super) fn signal(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Option<Term> {
        let all = op.deed() == Deed::Broadcast;
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let (step, address, guard) = (object.step, object.address, state.guard);
        self.graph.signals.push(Signal { step, guard, address, all, picks: Vec::new() });
        Some(self.number_code(0))
    }
}
