//! Memory that is given up while another thread still uses it: whose mistake that is.
//!
//! The user got the address from somewhere. Where the thread that gives the memory up first takes the
//! address away from there, under a lock, the user should have held that lock from its look at the
//! address to its last use. Only where no lock is meant is it the other who should have waited.

use unravel_kinds::{Harm, Mistake, StepKind, Variable};

use crate::Runs;
use crate::early::leads_to;
use crate::guards::gives_back;
use crate::spot::{Held, Spot};

/// The mistake behind a step that ends memory, and one that comes too late to use it.
pub fn mistake(runs: &Runs, ends: Spot, uses: Spot) -> Mistake<Spot> {
    without_lock(runs, &ends, &uses).unwrap_or(Mistake::EndedInUse { ends, uses })
}

/// The user's look at the address, if it does not hold the lock that the other holds when it takes the
/// address away; or no longer.
fn without_lock(runs: &Runs, ends: &Spot, uses: &Spot) -> Option<Mistake<Spot>> {
    let steps = runs.failing.get(..uses.index.unwrap_or(runs.failing.len()))?;
    let looks = steps.iter().rev().filter(|it| it.thread == uses.thread);
    let look = looks.filter(|it| it.kind == StepKind::Read).find(|it| leads_to(it, ends))?;
    let taken_away = taken_away(steps, ends, look.variable.as_ref()?)?;
    let held = taken_away.held.last()?;
    let lock = taken_away.taking(held);
    let locked = taken_away.clone();
    let Some(own) = look.section(&held.lock) else {
        return Some(Mistake::Unlocked {
            access: look.clone(),
            lock,
            locked,
            harm: Harm::OutOfDate,
        });
    };
    if is_in(uses, own) {
        return None;
    }
    let gap = gap(steps, look, own)?;
    let (first, last, by) = (look.clone(), uses.clone(), ends.clone());
    Some(Mistake::Split { first, gap: gap.clone(), last, by })
}

/// The step that takes the address of what is ended away from others.
fn taken_away<'a>(steps: &'a [Spot], ends: &Spot, variable: &Variable) -> Option<&'a Spot> {
    let before = &steps[..ends.index?.min(steps.len())];
    before.iter().rev().find(|it| {
        it.thread == ends.thread && it.kind.is_write() && it.variable.as_ref() == Some(variable)
    })
}

/// Whether a step is in a critical section.
fn is_in(step: &Spot, section: &Held) -> bool {
    step.section(&section.lock).is_some_and(|it| it.number == section.number)
}

/// Where the thread gives the lock back after its look.
fn gap<'a>(steps: &'a [Spot], look: &Spot, own: &Held) -> Option<&'a Spot> {
    let later = &steps[look.index?.min(steps.len())..];
    later.iter().find(|it| it.thread == look.thread && gives_back(it, &own.lock) && is_in(it, own))
}
