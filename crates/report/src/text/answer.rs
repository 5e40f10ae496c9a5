//! The answers that are no violation: *safe* and *inconclusive*.

use annotate_snippets::renderer::{AnsiColor, Effects};
use annotate_snippets::{Group, Level, Title};
use unravel_span::Files;

use crate::model::{Reason, Report};

use super::labels::Label;
use super::{Style, excerpt, words};

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
    let none = if report.findings.is_empty() { "no violation found, but " } else { "" };
    let text = format!("{none}{}", why(&report.reasons));
    let level = Level::WARNING.with_name("inconclusive");
    let title = level.primary_title(text);
    let [first, rest @ ..] = report.reasons.as_slice() else {
        return excerpt::print(&[Group::with_title(title)], style);
    };
    let mut groups = vec![group(title, first, &report.files)];
    for reason in rest {
        let title = Level::NOTE.with_name("also").secondary_title(clause(reason.kind));
        groups.push(group(title, reason, &report.files));
    }
    excerpt::print(&groups, style)
}

fn group<'a>(title: Title<'a>, reason: &Reason, files: &'a Files) -> Group<'a> {
    let mut group = Group::with_title(title);
    let message = words::clean(&reason.message);
    match &reason.place {
        Some(place) => {
            let label = Label { span: place.span, primary: true, text: message };
            group = group.elements(excerpt::elements(files, vec![label]));
        }
        None => group = group.element(Level::NOTE.message(message)),
    }
    match &reason.help {
        Some(help) => group.element(Level::HELP.message(words::clean(help))),
        None => group,
    }
}

/// The kinds of reason, each once.
fn why(reasons: &[Reason]) -> String {
    let mut clauses: Vec<&str> = Vec::new();
    for reason in reasons {
        let clause = clause(reason.kind);
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    if clauses.is_empty() { clause("").to_owned() } else { words::enumerate(&clauses) }
}

fn clause(kind: &str) -> &'static str {
    match kind {
        "bound" => "the search was cut",
        "unsupported" => "part of the program is not modelled",
        "inputs" => "not all inputs were tried",
        "time" => "the time ran out",
        "memory" => "the memory ran out",
        "states" => "the limit on states was reached",
        "interrupted" => "the search was interrupted",
        _ => "the search is not complete",
    }
}
