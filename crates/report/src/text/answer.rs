//! The answers that are no violation: *safe* and *inconclusive*.

use annotate_snippets::renderer::{AnsiColor, Effects};
use annotate_snippets::{Group, Level, Title};

use crate::model::{Reason, Report};

use super::labels::Label;
use super::{Style, excerpt, words};

/// Reasons of one kind that are shown.
const MAX_SHOWN: usize = 8;

/// One line: what holds, and how far it was checked.
pub fn safe(report: &Report, style: Style) -> String {
    let green = AnsiColor::BrightGreen.on_default().effects(Effects::BOLD);
    let word = style.paint(green, "safe");
    let states = report.stats.iter().find(|(name, _)| *name == "states");
    let states = states.map(|(_, number)| words::count(clamp(*number), "state"));
    let threads = words::count(report.threads.len(), "thread");
    let cut = match report.bounds.cut_loops.len() {
        0 => "no loop cut".to_owned(),
        number => format!("{} cut", words::count(number, "loop")),
    };
    let facts = states.into_iter().chain([threads, cut, "memory model sc".to_owned()]);
    let facts = facts.collect::<Vec<_>>().join(", ");
    format!("{word}: no violation in any schedule (exhaustive: {facts}){}\n", checked(report))
}

fn clamp(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn checked(report: &Report) -> String {
    let names: Vec<&str> = report.properties.iter().map(|name| property(name)).collect();
    if names.is_empty() { String::new() } else { format!("; checked: {}", names.join(", ")) }
}

/// A property in the words of somebody who does not know its name.
fn property(name: &'static str) -> &'static str {
    match name {
        "reach" => "assertions",
        "memory" => "memory errors",
        "deadlock" => "deadlocks",
        "misuse" => "misuse of locks and threads",
        "race" => "data races",
        "ub" => "undefined behaviour",
        other => other,
    }
}

/// Why there is no answer, and what to do about it.
pub fn inconclusive(report: &Report, style: Style) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for reason in &report.reasons {
        if !kinds.contains(&reason.kind) {
            kinds.push(reason.kind);
        }
    }
    let none = if report.findings.is_empty() { "no violation found, but " } else { "" };
    let why = clause(kinds.first().unwrap_or(&""));
    let level = Level::WARNING.with_name("inconclusive");
    let mut groups =
        vec![group(report, level.primary_title(format!("{none}{why}")), kinds.first())];
    for kind in kinds.iter().skip(1) {
        let title = Level::NOTE.with_name("also").secondary_title(clause(kind));
        groups.push(group(report, title, Some(kind)));
    }
    excerpt::print(&groups, style)
}

/// The reasons of one kind.
fn group<'a>(report: &'a Report, title: Title<'a>, kind: Option<&&str>) -> Group<'a> {
    let mut group = Group::with_title(title);
    let is_of_kind = |reason: &&Reason| Some(&reason.kind) == kind;
    let all: Vec<&Reason> = report.reasons.iter().filter(is_of_kind).collect();
    let shown = all.get(..MAX_SHOWN).unwrap_or(&all);
    let labels = shown.iter().filter_map(|reason| label(reason)).collect();
    group = group.elements(excerpt::elements(&report.files, labels));
    for reason in shown.iter().filter(|reason| reason.place.is_none()) {
        group = group.element(Level::NOTE.message(words::clean(&reason.message)));
    }
    if all.len() > shown.len() {
        let more = format!("there are {} more of these", all.len() - shown.len());
        group = group.element(Level::NOTE.message(more));
    }
    for help in helps(&all) {
        group = group.element(Level::HELP.message(words::clean(help)));
    }
    group
}

fn label(reason: &Reason) -> Option<Label> {
    let span = reason.place.as_ref()?.span;
    Some(Label { span, primary: true, text: words::clean(&reason.message) })
}

/// Each advice once.
fn helps<'a>(reasons: &[&'a Reason]) -> Vec<&'a str> {
    let mut helps: Vec<&str> = Vec::new();
    for help in reasons.iter().filter_map(|reason| reason.help.as_deref()) {
        if !helps.contains(&help) {
            helps.push(help);
        }
    }
    helps
}

fn clause(kind: &str) -> &'static str {
    match kind {
        "bound" => "the search was cut",
        "unsupported" => "part of the program is not modelled",
        "inputs" => "not all inputs were tried",
        "no-end" => "it never ends",
        "time" => "the time ran out",
        "memory" => "the memory ran out",
        "states" => "the limit on states was reached",
        "interrupted" => "the search was interrupted",
        _ => "the search is not complete",
    }
}
