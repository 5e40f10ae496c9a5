//! Times that timed operations are given. Whether a time is over is a choice of the run; that it lies
//! in memory and is one is checked here.

use unravel_program::library::codes;
use unravel_program::library::sync::{Class, SyncOp};
use unravel_term::Term;

use super::encoder::Encoder;
use super::{Args, Executor};
use crate::exec::access::Demand;
use crate::state::State;
use crate::value::Value;

impl<'p> Executor<'p> {
    /// A timed operation: its time is read in its step. A bad clock or time is refused at once, but
    /// for a mutex, where a bad time matters only to who would have to wait.
    pub(super) fn timed(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
        encode: Encoder<'p>,
    ) -> Option<Term> {
        let step = self.step(state);
        let outer = self.together.replace(step);
        let bad_time = self.bad_time(state, args);
        let bad_clock = self.bad_clock(state, op, args);
        let is_mutex = op.class() == Class::Mutex;
        let refuses = if is_mutex { bad_clock } else { self.terms().or(bad_clock, bad_time) };
        let code = self.refuse_or(state, refuses, codes::EINVAL, |executor, state| {
            encode(executor, state, op, args)
        });
        self.together = outer;
        let code = code?;
        if !is_mutex {
            return Some(code);
        }
        let (over, invalid) = (self.number_code(codes::ETIMEDOUT), self.number_code(codes::EINVAL));
        let waited = self.terms().eq(code, over);
        let wrong = self.terms().and(waited, bad_time);
        Some(self.terms().ite(wrong, invalid, code))
    }

    /// Reads the time, a structure of two words, and says whether its nanoseconds are no part of a
    /// second.
    fn bad_time(&mut self, state: &mut State, args: Args<'_>) -> Term {
        let word = self.pointer_bytes();
        let width = self.pointer_bits();
        let (operand, pointer) = self.argument(state, args, args.len().saturating_sub(1));
        let demand = Demand { bytes: 2 * word, writes: false, whole_block: false };
        let seconds = self.resolve(state, operand, pointer, demand);
        self.read(state, operand, pointer, &seconds, word);
        let by = self.terms().constant(width, u128::from(word));
        let next = Value { bits: self.terms().add(pointer.bits, by), ..pointer };
        self.beyond = word;
        let nanoseconds = self.read(state, operand, next, &seconds.further(word), word);
        self.beyond = 0;
        let most = self.terms().constant(width, u128::from(codes::NANOSECONDS));
        let fits = self.terms().ult(nanoseconds.bits, most);
        self.terms().not(fits)
    }

    fn bad_clock(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Term {
        let Some(at) = op.clock_position(args.len()) else { return self.terms().falsity() };
        let (_, operand) = args[at];
        let clock = self.number(state, operand, 32);
        let most = self.terms().constant(32, u128::from(codes::CLOCK_MONOTONIC));
        let known = self.terms().ule(clock, most);
        self.terms().not(known)
    }
}
