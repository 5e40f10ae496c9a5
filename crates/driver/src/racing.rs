//! Data races in words: the two accesses, and why nothing orders them.

use unravel_interp::schedule::{Step, StepKind};
use unravel_interp::{End, Schedule, ThreadId, Violation};
use unravel_program::library::sync::Deed;
use unravel_program::{Program, SiteId};
use unravel_report::model;

use crate::rows;

/// The race that a run ends in, as a cause.
pub fn cause(program: &Program, schedule: &Schedule) -> model::Cause {
    let message = match &schedule.end {
        End::Violation(violation) => explain(program, schedule, violation),
        _ => String::new(),
    };
    model::Cause { pattern: "data race", message, cores: Vec::new() }
}

fn explain(program: &Program, schedule: &Schedule, violation: &Violation) -> String {
    let here = Access { thread: violation.thread, site: violation.site };
    let other = violation.related.first().and_then(|&(site, _)| {
        let is_other = |step: &&Step| step.site == site && step.thread != violation.thread;
        let last = schedule.steps.iter().rev().find(is_other)?;
        Some(Access { thread: last.thread, site })
    });
    let Some(other) = other else { return violation.message.clone() };
    let (first, second) = (locks_at(schedule, other), locks_at(schedule, here));
    let why = match (first.is_empty(), second.is_empty()) {
        (true, true) => "neither holds a lock".to_owned(),
        _ => format!("the first holds {}, the second {}", names(&first), names(&second)),
    };
    format!(
        "{} and {} access the same memory, and nothing orders them: {why}, and no join, signal or \
         release lies between them",
        place(program, other),
        place(program, here)
    )
}

/// An access of a run.
#[derive(Clone, Copy)]
struct Access {
    thread: ThreadId,
    site: SiteId,
}

fn place(program: &Program, access: Access) -> String {
    match rows::place(program, access.site) {
        Some(place) => {
            format!("line {} of {} (T{})", place.span.line, place.function, access.thread.0)
        }
        None => format!("T{}", access.thread.0),
    }
}

fn names(locks: &[String]) -> String {
    if locks.is_empty() { "none".to_owned() } else { locks.join(" and ") }
}

/// The locks that a thread holds at its last access at a place.
fn locks_at(schedule: &Schedule, access: Access) -> Vec<String> {
    let own = |step: &&Step| step.thread == access.thread;
    let steps: Vec<&Step> = schedule.steps.iter().filter(own).collect();
    let end = steps.iter().rposition(|step| step.site == access.site).unwrap_or(steps.len());
    let mut held: Vec<String> = Vec::new();
    for step in &steps[..end] {
        let Some(name) = &step.variable else { continue };
        match step.kind {
            StepKind::Sync(op, Some(0)) if op.deed().takes_lock() => held.push(name.clone()),
            StepKind::Sync(op, _) if op.deed() == Deed::Unlock => {
                if let Some(at) = held.iter().rposition(|it| it == name) {
                    held.remove(at);
                }
            }
            _ => {}
        }
    }
    held
}
