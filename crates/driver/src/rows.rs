//! A run as rows of a report.

use unravel_interp::choice::InputSource;
use unravel_interp::schedule::{Input, Schedule, Step, StepKind, ThreadInfo};
use unravel_program::library::codes;
use unravel_program::library::sync::Deed;
use unravel_program::{Program, SiteId};
use unravel_report::model::{InputRow, Place, StepRow, ThreadRow};

use crate::source_name::expression_at;
use crate::wakeups::Wakeups;

/// The place of a site, if it has one: of the code as written, not where it was inlined.
pub fn place(program: &Program, site: SiteId) -> Option<Place> {
    let site = program.site(site);
    site.span.map(|span| Place { span, function: site.function.clone() })
}

pub fn threads(program: &Program, threads: &[ThreadInfo]) -> Vec<ThreadRow> {
    let row = |thread: &ThreadInfo| ThreadRow {
        id: thread.id.0,
        name: thread.name.clone(),
        created_at: thread.created_at.and_then(|site| place(program, site)),
    };
    threads.iter().map(row).collect()
}

pub fn inputs(program: &Program, inputs: &[Input]) -> Vec<InputRow> {
    let row = |input: &Input| InputRow {
        thread: input.thread.0,
        place: place(program, input.site),
        source: match &input.source {
            InputSource::Call(name) => name.clone(),
            InputSource::Uninitialized => "uninitialized memory".to_owned(),
            InputSource::Clock => "clock".to_owned(),
            InputSource::Layout(..) => "order in memory".to_owned(),
        },
        value: input.value.clone(),
    };
    inputs.iter().map(row).collect()
}

/// Steps are numbered from 1. A local assignment, which is shown on request only, has the number
/// of the step it follows, or of the first if it comes before all: those that are shown have no gap.
pub fn steps(program: &Program, schedule: &Schedule) -> Vec<StepRow> {
    let mut number = 0u32;
    let mut wakeups = Wakeups::default();
    let numbered = schedule.steps.iter().map(|step| {
        number += u32::from(step.kind != StepKind::Local);
        let mut row = row(program, number.max(1), step);
        if wakeups.is_spurious(schedule, step) {
            row.text = "wakes without a signal".to_owned();
        }
        row
    });
    numbered.collect()
}

/// The number of a step of a run.
pub fn number(schedule: &Schedule, index: usize) -> u32 {
    let steps = schedule.steps.iter().take(index + 1);
    let visible = steps.filter(|step| step.kind != StepKind::Local).count();
    u32::try_from(visible).unwrap_or(u32::MAX).max(1)
}

fn row(program: &Program, number: u32, step: &Step) -> StepRow {
    let place = place(program, step.site);
    let mut variable = step.variable.clone();
    // A heap block has no name of its own; the source has one for this access.
    if variable.as_deref().is_some_and(|name| name.starts_with("heap@"))
        && let Some(place) = &place
        && let Some(name) = expression_at(&program.files, place.span)
    {
        variable = Some(name);
    }
    let text = text(step, variable.as_deref().unwrap_or("memory"));
    StepRow {
        step: number,
        thread: step.thread.0,
        place,
        kind: step.kind.word(),
        variable,
        value: step.value.clone(),
        text,
    }
}

/// A step in a few words.
fn text(step: &Step, name: &str) -> String {
    let value = step.value.as_deref().unwrap_or("?");
    match step.kind {
        StepKind::Read => format!("{name} is {value}"),
        StepKind::Write | StepKind::Local => format!("{name} = {value}"),
        StepKind::Update => format!("{name} = {value} (atomic)"),
        StepKind::FailedUpdate => format!("{name} is {value} (not swapped)"),
        StepKind::Free => format!("frees {name}"),
        StepKind::Sync(op, code) => sync_text(op.deed(), code, name),
        StepKind::Create(thread) => format!("creates T{}", thread.0),
        StepKind::Join(thread) => format!("joins T{}", thread.0),
        StepKind::End => "ends".to_owned(),
        StepKind::Exit(code) => format!("process ends ({code})"),
        StepKind::Input => format!("input {value}"),
        StepKind::AssumeFailed => "assume fails".to_owned(),
        StepKind::Output => format!("prints {:?}", value),
    }
}

fn sync_text(deed: Deed, code: Option<i32>, name: &str) -> String {
    let word = deed.code();
    match (deed, code) {
        (Deed::Wait, None) => format!("waits on {name}"),
        (Deed::Wake, Some(0)) => format!("wakes from {name}"),
        (Deed::Arrive, _) => format!("arrives at {name}"),
        (Deed::Pass, _) => format!("passes {name}"),
        (_, Some(0) | None) => format!("{word} {name}"),
        (_, Some(code)) => format!("{word} {name}: {}", code_name(code)),
    }
}

fn code_name(code: i32) -> String {
    codes::name(code).map_or_else(|| format!("error {code}"), str::to_owned)
}
