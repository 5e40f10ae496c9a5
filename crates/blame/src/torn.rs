//! Steps that belong together, and another thread's between them.

use unravel_kinds::{Harm, Mistake, Variable};

use crate::ended;
use crate::guards::gives_back;
use crate::spot::{Held, Spot};
use crate::{Evidence, Runs, Shape};

/// What is wrong with the locks around a region that is torn.
pub fn mistake(evidence: &Evidence<'_>, runs: &Runs) -> Option<Mistake<Spot>> {
    let Some(Shape::Torn { region: (first, last), by: (by, _) }) = evidence.shape else {
        return None;
    };
    let ended = evidence.orders.iter().find(|it| it.before.ends_something());
    if let Some(order) = ended {
        let (ends, uses) = (order.before.clone(), order.after.clone());
        return Some(ended::mistake(runs, ends, uses));
    }
    let region = (first.clone(), last.clone(), by.clone());
    match common(first, last) {
        Some((held, true)) => other_lock(region, held),
        Some((held, false)) => split(runs, region, &held.lock),
        None => Some(Mistake::Unguarded { first: region.0, last: region.1, by: region.2 }),
    }
}

/// A lock that both steps hold, and whether it is held all the time between them.
fn common<'a>(first: &'a Spot, last: &Spot) -> Option<(&'a Held, bool)> {
    let shared = |held: &&Held| last.section(&held.lock).is_some();
    let is_kept = |held: &Held| last.section(&held.lock).is_some_and(|it| it.number == held.number);
    let kept = first.held.iter().find(|held| is_kept(held)).map(|held| (held, true));
    kept.or_else(|| first.held.iter().find(shared).map(|held| (held, false)))
}

/// The region holds a lock, and what comes between does not hold that one.
fn other_lock((first, last, by): (Spot, Spot, Spot), held: &Held) -> Option<Mistake<Spot>> {
    if by.section(&held.lock).is_some() {
        return None;
    }
    let lock = first.taking(held);
    if let Some(own) = by.held.last() {
        let other_lock = by.taking(own);
        return Some(Mistake::DifferentLocks {
            access: by,
            lock: other_lock,
            other: first,
            other_lock: lock,
        });
    }
    let locked = first.clone();
    Some(Mistake::Unlocked { access: by, lock, locked, harm: Harm::Between { first, last } })
}

/// The lock is given back in the region and taken again.
fn split(
    runs: &Runs,
    (first, last, by): (Spot, Spot, Spot),
    lock: &Variable,
) -> Option<Mistake<Spot>> {
    let section = first.section(lock)?.number;
    let gap = runs.all().find_map(|run| {
        run.iter().find(|it| {
            it.thread == first.thread
                && gives_back(it, lock)
                && it.section(lock).is_some_and(|held| held.number >= section)
        })
    })?;
    Some(Mistake::Split { gap: gap.clone(), first, last, by })
}
