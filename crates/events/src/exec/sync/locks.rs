//! Mutexes, spin locks and read-write locks.
//!
//! What a thread holds is its own knowledge: nobody else can unlock it, other than by a misuse.
//! So a lock that the thread does not hold begins a critical section, the matching unlocks end
//! it, and all that threads have to agree on is the order of their sections ([`Lock`]). Sections of
//! a read-write lock may overlap if both are taken for reading.

use unravel_interp::Property;
use unravel_kinds::Unmodelled;
use unravel_program::library::sync::{Class, Cond, Effect, MutexKind, SyncOp, Then};
use unravel_term::{Term, Terms};

use super::{Args, Executor};
use crate::graph::{Lock, LockId, Refusal, StepId, WaitOn};
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
        let kind = self.kind(state, op.class(), object.operand, object.address);
        self.use_object(state, op, &object);
        let (step, address) = (object.step, object.address);
        let mine = self.is_mine(state, address, false);
        let reads = match op.class() {
            Class::Rw => self.is_mine(state, address, true),
            _ => self.terms().falsity(),
        };
        Operation { step, address, kind, mine, reads }
    }

    /// Whether the thread holds the lock at an address, for reading or else.
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

    /// Takes a lock or tries to, for reading or for writing: the cases say what happens if the
    /// thread holds it already, or another does.
    pub(super) fn lock(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Option<Term> {
        let it = self.lock_operation(state, op, args);
        let kind = Cond::Kind(it.kind);
        let own = op.in_state(&[Cond::HeldBySelf, kind]);
        let own = self.holds_already(state, &it, it.mine, own, false);
        let reads = op.in_state(&[Cond::ReadBySelf, kind]);
        let reads = self.holds_already(state, &it, it.reads, reads, true);
        let (held, shared) = (it.any(self.terms()), op.deed().is_shared());
        let mut code = match op.in_state(&[Cond::HeldByOther, kind]) {
            Then::Return(_, refused) => self.attempt(state, &held, refused, shared),
            _ => {
                self.acquire(state, &held, shared);
                self.number_code(0)
            }
        };
        for (condition, known) in [(it.reads, reads), (it.mine, own)] {
            if let Some(known) = known {
                let known = self.number_code(known);
                code = self.terms().ite(condition, known, code);
            }
        }
        Some(code)
    }

    /// What an operation does where the thread holds the lock already. Gives its code; `None` if no
    /// path goes on there.
    fn holds_already(
        &mut self,
        state: &mut State,
        it: &Operation,
        holds: Term,
        then: Then,
        shared: bool,
    ) -> Option<i32> {
        match then {
            Then::Return([Effect::Relock | Effect::AddReader], code) => {
                self.count(state, it, true, shared);
                Some(code)
            }
            Then::Return(_, code) => Some(code),
            Then::Misuse(_, _) if self.config.properties.has(Property::Misuse) => {
                self.violation(state, Property::Misuse, holds);
                None
            }
            Then::Misuse(_, otherwise) => self.holds_already(state, it, holds, *otherwise, shared),
            _ => {
                self.waits_for_itself(state, holds);
                None
            }
        }
    }

    /// A thread that waits for a lock that it holds itself stands for good.
    fn waits_for_itself(&mut self, state: &mut State, holds: Term) {
        let guard = self.terms().and(state.guard, holds);
        if self.terms().is_false(guard) {
            return;
        }
        self.wait(guard, WaitOn::Itself);
        let not = self.terms().not(holds);
        state.require(&mut self.graph.terms, not);
    }

    /// Begins a section, where the thread does not hold the lock, or waits for ever.
    fn acquire(&mut self, state: &mut State, it: &Operation, shared: bool) {
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

    /// Takes the lock, or is refused because another holds it, where the thread does not hold it.
    fn attempt(&mut self, state: &mut State, it: &Operation, refused: i32, shared: bool) -> Term {
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

    /// Gives a lock back. One that the thread does not hold is refused with a code, or it is a
    /// misuse, which may release another's lock and break what sections promise.
    pub(super) fn unlock(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Option<Term> {
        let it = self.lock_operation(state, op, args).any(self.terms());
        let wrong = self.terms().not(it.mine);
        let others = op.in_state(&[Cond::HeldByOther, Cond::Kind(it.kind)]);
        match others {
            Then::Misuse(..) if others.effects().contains(&Effect::Release) => {
                let what = Unmodelled::UnlockNotHeld;
                self.misuse_ends(state, wrong, what);
            }
            Then::Misuse(..) => {
                self.misuse(state, wrong);
            }
            _ => {}
        }
        self.release(state, &it);
        let (refused, fine) = (others.code().unwrap_or(0), self.number_code(0));
        let refused = self.number_code(refused);
        Some(self.terms().ite(it.mine, fine, refused))
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
}
