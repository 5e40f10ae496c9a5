//! `pthread_once` and `call_once`: the state is 0 before, 1 while the function runs, 2 after.

use unravel_program::library::Convention;
use unravel_program::library::sync::SyncOp;
use unravel_program::{Operand, Reg};

use super::{Args, Executor, Object};
use crate::graph::WaitOn;
use crate::state::State;

const WIDTH: u16 = 8;
const RUNNING: u128 = 1;
const DONE: u128 = 2;

impl Executor<'_> {
    /// The call counts as an instruction where it begins, and again where the function has
    /// returned, as on the interpreter.
    pub(super) fn once(
        &mut self,
        state: &mut State,
        op: SyncOp,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> bool {
        let object = self.object(state, op, args);
        self.use_object(state, op, &object);
        let (_, stopped) = self.may_stand(state);
        let running = self.terms().constant(WIDTH, RUNNING);
        let last = self.last_state(stopped, &object, WIDTH);
        let blocked = self.terms().eq(last, running);
        self.wait(stopped, WaitOn::State { blocked });
        self.orders(false, true);
        let before = self.read_state(state.guard, &object, WIDTH);
        let runs = self.terms().eq(before, running);
        let goes = self.terms().not(runs);
        self.constrain(state.guard, goes);
        self.settle(object.step, state.guard);
        let over = self.terms().constant(WIDTH, DONE);
        let done = self.terms().eq(before, over);
        let mut other = state.clone();
        other.require(&mut self.graph.terms, done);
        let first = self.terms().not(done);
        state.require(&mut self.graph.terms, first);
        self.write_state(state.guard, &object, running);
        self.run_once(state, object, op, args);
        let mut merged = None;
        self.join_paths(&mut merged, other);
        let ran = std::mem::replace(state, self.dead());
        self.join_paths(&mut merged, ran);
        *state = merged.unwrap_or_else(|| self.dead());
        if self.graph.terms.is_false(state.guard) {
            // Nobody gets past a control that is no good.
            return false;
        }
        self.begin_segment(state.guard);
        let fine = self.number_code(0);
        self.report_code(state, convention, fine, result);
        false
    }

    fn run_once(&mut self, state: &mut State, object: Object, op: SyncOp, args: Args<'_>) {
        let callee = self.operand_of(op, args).unwrap_or(Operand::Undef);
        self.current.alternatives += 1;
        self.call_indirect(state, callee, &[], &[]);
        self.current.alternatives -= 1;
        if self.graph.terms.is_false(state.guard) {
            return;
        }
        let step = self.new_step(state);
        let object = Object { step, ..object };
        let over = self.terms().constant(WIDTH, DONE);
        self.orders(true, false);
        self.write_state(state.guard, &object, over);
        self.count_instruction();
    }
}
