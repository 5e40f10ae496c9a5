//! What a step does, seen beside the other steps of its run.

use crate::model::{Finding, StepRow};
use crate::shared;
use crate::words::step;

/// A step as a clause without its subject: `overwrites x with 1, after T1`.
pub fn full(finding: &Finding, index: usize) -> String {
    let Some(row) = finding.schedule.get(index) else { return String::new() };
    match other_writer(finding, index) {
        Some(other) => step::after_other(row, other),
        None => step::with_value(row),
    }
}

/// The other thread that last wrote what this step accesses, if it ran at the same time: what
/// `main` did before there were threads is no news.
fn other_writer(finding: &Finding, index: usize) -> Option<u32> {
    let (before, rest) = finding.schedule.split_at_checked(index)?;
    let step = rest.first().filter(|step| shared::is_access(step))?;
    let wrote = |it: &&StepRow| shared::is_write(it) && it.variable == step.variable;
    let at = before.iter().rposition(|it| wrote(&it))?;
    let writer = before.get(at)?;
    let threads = shared::first_creation(&finding.schedule);
    (writer.thread != step.thread && at >= threads).then_some(writer.thread)
}
