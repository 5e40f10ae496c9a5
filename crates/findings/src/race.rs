//! Data races: the two accesses, and the locks that are held there.

use unravel_interp::schedule::{Step, StepKind};
use unravel_interp::{End as Outcome, Schedule, ThreadId, Violation};
use unravel_kinds::{Deed, Mistake, Variable};
use unravel_program::{Program, SiteId};
use unravel_report::model::{CauseShape, End, RaceAccess};

use crate::{mistake, steps};

/// The race that a run ends in.
#[must_use]
pub fn shape(program: &Program, schedule: &Schedule) -> CauseShape {
    match &schedule.end {
        Outcome::Violation(violation) => accesses(program, schedule, violation),
        _ => CauseShape::Unknown,
    }
}

/// What was done wrong in a run that ends in a race.
#[must_use]
pub fn mistake(program: &Program, schedule: &Schedule) -> Option<Mistake<End>> {
    match &schedule.end {
        Outcome::Violation(violation) => mistake::of_run(program, violation, schedule),
        _ => None,
    }
}

fn accesses(program: &Program, schedule: &Schedule, violation: &Violation) -> CauseShape {
    let other = violation.related.first().and_then(|&(site, _)| {
        let is_other = |step: &&Step| step.site == site && step.thread != violation.thread;
        let last = schedule.steps.iter().rev().find(is_other)?;
        Some((last.thread, site))
    });
    let Some((thread, site)) = other else { return CauseShape::Unknown };
    CauseShape::Race {
        first: access(program, schedule, thread, site),
        second: access(program, schedule, violation.thread, violation.site),
    }
}

fn access(program: &Program, schedule: &Schedule, thread: ThreadId, site: SiteId) -> RaceAccess {
    RaceAccess {
        thread: thread.0,
        place: steps::place(program, site),
        locks: locks_at(schedule, thread, site).iter().map(Variable::to_string).collect(),
    }
}

/// The locks that a thread holds at its last access at a place.
fn locks_at(schedule: &Schedule, thread: ThreadId, site: SiteId) -> Vec<Variable> {
    let steps: Vec<&Step> = schedule.steps.iter().filter(|step| step.thread == thread).collect();
    let end = steps.iter().rposition(|step| step.site == site).unwrap_or(steps.len());
    let mut held: Vec<Variable> = Vec::new();
    for step in &steps[..end] {
        let Some(lock) = &step.variable else { continue };
        match step.kind {
            StepKind::Sync { deed, code: Some(0) } if deed.takes_lock() => held.push(lock.clone()),
            StepKind::Sync { deed: Deed::Unlock, .. } => {
                if let Some(at) = held.iter().rposition(|it| it == lock) {
                    held.remove(at);
                }
            }
            _ => {}
        }
    }
    held
}
