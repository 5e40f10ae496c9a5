//! Barriers. One state holds what it is, how many it wants, how many have arrived in this round,
//! how many were let through and have not gone on, and the number of the round: who arrived in a
//! round may pass once it is over.

use unravel_kinds::Unmodelled;
use unravel_program::library::codes;
use unravel_program::library::sync::{Cond, SyncOp};
use unravel_term::Term;

use super::{Args, Executor, Object};
use crate::graph::{FindingKind, WaitOn};
use crate::mutant::Mutant;
use crate::state::State;

/// A graph has fewer steps than 16 bits count.
const WIDTH: u16 = 88;
const LIVE: u128 = 3;
const DESTROYED: u128 = 4;

/// The state of a barrier, taken apart.
#[derive(Clone, Copy)]
struct Barrier {
    live: Term,
    wanted: Term,
    round: Term,
    leaving: Term,
    arrived: Term,
}

impl Executor<'_> {
    fn barrier(&mut self, bits: Term) -> Barrier {
        let terms = self.terms();
        let tag = terms.extract(bits, 80, 8);
        let live = terms.constant(8, LIVE);
        Barrier {
            live: terms.eq(tag, live),
            wanted: terms.extract(bits, 48, 32),
            round: terms.extract(bits, 32, 16),
            leaving: terms.extract(bits, 16, 16),
            arrived: terms.extract(bits, 0, 16),
        }
    }

    fn barrier_bits(&mut self, tag: u128, it: Barrier) -> Term {
        let terms = self.terms();
        let tag = terms.constant(8, tag);
        let high = terms.concat(tag, it.wanted);
        let high = terms.concat(high, it.round);
        let low = terms.concat(it.leaving, it.arrived);
        terms.concat(high, low)
    }

    pub(super) fn barrier_init(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let object = self.object(state, op, args);
        let operand = self.operand_of(op, args)?;
        let wanted = self.number(state, operand, 32);
        let zero = self.terms().constant(32, 0);
        let none = self.terms().eq(wanted, zero);
        let most = self.terms().constant(32, u128::from(codes::BARRIER_MAX));
        let many = self.terms().ult(most, wanted);
        let none = self.terms().or(none, many);
        self.attribute(state, op, object.step, args);
        let some = self.terms().not(none);
        let guard = self.terms().and(state.guard, some);
        let before = self.read_state(guard, &object, WIDTH);
        let before = self.barrier(before);
        let used = self.has_waiters(before);
        let used = self.terms().and(some, used);
        self.misuse_ends(state, used, Unmodelled::BarrierInitInUse);
        // Who was let through and has not gone on would be forgotten.
        let nobody = self.terms().constant(16, 0);
        let none_leave = self.terms().eq(before.leaving, nobody);
        let leave = self.terms().not(none_leave);
        let forgets = self.terms().and_all(&[state.guard, some, before.live, leave]);
        let what = Unmodelled::BarrierStillLeft;
        self.find(forgets, FindingKind::Unsupported(what), state);
        let guard = self.terms().and(state.guard, some);
        let fresh = Barrier { wanted, round: nobody, leaving: nobody, arrived: nobody, ..before };
        let bits = self.barrier_bits(LIVE, fresh);
        self.write_state(guard, &object, bits);
        self.note_init(&State { guard, ..state.clone() }, &object, op.class());
        let (fine, invalid) = (self.number_code(0), self.code_in(op, &[Cond::ArgumentZero]));
        Some(self.terms().ite(none, invalid, fine))
    }

    fn has_waiters(&mut self, it: Barrier) -> Term {
        let nobody = self.terms().constant(16, 0);
        let none = self.terms().eq(it.arrived, nobody);
        let some = self.terms().not(none);
        self.terms().and(it.live, some)
    }

    pub(super) fn barrier_wait(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let before = self.read_state(state.guard, &object, WIDTH);
        let before = self.barrier(before);
        let known = self.require_live(state, before.live);
        let last = self.arrive(state, &object, before, known);
        self.settle(object.step, state.guard);
        let stays = self.terms().not(last);
        let stays = self.terms().and(known, stays);
        self.pass(state, object, before.round, stays);
        let (serial, fine) = (self.code_in(op, &[Cond::LastToArrive]), self.number_code(0));
        let code = self.terms().ite(last, serial, fine);
        Some(self.unless_refused(op, known, code))
    }

    /// Arrives at the barrier; whether all have then.
    fn arrive(&mut self, state: &State, object: &Object, before: Barrier, known: Term) -> Term {
        let terms = self.terms();
        let (one, nobody) = (terms.constant(16, 1), terms.constant(16, 0));
        let arrived = terms.add(before.arrived, one);
        let mut number = terms.zext(arrived, 32);
        if self.bounds.broken(Mutant::BarrierOpensEarly) {
            let one = self.terms().constant(32, 1);
            number = self.terms().add(number, one);
        }
        let terms = self.terms();
        let last = terms.uge(number, before.wanted);
        let round = terms.add(before.round, one);
        let leaving = terms.add(before.leaving, before.arrived);
        let after = Barrier {
            round: terms.ite(last, round, before.round),
            leaving: terms.ite(last, leaving, before.leaving),
            arrived: terms.ite(last, nobody, arrived),
            ..before
        };
        let guard = terms.and(state.guard, known);
        let bits = self.barrier_bits(LIVE, after);
        // The last one goes on at once, and knows what all did before.
        let opens = self.terms().and(guard, last);
        self.orders(false, true);
        self.read_state(opens, object, WIDTH);
        self.orders(true, false);
        self.write_state(guard, object, bits);
        last
    }

    /// Waits until the round is over, where the thread was not the last to arrive.
    fn pass(&mut self, state: &mut State, object: Object, round: Term, stays: Term) {
        self.current.position.progress = 1;
        let mut waiting = state.clone();
        waiting.require(&mut self.graph.terms, stays);
        let step = self.new_step(&waiting);
        let object = Object { step, ..object };
        let (go, stopped) = self.may_stand(&mut waiting);
        let last = self.last_state(stopped, &object, WIDTH);
        let last = self.barrier(last);
        let blocked = self.terms().eq(last.round, round);
        self.wait(stopped, WaitOn::State { blocked });
        let now = self.read_state(waiting.guard, &object, WIDTH);
        let now = self.barrier(now);
        let over = self.terms().eq(now.round, round);
        let over = self.terms().not(over);
        self.constrain(waiting.guard, over);
        let one = self.terms().constant(16, 1);
        let leaving = self.terms().sub(now.leaving, one);
        let bits = self.barrier_bits(LIVE, Barrier { leaving, ..now });
        self.orders(false, true);
        self.write_state(waiting.guard, &object, bits);
        self.settle(step, waiting.guard);
        let goes = self.terms().implies(stays, go);
        state.require(&mut self.graph.terms, goes);
    }

    pub(super) fn barrier_destroy(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let (_, stopped) = self.may_stand(state);
        let last = self.last_state(stopped, &object, WIDTH);
        let last = self.barrier(last);
        let blocked = self.still_leaving(last);
        self.wait(stopped, WaitOn::State { blocked });
        let before = self.read_state(state.guard, &object, WIDTH);
        let before = self.barrier(before);
        let waits = self.still_leaving(before);
        let goes = self.terms().not(waits);
        self.constrain(state.guard, goes);
        let known = self.require_live(state, before.live);
        let used = self.has_waiters(before);
        let used = self.terms().and(known, used);
        self.misuse_ends(state, used, Unmodelled::BarrierDestroyInUse);
        let guard = self.terms().and(state.guard, known);
        let bits = self.barrier_bits(DESTROYED, before);
        self.write_state(guard, &object, bits);
        let fine = self.number_code(0);
        Some(self.unless_refused(op, known, fine))
    }

    /// Nobody waits, but some were let through and have not gone on: a destroy waits for them.
    fn still_leaving(&mut self, it: Barrier) -> Term {
        let terms = self.terms();
        let nobody = terms.constant(16, 0);
        let (none, unused) = (terms.eq(it.leaving, nobody), terms.eq(it.arrived, nobody));
        let some = terms.not(none);
        terms.and_all(&[it.live, some, unused])
    }
}
