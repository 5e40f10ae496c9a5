//! The answers that are no violation: *safe* and *inconclusive*.

use annotate_snippets::renderer::{AnsiColor, Effects};
use annotate_snippets::{Group, Level, Title};

use unravel_kinds::Property;

use crate::model::{Reason, ReasonKind, Report};
use crate::words::{called, reason, violation};

use super::labels::Label;
use super::{Style, excerpt, words};

/// Reasons of one kind that are shown.
const MAX_SHOWN: usize = 8;

/// What holds, how far it was checked, and what was not.
pub fn safe(report: &Report, style: Style) -> String {
    let green = AnsiColor::BrightGreen.on_default().effects(Effects::BOLD);
    let word = style.paint(green, "safe");
    let states = report.explored_states.map(|number| words::count(clamp(number), "state"));
    let threads = words::count(report.threads.len(), "thread");
    let cut = match report.bounds.cut_loops.len() {
        0 => "no loop cut".to_owned(),
        number => format!("{} cut", words::count(number, "loop")),
    };
    let succeeding = report.bounds.calls_succeed.then(|| assumed().to_owned());
    let facts = states.into_iter().chain([threads, cut, "memory model sc".to_owned()]);
    let facts = facts.chain(succeeding).collect::<Vec<_>>().join(", ");
    let called = report.bounds.called.as_ref();
    // Another command line may do something else, and one thread alone proves nothing about threads.
    let for_called = called
        .map_or_else(String::new, |it| format!(" {}", words::clean(&called::for_command_line(it))));
    let alone = match report.is_about_one_thread() {
        true => format!("{}; ", words::clean(&called::one_thread(called))),
        false => String::new(),
    };
    let runs = format!("no violation in any schedule{for_called} (exhaustive: {facts})");
    let text = format!("{alone}{runs}{}", checked(report));
    words::wrap(&format!("{word}: "), &text, style.width.max(40))
}

/// What `--assume-calls-succeed` assumes.
pub fn assumed() -> &'static str {
    "calls of the system assumed to succeed"
}

fn clamp(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn checked(report: &Report) -> String {
    let (on, off): (Vec<Property>, Vec<Property>) =
        Property::ALL.into_iter().partition(|&it| report.properties.has(it));
    let on: Vec<&str> = on.into_iter().map(violation::looked_for).collect();
    let off: Vec<String> = off.into_iter().map(with_option).collect();
    match (on.is_empty(), off.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!("; checked: {}", on.join(", ")),
        (false, false) => format!("; checked: {}; not checked: {}", on.join(", "), off.join(", ")),
    }
}

/// `data races (--races)`: a property with the option that adds it, if there is one.
fn with_option(property: Property) -> String {
    let words = violation::property(property);
    match property {
        Property::Race => format!("{words} (--races)"),
        Property::Ub => format!("{words} (--ub)"),
        _ => words.to_owned(),
    }
}

/// Why there is no answer, and what to do about it.
pub fn inconclusive(report: &Report, style: Style) -> String {
    let mut kinds: Vec<&ReasonKind> = Vec::new();
    for reason in &report.reasons {
        if kinds.iter().all(|kind| kind.code() != reason.kind.code()) {
            kinds.push(&reason.kind);
        }
    }
    let none = if report.findings.is_empty() { "no violation found, but " } else { "" };
    let first = kinds.first().copied();
    let level = Level::WARNING.with_name("inconclusive");
    let title = level.primary_title(format!("{none}{}", reason::headline(first)));
    let mut groups = vec![group(report, title, first)];
    for &kind in kinds.iter().skip(1) {
        let title = Level::NOTE.with_name("also").secondary_title(reason::headline(Some(kind)));
        groups.push(group(report, title, Some(kind)));
    }
    excerpt::print(&groups, style)
}

/// The reasons of one kind.
fn group<'a>(report: &'a Report, title: Title<'a>, kind: Option<&ReasonKind>) -> Group<'a> {
    let mut group = Group::with_title(title);
    let is_of_kind = |it: &&Reason| kind.is_some_and(|kind| kind.code() == it.kind.code());
    let all: Vec<&Reason> = report.reasons.iter().filter(is_of_kind).collect();
    let shown = all.get(..MAX_SHOWN).unwrap_or(&all);
    let labels = shown.iter().filter_map(|reason| label(reason)).collect();
    group = group.elements(excerpt::elements(&report.files, labels));
    for it in shown.iter().filter(|it| it.place.is_none()) {
        group = group.element(Level::NOTE.message(words::clean(&reason::message(&it.kind))));
    }
    if all.len() > shown.len() {
        let more = format!("there are {} more of these", all.len() - shown.len());
        group = group.element(Level::NOTE.message(more));
    }
    for help in helps(&all) {
        group = group.element(Level::HELP.message(words::clean(&help)));
    }
    group
}

fn label(reason: &Reason) -> Option<Label> {
    let span = reason.place.as_ref()?.span;
    Some(Label { span, primary: true, text: words::clean(&reason::message(&reason.kind)) })
}

/// Each advice once.
fn helps(reasons: &[&Reason]) -> Vec<String> {
    let mut helps: Vec<String> = Vec::new();
    for help in reasons.iter().filter_map(|it| reason::help(&it.kind)) {
        if !helps.contains(&help) {
            helps.push(help);
        }
    }
    helps
}
