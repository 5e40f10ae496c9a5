//! Programs that never end.
//!
//! Whether every run ends is no property here. But where none does, since threads turn loops in which
//! nothing changes any more, nothing that stands behind the loops is checked, and *safe* would be said
//! of a program that always hangs. A program of one thread is left out: it hangs without any schedule.

use unravel_interp::Property;
use unravel_program::library::{Action, Verifier};
use unravel_program::{Op, Program};

use crate::check::CheckOptions;

/// Whether it counts that no run ends: if hanging does, and no assumption rules runs out.
pub fn counts(program: &Program, options: &CheckOptions) -> bool {
    let instructions = program
        .functions
        .iter()
        .flat_map(|function| &function.blocks)
        .flat_map(|block| &block.instructions);
    let mut ops = instructions.map(|it| &it.op);
    options.properties.has(Property::Deadlock) && !ops.any(is_assumption)
}

fn is_assumption(op: &Op) -> bool {
    let Op::Library { primitive, .. } = op else { return false };
    matches!(primitive.action(), Action::Verifier(Verifier::Assume))
}
