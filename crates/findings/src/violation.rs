//! A failing run as a finding.

use unravel_interp::schedule::{Step, StepKind};
use unravel_interp::{Property, Schedule, ThreadId, Violation};
use unravel_kinds::{Related, Variable};
use unravel_program::Program;
use unravel_report::model::{Finding, RelatedKind, Remark};

use crate::mistake;
use crate::names::Named;
use crate::steps::{self, named_steps};

/// A run that ends in a violation. That it has the fewest switches is for the caller to say.
#[must_use]
pub fn finding(program: &Program, id: u32, violation: &Violation, run: &Schedule) -> Finding {
    let named = Named::of(program, run);
    let rename = |it: &Variable| Variable::Named(named.names.name(it, || None));
    let related = violation.related.iter().map(|(site, what)| Remark {
        place: steps::place(program, *site),
        what: RelatedKind::Step(what.renamed(&rename)),
    });
    let holders = holders(program, violation, &named);
    Finding {
        id,
        kind: violation.kind.renamed(&rename),
        place: steps::place(program, violation.site),
        thread: violation.thread.0,
        related: related.chain(holders).collect(),
        inputs: steps::inputs(program, &run.inputs),
        threads: steps::threads(program, &run.threads),
        objects: named.objects(),
        schedule: named_steps(program, &named),
        context_switches: run.context_switches(),
        fewest_switches: false,
        output: run.output.clone(),
        mistake: mistake::of_run(program, violation, run),
        diagnosis: None,
        comparison: None,
        localization: None,
    }
}

/// For a deadlock: who holds which lock, and where it was taken.
fn holders(
    program: &Program,
    violation: &Violation,
    named: &Named<'_>,
) -> Vec<Remark<RelatedKind>> {
    let run = named.run;
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
        let what = Related::Took {
            thread: thread.0,
            lock: Variable::Named(named.names.name(lock, || None)),
        };
        Some(Remark { place: steps::place(program, step.site), what: RelatedKind::Step(what) })
    };
    run.held.iter().filter_map(remark).collect()
}
