//! A failing run as a finding.

use unravel_interp::schedule::{Step, StepKind};
use unravel_interp::{Property, Schedule, ThreadId, Violation};
use unravel_kinds::{Related, Variable};
use unravel_program::Program;
use unravel_report::model::{Finding, RelatedKind, Remark};

use crate::steps::{self, steps};

/// A run that ends in a violation. That it has the fewest switches is for the caller to say.
#[must_use]
pub fn finding(program: &Program, id: u32, violation: &Violation, run: &Schedule) -> Finding {
    let related = violation.related.iter().map(|(site, what)| Remark {
        place: steps::place(program, *site),
        what: RelatedKind::Step(what.clone()),
    });
    Finding {
        id,
        kind: violation.kind.clone(),
        place: steps::place(program, violation.site),
        thread: violation.thread.0,
        related: related.chain(holders(program, violation, run)).collect(),
        inputs: steps::inputs(program, &run.inputs),
        threads: steps::threads(program, &run.threads),
        schedule: steps(program, run),
        context_switches: run.context_switches(),
        fewest_switches: false,
        output: run.output.clone(),
        diagnosis: None,
        comparison: None,
        localization: None,
    }
}

/// For a deadlock: who holds which lock, and where it was taken.
fn holders(program: &Program, violation: &Violation, run: &Schedule) -> Vec<Remark<RelatedKind>> {
    if violation.property() != Property::Deadlock {
        return Vec::new();
    }
    let remark = |(thread, lock): &(ThreadId, Variable)| {
        let took = |step: &&Step| {
            step.thread == *thread
                && step.variable.as_ref() == Some(lock)
                && matches!(step.kind, StepKind::Sync { deed, .. } if deed.takes_lock())
        };
        let step = run.steps.iter().rev().find(took)?;
        let what = Related::Took { thread: thread.0, lock: lock.clone() };
        Some(Remark { place: steps::place(program, step.site), what: RelatedKind::Step(what) })
    };
    run.held.iter().filter_map(remark).collect()
}
