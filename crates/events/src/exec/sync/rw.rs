//! Read-write locks: sections that may overlap if both are taken for reading.

use unravel_program::library::codes;
use unravel_program::library::sync::SyncOp;
use unravel_term::Term;

use super::locks::Operation;
use super::{Args, Executor};
use crate::graph::WaitOn;
use crate::state::State;

impl Executor<'_> {
    pub(super) fn read_lock(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        if self.waits_in_section(state) {
            return None;
        }
        let it = self.lock_operation(state, op, args);
        // A reader gets it again at once: nobody writes while somebody reads.
        self.count(state, &it, true, true);
        let held = it.any(self.terms());
        self.acquire(state, &held, true);
        let (own, fine) = (self.number_code(codes::EDEADLK), self.number_code(0));
        Some(self.terms().ite(it.mine, own, fine))
    }

    pub(super) fn try_read_lock(
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
        self.count(state, &it, true, true);
        let own = if refused == codes::ETIMEDOUT { codes::EDEADLK } else { refused };
        let own = self.number_code(own);
        let all = it.any(self.terms());
        let code = self.attempt(state, &all, refused, true);
        let fine = self.number_code(0);
        let code = self.terms().ite(it.reads, fine, code);
        Some(self.terms().ite(it.mine, own, code))
    }

    pub(super) fn write_lock(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        if self.waits_in_section(state) {
            return None;
        }
        let it = self.lock_operation(state, op, args);
        let stopped = self.terms().and(state.guard, it.reads);
        self.wait(stopped, WaitOn::Itself);
        let not = self.terms().not(it.reads);
        state.require(&mut self.graph.terms, not);
        self.acquire(state, &it, false);
        let (own, fine) = (self.number_code(codes::EDEADLK), self.number_code(0));
        Some(self.terms().ite(it.mine, own, fine))
    }

    pub(super) fn try_write_lock(
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
        let own = if refused == codes::ETIMEDOUT { codes::EDEADLK } else { refused };
        let own = self.number_code(own);
        let all = it.any(self.terms());
        let code = self.attempt(state, &all, refused, false);
        let busy = self.number_code(refused);
        let code = self.terms().ite(it.reads, busy, code);
        Some(self.terms().ite(it.mine, own, code))
    }

    pub(super) fn rw_unlock(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let it = self.lock_operation(state, op, args);
        let it: Operation = it.any(self.terms());
        let wrong = self.terms().not(it.mine);
        self.misuse(state, wrong);
        self.release(state, &it);
        Some(self.number_code(0))
    }
}
