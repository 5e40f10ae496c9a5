//! How often loops turn.

use std::collections::BTreeMap;

use unravel_program::FunctionId;

use crate::graph::LoopId;
use crate::mutant::Mutant;

/// Bounds, per loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    default: u32,
    strict: bool,
    lingers: bool,
    raised: BTreeMap<LoopId, u32>,
    /// A part that is broken on purpose.
    #[cfg(feature = "mutants")]
    pub mutant: Option<Mutant>,
}

impl Bounds {
    fn new(default: u32, strict: bool) -> Bounds {
        Bounds {
            default,
            strict,
            lingers: false,
            raised: BTreeMap::new(),
            #[cfg(feature = "mutants")]
            mutant: None,
        }
    }

    #[cfg(feature = "mutants")]
    pub(crate) fn broken(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    #[cfg(not(feature = "mutants"))]
    #[allow(clippy::unused_self, reason = "it does with the feature")]
    pub(crate) fn broken(&self, _mutant: Mutant) -> bool {
        false
    }

    /// Every loop turns at most so often, whatever it looks like.
    #[must_use]
    pub fn fixed(turns: u32) -> Bounds {
        Bounds::new(turns, true)
    }

    /// Small bounds, to be raised where they are hit. Loops that certainly turn again do so.
    #[must_use]
    pub fn growing() -> Bounds {
        Bounds::new(1, false)
    }

    /// Keeps one turn that changes nothing of each thread, for whoever asks what such turns do. One
    /// is enough: all others can be left out of a run.
    #[must_use]
    pub fn lingering(self) -> Bounds {
        Bounds { lingers: true, ..self }
    }

    /// Whether one turn that changes nothing is kept.
    #[must_use]
    pub fn lingers(&self) -> bool {
        self.lingers
    }

    /// Whether the bounds also hold for loops whose end is certain.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// How often a loop may turn.
    #[must_use]
    pub fn turns(&self, id: LoopId) -> u32 {
        self.raised.get(&id).copied().unwrap_or(self.default)
    }

    /// How often a function may be nested in itself. A bound on loops is none on calls: these are
    /// bounded by the depth of the stack.
    #[must_use]
    pub fn recursion(&self, function: FunctionId) -> u32 {
        if self.strict {
            return u32::MAX;
        }
        let raised = self.raised.get(&LoopId::Recursion(function)).copied();
        raised.unwrap_or(self.default.saturating_mul(4))
    }

    /// Raises the bound of a loop that was cut after so many turns.
    pub fn raise(&mut self, id: LoopId, turns: u32) {
        let now = match id {
            LoopId::Recursion(function) => self.recursion(function),
            _ => self.turns(id),
        };
        self.raised.insert(id, now.max(turns).saturating_mul(2).max(1));
    }

    /// The largest bound in use.
    #[must_use]
    pub fn largest(&self) -> u32 {
        self.raised.values().copied().max().unwrap_or(0).max(self.default)
    }
}
