//! A run as rows of a report.

use std::collections::BTreeMap;

use unravel_interp::schedule::{Input, Schedule, Step, StepKind, ThreadInfo};
use unravel_kinds::Variable;
use unravel_patch::source_name::expression_at;
use unravel_program::{Program, SiteId};
use unravel_report::model::{InputRow, PassingRun, Place, StepRow, ThreadRow};

use crate::names::{Named, Names};
use crate::wakeups::Wakeups;

/// The place of a site, if it has one: of the code as written, not where it was inlined.
#[must_use]
pub fn place(program: &Program, site: SiteId) -> Option<Place> {
    let site = program.site(site);
    site.span.map(|span| Place { span, function: site.function.clone() })
}

/// The threads of a run.
#[must_use]
pub fn threads(program: &Program, threads: &[ThreadInfo]) -> Vec<ThreadRow> {
    let row = |thread: &ThreadInfo| ThreadRow {
        id: thread.id.0,
        name: thread.name.clone(),
        created_at: thread.created_at.and_then(|site| place(program, site)),
    };
    threads.iter().map(row).collect()
}

/// The inputs of a run.
#[must_use]
pub fn inputs(program: &Program, inputs: &[Input]) -> Vec<InputRow> {
    let row = |input: &Input| InputRow {
        thread: input.thread.0,
        place: place(program, input.site),
        source: input.source.kind(),
        value: input.value.clone(),
    };
    inputs.iter().map(row).collect()
}

/// The steps of a run, numbered from 1.
///
/// A local assignment, which is shown on request only, has the number of the step it follows, or
/// of the first if it comes before all: those that are shown have no gap. A text is one row, however
/// many characters of it are read.
#[must_use]
pub fn steps(program: &Program, schedule: &Schedule) -> Vec<StepRow> {
    named_steps(program, &Named::of(program, schedule))
}

/// The steps of a run whose names are known.
pub(crate) fn named_steps(program: &Program, run: &Named<'_>) -> Vec<StepRow> {
    let schedule = run.run;
    let mut number = 0u32;
    let mut wakeups = Wakeups::default();
    let mut handles = Handles::default();
    let numbered = schedule.steps.iter().filter(|step| !step.continues).map(|step| {
        number += u32::from(step.kind != StepKind::Local);
        let mut row = row(program, &run.names, number.max(1), step);
        if let Some(thread) = handles.of(step) {
            row.value = Some(format!("T{thread}"));
        }
        if wakeups.is_spurious(schedule, step) {
            row.kind = StepKind::SpuriousWake;
        }
        row
    });
    numbered.collect()
}

/// The number of a step of a run.
pub(crate) fn number(schedule: &Schedule, index: usize) -> u32 {
    let steps = schedule.steps.iter().take(index + 1);
    let visible = steps.filter(|step| step.kind != StepKind::Local && !step.continues).count();
    u32::try_from(visible).unwrap_or(u32::MAX).max(1)
}

fn row(program: &Program, names: &Names, number: u32, step: &Step) -> StepRow {
    let place = place(program, step.site);
    StepRow {
        step: number,
        thread: step.thread.0,
        variable: step.variable.as_ref().map(|it| name(program, names, it, place.as_ref())),
        place,
        kind: step.kind,
        value: step.value.as_ref().map(|it| names.value(it).unwrap_or_else(|| it.clone())),
    }
}

/// Where a run keeps the handles of its threads: as numbers they would say nothing.
#[derive(Default)]
struct Handles<'a> {
    /// A thread that was created by a step there, and whose handle comes next.
    created: Option<(&'a Step, u32)>,
    kept: BTreeMap<&'a Variable, u32>,
}

impl<'a> Handles<'a> {
    /// Goes on by the next step; the thread whose handle it writes or reads, if it does.
    fn of(&mut self, step: &'a Step) -> Option<u32> {
        if let StepKind::Create(thread) = step.kind {
            self.created = Some((step, thread));
            return None;
        }
        let variable = step.variable.as_ref()?;
        if !step.kind.is_write() {
            return self.kept.get(variable).copied().filter(|_| step.kind == StepKind::Read);
        }
        let created = self.created.take();
        let made = created.filter(|(by, _)| by.thread == step.thread && by.site == step.site);
        match made {
            Some((_, thread)) => self.kept.insert(variable, thread),
            None => self.kept.remove(variable),
        };
        made.map(|(_, thread)| thread)
    }
}

/// The name of what is accessed at a place. A heap block has no name of its own; the source has one
/// for this access.
pub(crate) fn name(
    program: &Program,
    names: &Names,
    variable: &Variable,
    place: Option<&Place>,
) -> String {
    names.name(variable, || in_text(program, place))
}

/// What the source says is accessed at a place.
pub(crate) fn in_text(program: &Program, place: Option<&Place>) -> Option<String> {
    place.and_then(|it| expression_at(&program.files, it.span))
}

/// A run that passes.
#[must_use]
pub fn passing_run(program: &Program, run: &Schedule) -> PassingRun {
    PassingRun {
        threads: threads(program, &run.threads),
        schedule: steps(program, run),
        context_switches: run.context_switches(),
    }
}
