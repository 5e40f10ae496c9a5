//! The answers that are no violation: *safe* and *inconclusive*.

use annotate_snippets::renderer::{AnsiColor, Effects};
use annotate_snippets::{Group, Level, Title};

use crate::model::{Reason, Report};

use super::labels::Label;
use super::{Style, excerpt, words};

/// Reasons of one kind that are shown.
const MAX_SHOWN: usize = 8;

/// Properties in the words of somebody who does not know their names, with the option that adds one
/// that is not checked otherwise.
const PROPERTIES: [(&str, &str, Option<&str>); 6] = [
    ("reach", "assertions", None),
    ("memory", "memory errors", None),
    ("deadlock", "deadlocks", None),
    ("misuse", "misuse of locks and threads", None),
    ("race", "data races", Some("--races")),
    ("ub", "undefined arithmetic", Some("--ub")),
];

/// What holds, how far it was checked, and what was not.
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
    let called = report.bounds.arguments.as_deref().map(called_with);
    let facts = states.into_iter().chain([threads, cut]).chain(called);
    let facts = facts.chain(["memory model sc".to_owned()]);
    let facts = facts.collect::<Vec<_>>().join(", ");
    let text = format!("no violation in any schedule (exhaustive: {facts}){}", checked(report));
    words::wrap(&format!("{word}: "), &text, style.width.max(40))
}

/// The command line that the answer is about: with another one the program may do something else.
fn called_with(arguments: &[String]) -> String {
    match arguments {
        [] => "called without arguments".to_owned(),
        some => format!("called with `{}`", some.join(" ")),
    }
}

fn clamp(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn checked(report: &Report) -> String {
    let is_checked = |name: &str| report.properties.contains(&name);
    let off = PROPERTIES.iter().filter(|(name, ..)| !is_checked(name));
    let off: Vec<String> = off.map(|(_, words, option)| with(words, *option)).collect();
    let on: Vec<&str> = report.properties.iter().map(|name| property(name)).collect();
    match (on.is_empty(), off.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!("; checked: {}", on.join(", ")),
        (false, false) => format!("; checked: {}; not checked: {}", on.join(", "), off.join(", ")),
    }
}

/// `data races (--races)`.
fn with(words: &str, option: Option<&str>) -> String {
    option.map_or_else(|| words.to_owned(), |option| format!("{words} ({option})"))
}

fn property(name: &'static str) -> &'static str {
    PROPERTIES.iter().find(|(it, ..)| *it == name).map_or(name, |(_, words, _)| words)
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
