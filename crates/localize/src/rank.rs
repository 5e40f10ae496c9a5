//! Which fault comes first.
//!
//! 1. Changes after which the check is still made, before those that avoid it, before those that
//!    restate it; among the first, those that pass under all schedules.
//! 2. Few changes before many.
//! 3. Of those that pass under all schedules, last those that replace an expression, computed anew
//!    each time, by a constant: that is a hint at best.
//! 4. Changes after which all that the failing run does is still done.
//! 5. Of those that pass under all schedules: assignments, then initial values, arguments, returned
//!    values, conditions; what is shared, then locals; all executions of a line before a single one.
//! 6. What stands in the function that fails, and what is executed last before the failure.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use unravel_program::SiteId;

use crate::{Correction, Judgement, Kind, Localized, Marked};

/// A set of changes, and what is known of it.
#[derive(Clone, Copy)]
pub struct Ranked<'a> {
    /// The changes.
    pub correction: &'a Correction,
    /// They only say that the assertion should be another.
    pub restates: bool,
    /// The check that fails is not made any more.
    pub avoids: bool,
}

impl Ranked<'_> {
    /// Groups in the order of the report.
    fn group(&self) -> u8 {
        match (self.restates, self.avoids, self.correction.judgement) {
            (true, ..) => 4,
            (_, true, _) => 3,
            (_, _, Judgement::Robust) => 0,
            (_, _, Judgement::Unknown) => 1,
            (_, _, Judgement::Fails) => 2,
        }
    }
}

/// The corrections, best first; of a line, single executions only if they say more than all.
/// `failure` is the place of the violation.
#[must_use]
pub fn ranked<'a>(
    marked: &Marked,
    failure: SiteId,
    checks: &BTreeSet<usize>,
    localized: &'a Localized,
) -> Vec<Ranked<'a>> {
    let mut all: Vec<Ranked<'a>> = localized
        .corrections
        .iter()
        .map(|correction| {
            let restates = correction.changes.iter().all(|it| checks.contains(&it.mark));
            Ranked { correction, restates, avoids: !correction.makes_check && !restates }
        })
        .collect();
    let whole: Vec<(usize, u8)> = all
        .iter()
        .filter_map(|it| match it.correction.changes[..] {
            [change] if change.iteration.is_none() => Some((change.mark, it.group())),
            _ => None,
        })
        .collect();
    all.retain(|it| match it.correction.changes[..] {
        [change] if change.iteration.is_some() => {
            !whole.iter().any(|&(mark, group)| mark == change.mark && group <= it.group())
        }
        _ => true,
    });
    let program = &marked.program;
    let here = &program.site(failure).function;
    all.sort_by_cached_key(|it| {
        let changes = &it.correction.changes;
        let marks = || changes.iter().map(|change| &marked.marks[change.mark]);
        let forced = marks().filter(|mark| !mark.is_constant && mark.is_repeated).count();
        let local = marks().filter(|mark| mark.is_local).count();
        let kind = marks().map(|mark| kind(mark.kind)).max();
        let single = changes.iter().filter(|change| change.iteration.is_some()).count();
        let elsewhere = marks().filter(|it| program.site(it.site).function != *here).count();
        let near = (elsewhere, Reverse(it.correction.moment));
        // Where no order is kept, what a passing run does is left open.
        let skips = !localized.fails_in_every_order && it.correction.skipped > 0;
        let is_robust = it.group() == 0;
        let forced = if is_robust { forced } else { 0 };
        let likely = is_robust.then_some((kind, local, single));
        let last = (kind, single, changes.clone());
        (it.group(), changes.len(), forced, skips, likely, near, last)
    });
    all
}

fn kind(kind: Kind) -> u8 {
    match kind {
        Kind::Assignment => 0,
        Kind::Initial => 1,
        Kind::Operand | Kind::Argument(_) => 2,
        Kind::Return => 3,
        Kind::Condition => 4,
    }
}
