//! What the outside decides, and functions of numbers.

use unravel_interp::math;
use unravel_program::library::Math;
use unravel_program::{Operand, Reg, Type};

use super::Executor;
use super::library::Args;
use crate::state::State;

impl Executor<'_> {
    /// A value of a range, which the interpreter asks for in the same way: 0 decides for the
    /// ordinary one, other numbers for those of the range, in order.
    pub(super) fn between(&mut self, state: &mut State, args: Args<'_>, result: Option<Reg>) {
        let mut number = |index: usize| {
            let operand = args.get(index).map_or(Operand::Undef, |&(_, operand)| operand);
            self.number(state, operand, 64)
        };
        let (ordinary, low, high) = (number(0), number(1), number(2));
        let terms = self.terms();
        let (zero, one) = (terms.constant(64, 0), terms.constant(64, 1));
        let span = terms.sub(high, low);
        let same = terms.eq(ordinary, low);
        let apart = terms.ite(same, zero, one);
        let last = terms.add(span, apart);
        // As many bits as needed make the question smaller.
        let most = terms.as_const(last).and_then(|it| u64::try_from(it).ok());
        let width = most.map_or(64, |it| (u64::BITS - it.leading_zeros()).max(1));
        let decision = terms.var(u16::try_from(width).unwrap_or(64));
        let decision = terms.resize_zext(decision, 64);
        let fits = terms.ule(decision, last);
        let decision = terms.ite(fits, decision, zero);
        let before = terms.sub(low, apart);
        let nth = terms.add(before, decision);
        let is_ordinary = terms.eq(decision, zero);
        // The decision itself, if the range begins with the ordinary one.
        let value = if terms.is_true(same) { nth } else { terms.ite(is_ordinary, ordinary, nth) };
        self.input(state, decision);
        self.answer(state, result, value);
    }

    /// A function of numbers: computed where they are known. Elsewhere only the exploration knows.
    pub(super) fn math(
        &mut self,
        state: &mut State,
        function: Math,
        name: &'static str,
        args: Args<'_>,
        result: Option<Reg>,
    ) {
        let ty = args.first().map_or(Type::F64, |&(ty, _)| ty);
        let mut known = Vec::new();
        for &(ty, operand) in args {
            let width = self.width(ty);
            let value = self.number(state, operand, width);
            known.extend(self.terms().as_const(value));
        }
        let computed = (known.len() == args.len()).then(|| math::evaluate(function, ty, &known));
        let Some(computed) = computed.flatten() else { return self.not_yet(state, name) };
        if let Some(code) = computed.errno {
            let failed = self.terms().truth();
            let code = self.terms().constant(32, i128::from(code).cast_unsigned());
            self.set_errno(state, failed, code);
        }
        let width = self.width(ty);
        let value = self.terms().constant(width, computed.bits);
        self.answer(state, result, value);
    }
}
