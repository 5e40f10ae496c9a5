//! A failing run beside the passing run that is closest to it, and what differs.

use annotate_snippets::renderer::Effects;
use unravel_kinds::StepKind;
use unravel_span::Files;

use crate::model::{Comparison, Core, Difference, End, Finding, Order, StepRow};
use crate::place;
use crate::words::{explanation, step};

use super::condense::{condense, without_beginning};
use super::marks::Marks;
use super::rows::{Ending, Grid, Shown};
use super::{Style, layout, names, orders, run, words};

/// The two runs, then the differences.
pub fn blocks(
    finding: &Finding,
    comparison: &Comparison,
    files: &Files,
    style: Style,
) -> Vec<String> {
    vec![runs(finding, comparison, files, style), differences(finding, comparison, files, style)]
}

fn runs(finding: &Finding, comparison: &Comparison, files: &Files, style: Style) -> String {
    let core = as_orders(comparison);
    let names = run::shown_variables(finding);
    let marks = Marks::failing(finding, &core);
    let failing = condense(run::failing(finding, &names, marks).grid(files, style), style);
    let passing = &comparison.passing;
    let shown = Shown {
        finding,
        threads: &passing.threads,
        schedule: &passing.schedule,
        names: &names,
        marks: Marks::passing(finding, &core, passing),
        keys: Vec::new(),
        ending: Ending::Pass,
    };
    let shown = condense(shown.grid(files, style), style);
    let head = run::header(finding, "FAILING", style);
    let title = style.paint(Effects::BOLD.into(), "PASSING");
    let other = format!("{title} (same inputs, {})", closeness(comparison));
    let same = same_beginning(finding, comparison);
    let (failing, shown) = match comparison.differences.is_empty() {
        true => (without_beginning(failing, same, style), without_beginning(shown, same, style)),
        false => (failing, shown),
    };
    let prefix = names::prefix(finding.schedule.iter().chain(&passing.schedule));
    let beside = layout::beside((&head, &failing), (&other, &shown), prefix.as_deref(), style);
    let runs: [(String, Grid); 2] = [(head, failing), (other, shown)];
    beside.unwrap_or_else(|| layout::stacked(&runs, prefix.as_deref(), style))
}

/// The number of the last step up to which both runs do the same.
fn same_beginning(finding: &Finding, comparison: &Comparison) -> u32 {
    let key = |step: &StepRow| (step.thread, step.kind, step.place.clone());
    let pairs = finding.schedule.iter().zip(&comparison.passing.schedule);
    let same = pairs.take_while(|(one, other)| key(one) == key(other));
    same.last().map_or(0, |(step, _)| step.step)
}

/// The differences as orders, a write before the read that sees it, so that both runs get marks.
fn as_orders(comparison: &Comparison) -> Core {
    let order = |it: &Difference| Order {
        id: it.id.clone(),
        before: it.failing.clone().or_else(|| it.passing.clone()).unwrap_or(it.read.clone()),
        after: it.read.clone(),
        passing: None,
    };
    Core {
        orders: comparison.differences.iter().map(order).collect(),
        inputs: Vec::new(),
        other_inputs: false,
        is_minimal: true,
    }
}

fn closeness(comparison: &Comparison) -> &'static str {
    if comparison.is_optimal { "the closest there is" } else { "close" }
}

fn differences(finding: &Finding, comparison: &Comparison, files: &Files, style: Style) -> String {
    let width = style.width.max(40);
    let bold = |text: &str| style.paint(Effects::BOLD.into(), text);
    let mut out = String::new();
    if comparison.differences.is_empty() {
        let text = parting(finding, comparison, files);
        out.push_str(&words::wrap(&format!("{}: ", bold("differs")), &text, width));
    } else {
        out.push_str(&words::wrap(&format!("{}: ", bold("differs")), &summary(comparison), width));
    }
    for difference in &comparison.differences {
        let read = orders::place(&difference.read, files);
        let lead = format!("  [{}]  ", words::clean(&difference.id));
        let name = difference.read.variable.as_deref().unwrap_or("memory");
        out.push_str(&words::wrap(&lead, &format!("{name}, read by {read}"), width));
        let failing = difference.read.value.as_deref();
        let lines = [
            ("failing", &difference.failing, failing),
            ("passing", &difference.passing, difference.passing_value.as_deref()),
        ];
        for (run, source, value) in lines {
            let text = format!("{run}: {}", origin(source.as_ref(), value, files));
            out.push_str(&words::wrap("       ", &text, width));
        }
    }
    out
}

/// Where the runs part, where no read gets another value.
fn parting(finding: &Finding, comparison: &Comparison, files: &Files) -> String {
    let same = same_beginning(finding, comparison);
    let next = |steps: &[StepRow]| {
        let step = steps.iter().find(|it| it.step > same && it.kind != StepKind::Local)?;
        let at = step.place.as_ref().map(|it| place::short_line(files, it.span));
        let at = at.map_or(String::new(), |at| format!(" ({at})"));
        Some(format!("{}: {}{at}", words::thread(step.thread), step::cell(step)))
    };
    let end = || "the end".to_owned();
    let failing = next(&finding.schedule).unwrap_or_else(end);
    let passing = next(&comparison.passing.schedule).unwrap_or_else(end);
    let proved = if comparison.is_optimal { "proved" } else { "not proved" };
    format!(
        "no read gets another value; after step {same} the failing run goes on with {failing}, the \
         passing run with {passing}; {}, {proved}",
        words::clean(&explanation::method(comparison.method))
    )
}

fn summary(comparison: &Comparison) -> String {
    let mut parts = Vec::new();
    if comparison.branches > 0 {
        parts.push(format!("{} another way", words::count(comparison.branches, "branch")));
    }
    parts.push(format!("{} (DF)", words::count(comparison.flows, "data flow")));
    if comparison.segments > 0 {
        parts.push(format!("{} interrupted (BS)", words::count(comparison.segments, "segment")));
    }
    if comparison.switches > 0 {
        parts.push(format!("{} missing (CTX)", words::count(comparison.switches, "switch")));
    }
    let operations = words::count(comparison.operations, "operation");
    let proved = if comparison.is_optimal { "proved" } else { "not proved" };
    let method = words::clean(&explanation::method(comparison.method));
    format!("{}; {operations} in all (OP); {method}, {proved}", parts.join(", "))
}

/// Where a value comes from.
fn origin(source: Option<&End>, value: Option<&str>, files: &Files) -> String {
    let value = value.map_or("a value".to_owned(), words::clean);
    match source {
        Some(write) => format!("{value}, written by {}", orders::place(write, files)),
        None => format!("{value}, as at first"),
    }
}
