//! The failing run of a finding.

use annotate_snippets::renderer::Effects;
use unravel_kinds::InputSource;
use unravel_span::Files;

use crate::model::{Finding, InputRow, ObjectRow, StepRow};
use crate::words::step::input_source;
use crate::{place, shared};

use super::condense::condense;
use super::marks::Marks;
use super::rows::{Ending, Shown};
use super::{Style, layout, names, words};

/// Variables whose values are shown.
const MAX_VALUES: usize = 4;

/// Inputs that are listed, and those of a verbose report.
const MAX_INPUTS: (usize, usize) = (50, 1000);

/// The run of a finding: header, table or list, inputs.
pub fn render(finding: &Finding, files: &Files, style: Style) -> String {
    let names = shown_variables(finding);
    let grid = failing(finding, &names, Marks::default()).grid(files, style);
    let grid = condense(grid, style);
    if grid.rows.is_empty() {
        return inputs(finding, files, style);
    }
    let prefix = names::prefix(finding.schedule.iter());
    let head = header(finding, "failing run", style);
    let mut out = layout::stacked(&[(head, grid)], prefix.as_deref(), style);
    out.push_str(&objects(finding, style));
    out.push_str(&inputs(finding, files, style));
    if style.verbose {
        out.push_str(&output(finding));
    }
    out
}

/// The failing run, to be shown.
pub fn failing<'a>(finding: &'a Finding, names: &'a [&'a str], marks: Marks) -> Shown<'a> {
    let Finding { threads, schedule, .. } = finding;
    let keys = shared::steps_of_mistake(finding);
    Shown { finding, threads, schedule, names, marks, keys, ending: Ending::Violation }
}

/// `failing run (2 context switches, fewest possible)`.
pub fn header(finding: &Finding, title: &str, style: Style) -> String {
    let switches = words::count(finding.context_switches as usize, "context switch");
    let fewest = if finding.fewest_switches { ", fewest possible" } else { "" };
    format!("{} ({switches}{fewest})", style.paint(Effects::BOLD.into(), title))
}

/// The variables of the core, or else those touched last, in the order in which the run first
/// touches them.
pub fn shown_variables(finding: &Finding) -> Vec<&str> {
    let mut names = shared::core_variables(finding);
    if names.is_empty() {
        names = shared::variables(finding);
    }
    names.truncate(MAX_VALUES);
    let first = |name: &&str| {
        let is_named = |step: &StepRow| step.variable.as_deref() == Some(*name);
        finding.schedule.iter().position(|step| shared::is_access(step) && is_named(step))
    };
    names.sort_by_key(first);
    names
}

/// Where the heap blocks come from that the run names.
pub fn objects(finding: &Finding, style: Style) -> String {
    let is_named = |object: &&ObjectRow| {
        let begins = |name: &str| {
            name.strip_prefix(object.name.as_str()).is_some_and(|rest| rest.starts_with("->"))
        };
        finding.schedule.iter().any(|step| step.variable.as_deref().is_some_and(begins))
    };
    let mut by_line: Vec<(u32, Vec<&str>)> = Vec::new();
    for object in finding.objects.iter().filter(is_named) {
        match by_line.iter_mut().find(|it| it.0 == object.line) {
            Some((_, names)) => names.push(&object.name),
            None => by_line.push((object.line, vec![&object.name])),
        }
    }
    let text = |(line, names): &(u32, Vec<&str>)| {
        let from = format!("from line {line}");
        match &names[..] {
            [one] => format!("{one} = the block {from}"),
            all => format!("{} = the blocks {from}", all.join(", ")),
        }
    };
    let texts: Vec<String> = by_line.iter().map(text).collect();
    if texts.is_empty() {
        return String::new();
    }
    words::wrap("objects: ", &texts.join("; "), style.width.max(40))
}

/// All inputs, one per line.
fn inputs(finding: &Finding, files: &Files, style: Style) -> String {
    let mut out = String::new();
    let most = if style.verbose { MAX_INPUTS.1 } else { MAX_INPUTS.0 };
    for (index, input) in finding.inputs.iter().take(most).enumerate() {
        let lead = if index == 0 { "inputs: " } else { "        " };
        out.push_str(&words::wrap(lead, &written_input(input, files), style.width.max(40)));
    }
    if let Some(rest) = finding.inputs.len().checked_sub(most).filter(|&rest| rest > 0) {
        out.push_str(&format!("        and {}\n", words::count(rest, "further input")));
    }
    out
}

/// An input with its place: `__VERIFIER_nondet_int() = 3 at counter.c:9 (main)`.
pub fn written_input(input: &InputRow, files: &Files) -> String {
    let at = input.place.as_ref().map(|place| place::short_line(files, place.span));
    let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
    format!("{}{at} ({})", short_input(input), words::thread(input.thread))
}

/// An input: `__VERIFIER_nondet_int() = 3`.
pub fn short_input(input: &InputRow) -> String {
    let call = if matches!(input.source, InputSource::Call(_)) { "()" } else { "" };
    format!("{}{call} = {}", input_source(&input.source), input.value)
}

/// What the program had printed.
fn output(finding: &Finding) -> String {
    if finding.output.is_empty() {
        return String::new();
    }
    let lines = finding.output.lines().map(|line| format!("  {}\n", words::clean(line)));
    format!("printed until then:\n{}", lines.collect::<String>())
}
