//! Marked copies: see [`crate::relax`].

use std::collections::BTreeMap;

use unravel_program::{GlobalId, Operand, Reg};
use unravel_term::Term;

use super::Executor;
use crate::graph::{Position, ThreadId};
use crate::relax::{Alternative, MOST_ITERATIONS, Mark, Use};
use crate::state::State;
use crate::value::{UNDEFINED, Value};

impl Executor<'_> {
    /// What a copy assigns: its value or, if it is marked, another one that was chosen for it.
    pub fn relaxed(&mut self, state: &State, dst: Reg, value: Value) -> Value {
        let place = (self.function_id(), dst);
        let Some(&mark) = self.marks.and_then(|marks| marks.copies.get(&place)) else {
            return value;
        };
        // What was never assigned becomes an input where it is used, which a choice would hide.
        if self.graph.terms.as_const(value.provenance) == Some(UNDEFINED) {
            return value;
        }
        let (thread, position, guard) = (self.current.id, self.current.position, state.guard);
        let used = Use { mark: mark.number, thread, position, guard, original: value.bits };
        self.graph.relaxed_uses.push(used);
        let once = self.relaxed_once(state, mark, value);
        let truth = self.graph.terms.truth();
        self.chosen(mark.number, None, truth, once)
    }

    /// Enters the initial values of a variable that may be others, by offset.
    pub fn enter_relaxed(&mut self, id: GlobalId, values: &mut BTreeMap<u64, Value>) {
        let Some(marks) = self.marks else { return };
        let content = self.program.global(id).bytes.as_deref().unwrap_or_default();
        for (&(_, offset), &(mark, bytes)) in marks.initials.range((id, 0)..=(id, u64::MAX)) {
            let byte = |at: u64| {
                let at = usize::try_from(offset + at).ok();
                u128::from(at.and_then(|at| content.get(at)).copied().unwrap_or(0))
            };
            let number = (0..bytes).rev().fold(0, |number, at| number << 8 | byte(at));
            let width = u16::try_from(bytes * 8).unwrap_or(128);
            let original = self.constant(width, number);
            let (thread, guard) = (ThreadId(0), self.graph.terms.truth());
            let position = Position { segment: 0, index: 0, progress: 0 };
            let original_bits = original.bits;
            let used = Use { mark, thread, position, guard, original: original_bits };
            self.graph.relaxed_uses.push(used);
            values.insert(offset, self.chosen(mark, None, guard, original));
        }
    }

    /// The value if single executions may have another.
    fn relaxed_once(&mut self, state: &State, mark: Mark, value: Value) -> Value {
        let Some(counter) = mark.counter else { return value };
        let count = self.operand(state, Operand::Reg(counter), 32).bits;
        let (low, high) = self.graph.terms.range(count);
        let mut result = value;
        for iteration in 0..MOST_ITERATIONS {
            let number = u128::from(iteration);
            if number < low || number > high {
                continue;
            }
            let number = self.graph.terms.constant(32, number);
            let here = self.graph.terms.eq(count, number);
            result = self.chosen(mark.number, Some(iteration), here, result);
        }
        result
    }

    /// The alternative's value where it is chosen and applies, else another.
    fn chosen(
        &mut self,
        mark: usize,
        iteration: Option<u32>,
        applies: Term,
        otherwise: Value,
    ) -> Value {
        let width = self.graph.terms.width(otherwise.bits);
        let alternative = self.alternative(mark, iteration, width);
        let terms = &mut self.graph.terms;
        let chosen = terms.and(alternative.selector, applies);
        Value::number(terms, alternative.value).or_else(terms, chosen, otherwise)
    }

    fn alternative(&mut self, mark: usize, iteration: Option<u32>, width: u16) -> Alternative {
        let same = |it: &&Alternative| it.mark == mark && it.iteration == iteration;
        if let Some(known) = self.graph.alternatives.iter().find(same) {
            return *known;
        }
        let (selector, value) = (self.graph.terms.var(1), self.graph.terms.var(width));
        let made = Alternative { mark, iteration, selector, value };
        self.graph.alternatives.push(made);
        made
    }
}
