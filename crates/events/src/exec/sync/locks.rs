//! Mutexes and spin locks.
//!
//! What a thread holds is its own knowledge: nobody else can unlock it, other than by a misuse.
//! So a lock that the thread does not hold begins a critical section, the matching unlocks end
//! it, and all that threads have to agree on is the order of their sections ([`Lock`]).

use unravel_interp::Property;
use unravel_kinds::Unmodelled;
use unravel_program::library::codes;
use unravel_program::library::sync::{MutexKind, SyncOp};
use unravel_term::{Term, Terms};

use super::{Args, Executor};
use crate::graph::{FindingKind, Lock, LockId, Refusal, StepId, WaitOn};
use crate::state::{Open, State};
use crate::value::Value;

/// A lock operation about to be executed.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    pub step: StepId,
    pub address: Value,
    pub kind: MutexKind,
    /// Whether the thread holds the lock, other than for reading.
    pub mine: Term,
    /// Whether it holds it for reading.
    pub reads: Term,
}

impl Operation {
    /// The same, as if reading were holding.
    pub fn any(self, terms: &mut Terms) -> Operation {
        Operation { mine: terms.or(self.mine, self.reads), ..self }
    }
}

impl Executor<'_> {
    /// Checks the address and finds out what the thread knows of the lock.
    pub(super) fn lock_operation(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Operation {
        let object = self.object(state, op, args);
        let kind = self.kind(state, op, object.operand, object.address);
        self.use_object(state, op, &object);
        let (step, address) = (object.step, object.address);
        let (mine, reads) =
            (self.is_mine(state, address, false), self.is_mine(state, address, true));
        Operation { step, address, kind, mine, reads }
    }

    pub(super) fn is_mine(&mut self, state: &State, address: Value, shared: bool) -> Term {
        let mut mine = self.terms().falsity();
        for open in state.open.iter().filter(|open| open.shared == shared) {
            let terms = self.terms();
            let same = terms.eq(open.address.bits, address.bits);
            let here = terms.and(open.held, same);
            mine = terms.or(mine, here);
        }
        mine
    }

    pub(super) fn lock(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Option<Term> {
        if self.waits_in_section(state) {
            return None;
        }
        let it = self.lock_operation(state, op, args);
        match it.kind {
            MutexKind::Normal => {
                self.relock(state, &it);
                self.acquire(state, &it, false);
                Some(self.number_code(0))
            }
            MutexKind::Recursive => {
                self.count(state, &it, true, false);
                self.acquire(state, &it, false);
                Some(self.number_code(0))
            }
            MutexKind::ErrorCheck => {
                self.acquire(state, &it, false);
                let (error, fine) = (self.number_code(codes::EDEADLK), self.number_code(0));
                Some(self.terms().ite(it.mine, error, fine))
            }
        }
    }

    /// A non-recursive lock that the thread holds already: misuse, or it waits for itself.
    fn relock(&mut self, state: &mut State, it: &Operation) {
        let guard = self.terms().and(state.guard, it.mine);
        if self.terms().is_false(guard) {
            return;
        }
        if self.config.properties.has(Property::Misuse) {
            return self.violation(state, Property::Misuse, it.mine);
        }
        self.wait(guard, WaitOn::Itself);
        let not = self.terms().not(it.mine);
        state.require(&mut self.graph.terms, not);
    }

    /// Begins a section, where the thread does not hold the lock, or waits for ever.
    pub(super) fn acquire(&mut self, state: &mut State, it: &Operation, shared: bool) {
        let terms = &mut self.graph.terms;
        let go = terms.var(1);
        let not_mine = terms.not(it.mine);
        let asks = terms.and(state.guard, not_mine);
        let stops = terms.not(go);
        let stopped = terms.and(asks, stops);
        let taken = terms.and(asks, go);
        let on = terms.or(it.mine, go);
        state.require(terms, on);
        self.wait(stopped, WaitOn::Lock { address: it.address, shared });
        self.begin_section(state, it, taken, go, shared);
    }

    pub(super) fn begin_section(
        &mut self,
        state: &mut State,
        it: &Operation,
        guard: Term,
        held: Term,
        shared: bool,
    ) {
        if self.graph.terms.is_false(guard) {
            return;
        }
        let lock = LockId(u32::try_from(self.graph.locks.len()).unwrap_or(u32::MAX));
        let (step, address) = (it.step, it.address);
        self.graph.locks.push(Lock { step, guard, address, unlocks: Vec::new(), shared });
        let terms = &mut self.graph.terms;
        let not_mine = terms.not(it.mine);
        let held = terms.and(held, not_mine);
        let again = terms.constant(32, 0);
        state.open.push(Open { lock, address, held, again, shared });
    }

    /// A recursive mutex that the thread holds, or a lock that it reads, is locked once more or
    /// less.
    pub(super) fn count(&mut self, state: &mut State, it: &Operation, up: bool, shared: bool) {
        for open in state.open.iter_mut().filter(|open| open.shared == shared) {
            let terms = &mut self.graph.terms;
            let same = terms.eq(open.address.bits, it.address.bits);
            let here = terms.and(open.held, same);
            let one = terms.constant(32, 1);
            let next = if up { terms.add(open.again, one) } else { terms.sub(open.again, one) };
            open.again = terms.ite(here, next, open.again);
        }
    }

    /// Whether a lock is tried inside an atomic section, which ends the path.
    pub(super) fn locks_in_section(&mut self, state: &mut State) -> bool {
        let inside = state.atomic.is_some();
        if inside {
            self.unsupported(state, Unmodelled::LockInAtomicSection);
        }
        inside
    }

    pub(super) fn try_lock(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
        refused: i32,
    ) -> Option<Term> {
        if self.locks_in_section(state) {
            return None;
        }
        let it = self.lock_operation(state, op, args);
        let recursive = it.kind == MutexKind::Recursive;
        if recursive {
            self.count(state, &it, true, false);
        }
        let deadlock = it.kind == MutexKind::ErrorCheck && refused == codes::ETIMEDOUT;
        let own = if deadlock { codes::EDEADLK } else { refused };
        let own = self.number_code(if recursive { 0 } else { own });
        let other = self.attempt(state, &it, refused, false);
        Some(self.terms().ite(it.mine, own, other))
    }

    /// Takes the lock, or is refused because another holds it, where the thread does not hold it.
    pub(super) fn attempt(
        &mut self,
        state: &mut State,
        it: &Operation,
        refused: i32,
        shared: bool,
    ) -> Term {
        let terms = &mut self.graph.terms;
        let won = terms.var(1);
        let (lost, not_mine) = (terms.not(won), terms.not(it.mine));
        let taken = terms.and_all(&[state.guard, not_mine, won]);
        let fails = terms.and_all(&[state.guard, not_mine, lost]);
        if !terms.is_false(fails) {
            let (step, address) = (it.step, it.address);
            self.graph.refusals.push(Refusal { step, guard: fails, address, shared });
        }
        self.begin_section(state, it, taken, won, shared);
        let (refused, fine) = (self.number_code(refused), self.number_code(0));
        self.terms().ite(won, fine, refused)
    }

    pub(super) fn unlock(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Option<Term> {
        let it = self.lock_operation(state, op, args);
        let mut code = self.number_code(0);
        if it.kind == MutexKind::Normal {
            self.unlock_not_held(state, &it);
        } else {
            let error = self.number_code(codes::EPERM);
            code = self.terms().ite(it.mine, code, error);
        }
        self.release(state, &it);
        Some(code)
    }

    /// Ends the section of a lock that the thread holds, or counts down.
    pub(super) fn release(&mut self, state: &mut State, it: &Operation) {
        for index in 0..state.open.len() {
            let open = state.open[index];
            let terms = &mut self.graph.terms;
            let same = terms.eq(open.address.bits, it.address.bits);
            let zero = terms.constant(32, 0);
            let last = terms.eq(open.again, zero);
            let here = terms.and_all(&[open.held, same, last]);
            let guard = terms.and(state.guard, here);
            let not = terms.not(here);
            state.open[index].held = terms.and(open.held, not);
            let one = terms.constant(32, 1);
            let less = terms.sub(open.again, one);
            let nested = terms.not(last);
            let nested = terms.and_all(&[open.held, same, nested]);
            state.open[index].again = terms.ite(nested, less, open.again);
            if !self.graph.terms.is_false(guard) {
                let lock = &mut self.graph.locks[open.lock.0 as usize];
                lock.unlocks.push((it.step, guard));
            }
        }
        let terms = &self.graph.terms;
        state.open.retain(|open| !terms.is_false(open.held));
    }

    fn unlock_not_held(&mut self, state: &mut State, it: &Operation) {
        let wrong = self.terms().not(it.mine);
        let guard = self.terms().and(state.guard, wrong);
        if self.terms().is_false(guard) {
            return;
        }
        if self.config.properties.has(Property::Misuse) {
            return self.violation(state, Property::Misuse, wrong);
        }
        // It may release another's lock, which would break what sections promise.
        let what = Unmodelled::UnlockNotHeld;
        self.find(guard, FindingKind::Unsupported(what), state);
        state.require(&mut self.graph.terms, it.mine);
    }
}
