//! Clocks: the time is arbitrary.

use unravel_kinds::Unmodelled;
use unravel_program::Reg;
use unravel_program::library::{Time, codes};
use unravel_program::{Operand, Type};
use unravel_term::Term;

use super::Executor;
use super::library::Args;
use crate::state::State;
use crate::value::Value;

impl Executor<'_> {
    /// Reads a clock into memory. Where it stores nothing, as it is given null, it only answers.
    pub(super) fn time(
        &mut self,
        state: &mut State,
        time: Time,
        args: Args<'_>,
        result: Option<Reg>,
    ) {
        let word = self.bytes(Type::Ptr);
        let (index, bytes) = match time {
            Time::Seconds => (0, word),
            Time::ClockGetTime => (1, 2 * word),
            Time::GetTimeOfDay | Time::TimespecGet => (0, 2 * word),
        };
        let operand = args.get(index).map_or(Operand::Undef, |&(_, operand)| operand);
        let pointer = self.operand(state, operand, self.pointer_bits());
        let null = self.constant(self.pointer_bits(), 0);
        let nowhere = self.terms().eq(pointer.bits, null.bits);
        let mut answer = self.clock_answer(state, time, args);
        if self.terms().is_false(nowhere) {
            let mut stored = self.undefined(bits(bytes));
            self.limit_fraction(state, time, stored.bits);
            if time == Time::Seconds {
                // What it returns is what it stores, so it is decided at once.
                self.input(state, stored.bits);
                stored = Value::number(self.terms(), stored.bits);
                answer = stored;
            }
            self.store(state, operand, pointer, bytes, stored);
        } else if !self.terms().is_true(nowhere) {
            return self.unsupported(state, Unmodelled::ClockToNull);
        }
        if let Some(reg) = result {
            self.set(state, reg, answer);
        }
    }

    /// The second word of a time is a part of a second.
    fn limit_fraction(&mut self, state: &State, time: Time, stored: Term) {
        let parts = match time {
            Time::Seconds => return,
            Time::ClockGetTime | Time::TimespecGet => codes::NANOSECONDS,
            Time::GetTimeOfDay => codes::NANOSECONDS / 1000,
        };
        let width = self.pointer_bits();
        let terms = self.terms();
        let fraction = terms.extract(stored, width, width);
        let parts = terms.constant(width, u128::from(parts));
        let fits = terms.ult(fraction, parts);
        let constraint = terms.implies(state.guard, fits);
        self.graph.constraints.push(constraint);
    }

    fn clock_answer(&mut self, state: &mut State, time: Time, args: Args<'_>) -> Value {
        match time {
            Time::Seconds => self.undefined(self.pointer_bits()),
            Time::TimespecGet => {
                let base = args.get(1).map_or(Operand::Undef, |&(_, operand)| operand);
                self.operand(state, base, 32)
            }
            Time::ClockGetTime | Time::GetTimeOfDay => self.constant(32, 0),
        }
    }
}

fn bits(bytes: u64) -> u16 {
    u16::try_from(bytes * 8).unwrap_or(128)
}
