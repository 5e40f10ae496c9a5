//! What terms are in a model.

use std::collections::BTreeMap;

use unravel_solver::Model;
use unravel_term::{Evaluator, Term, Terms, VarId};

use crate::blast::Blaster;

/// Values of terms in a model. Variables that no clause mentions are zero.
pub struct Valuation<'a> {
    terms: &'a Terms,
    variables: BTreeMap<VarId, u128>,
}

impl<'a> Valuation<'a> {
    pub(crate) fn new(terms: &'a Terms, blaster: &Blaster, model: &Model) -> Valuation<'a> {
        let mut variables = BTreeMap::new();
        for number in 0..u32::try_from(terms.vars()).unwrap_or(u32::MAX) {
            let Some(bits) = blaster.var_bits(VarId(number)) else { continue };
            let mut value = 0;
            for (index, &bit) in bits.iter().enumerate() {
                value |= u128::from(model.value(bit)) << index;
            }
            variables.insert(VarId(number), value);
        }
        Valuation { terms, variables }
    }

    /// Calls a function with an evaluator, which remembers what it has computed.
    pub fn with<T>(&self, ask: impl FnOnce(&mut dyn FnMut(Term) -> u128) -> T) -> T {
        let variable = |var: VarId| self.variables.get(&var).copied().unwrap_or(0);
        let mut evaluator = Evaluator::new(self.terms, &variable);
        ask(&mut |term| evaluator.value(term))
    }
}
