//! What stands below: what was left out of the analysis, numbers, and the last line.

use annotate_snippets::renderer::Effects;

use unravel_kinds::Unmodelled;

use crate::model::{Finding, Place, ReasonKind, Remark, Report};
use crate::place;
use crate::words::{called, reason, stopped};

use super::{Style, answer, words};

/// Findings that the last line names.
const MAX_NAMED: usize = 3;

/// What is not modelled, unless a reason for the answer says so already.
pub fn not_modelled(report: &Report) -> String {
    let remarks = report.unsupported.iter().map(|it| (&it.place, reason::not_modelled(&it.what)));
    let is_said = |kind: &ReasonKind| matches!(kind, ReasonKind::Unmodelled(_));
    section(report, "not modelled", is_said, remarks)
}

/// How the answer was found.
pub fn notes(report: &Report) -> String {
    let line = |note: &Remark<Unmodelled>| {
        let place = note.place.as_ref();
        let at = place.map(|place| words::clean(&place::written(&report.files, place.span)));
        let at = at.map_or(String::new(), |at| format!("{at}: "));
        format!("note: {at}{}\n", words::clean(&reason::handed_over(&note.what)))
    };
    report.handed_over.iter().map(line).collect()
}

/// What a bound cut, unless a reason for the answer says so already.
pub fn cut(report: &Report) -> String {
    let cut = report.bounds.cut_loops.iter().map(|it| (&it.place, reason::cut(it.what)));
    section(report, "cut by a bound", ReasonKind::is_bound, cut)
}

/// Places with words for them, in two columns, less those that a reason of that kind is about.
fn section<'a>(
    report: &Report,
    title: &str,
    is_of_kind: impl Fn(&ReasonKind) -> bool,
    remarks: impl Iterator<Item = (&'a Option<Place>, String)>,
) -> String {
    let is_said = |place: &Option<Place>| {
        let mut reasons = report.reasons.iter().filter(|reason| is_of_kind(&reason.kind));
        reasons.any(|reason| reason.place == *place)
    };
    let rows = remarks.filter(|(place, _)| !is_said(place)).map(|(place, what)| {
        let place = place.as_ref();
        let at = place.map(|place| words::clean(&place::written(&report.files, place.span)));
        (at.unwrap_or_default(), words::clean(&what))
    });
    let rows: Vec<(String, String)> = rows.collect();
    let width = rows.iter().map(|(place, _)| place.chars().count()).max().unwrap_or(0);
    let gap = if width == 0 { "" } else { "  " };
    let line =
        |(place, what): &(String, String)| format!("  {}{gap}{what}\n", words::pad(place, width));
    let lines: String = rows.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("{title}:\n{lines}") }
}

/// That the command was stopped, or that there may be more causes, where not all failing runs are
/// explained.
pub fn partial(report: &Report, style: Style) -> String {
    if let Some(stopped) = stopped::message(report) {
        let title = style.paint(Effects::BOLD.into(), "stopped");
        return words::wrap(&format!("{title}: "), &stopped, style.width.max(40));
    }
    let mut diagnoses = report.findings.iter().filter_map(|finding| finding.diagnosis.as_ref());
    if diagnoses.all(|diagnosis| diagnosis.is_complete) {
        return String::new();
    }
    let title = style.paint(Effects::BOLD.into(), "partial");
    let text = "not all failing runs were explained; other failing runs may have other causes";
    words::wrap(&format!("{title}: "), text, style.width.max(40))
}

/// All numbers.
pub fn numbers(report: &Report) -> String {
    let numbers: Vec<String> =
        report.stats.iter().map(|(name, number)| format!("{name} {number}")).collect();
    if numbers.is_empty() { String::new() } else { format!("numbers: {}\n", numbers.join(", ")) }
}

/// How to go on, and where what was found is explained.
pub fn next(report: &Report, command: Option<&str>, style: Style) -> String {
    let Some((command, finding)) = command.zip(report.findings.first()) else {
        return String::new();
    };
    let lead = |text| style.paint(Effects::BOLD.into(), text);
    let (next, more) = (lead("next:"), lead("more:"));
    let (command, code) = (words::clean(command), finding.kind.code());
    let one_line = "next:   more: unravel explain ".len() + command.chars().count() + code.len();
    let gap = if one_line + 8 <= style.width { "        " } else { "\n" };
    format!("{next}   {command}{gap}{more} unravel explain {code}\n")
}

/// The last line, made for `grep`; the time comes last, since it is never the same twice.
pub fn summary(report: &Report, style: Style) -> String {
    let title = style.paint(Effects::BOLD.into(), "SUMMARY:");
    let verdict = report.verdict.word();
    let violations = words::count(report.findings.len(), "violation");
    let properties = match report.properties.iter().count() {
        1 => "1 property".to_owned(),
        number => format!("{number} properties"),
    };
    let names = named(report);
    let explained = explained(report);
    let repaired = repaired(report);
    let facts = facts(report).join(", ");
    let called = report.bounds.called.as_ref();
    let called = called
        .map_or_else(String::new, |it| format!(" {}", words::clean(&called::for_command_line(it))));
    let alone = if report.is_about_one_thread() { "no second thread starts; " } else { "" };
    format!(
        "{title} {verdict}: {alone}{violations}{names} of {properties}{called}; \
         {explained}{repaired}{facts}\n"
    )
}

/// `2 verified repairs; `, where there is something to repair.
fn repaired(report: &Report) -> String {
    match &report.repairs {
        Some(repairs) if !report.findings.is_empty() => match repairs.verified.len() {
            0 => "no repair; ".to_owned(),
            number => format!("{}; ", words::count(number, "verified repair")),
        },
        _ => String::new(),
    }
}

/// `1 cause, 2 cores, 4 orders; `, where it was asked why and the schedule matters.
fn explained(report: &Report) -> String {
    let diagnoses = || report.findings.iter().filter_map(|finding| finding.diagnosis.as_ref());
    if diagnoses().next().is_none() {
        return String::new();
    }
    if diagnoses().all(|it| it.sequential) {
        return "not a concurrency bug; ".to_owned();
    }
    let causes = diagnoses().map(|it| it.causes.len()).sum();
    let cores = diagnoses().map(|it| it.cores.len()).sum();
    let orders = diagnoses().flat_map(|it| &it.cores).map(|core| core.orders.len()).sum();
    let counts = [(causes, "cause"), (cores, "core"), (orders, "order")];
    let counts = counts.map(|(number, noun)| words::count(number, noun));
    format!("{}; ", counts.join(", "))
}

fn named(report: &Report) -> String {
    let findings = report.findings.iter().take(MAX_NAMED);
    let mut names: Vec<String> = findings.map(|finding| named_finding(report, finding)).collect();
    let more = report.findings.len().saturating_sub(MAX_NAMED);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

fn named_finding(report: &Report, finding: &Finding) -> String {
    let place = finding.place.as_ref();
    let place = place.map(|place| words::clean(&place::written_line(&report.files, place.span)));
    let code = finding.kind.code();
    place.map_or_else(|| code.to_owned(), |place| format!("{code} {place}"))
}

fn facts(report: &Report) -> Vec<String> {
    let threads = words::count(report.threads.len(), "thread");
    let cut = format!("{} cut", words::count(report.bounds.cut_loops.len(), "loop"));
    let unsupported = report.unsupported.len();
    let unsupported = (unsupported > 0).then(|| format!("{unsupported} not modelled"));
    let mut facts = vec![threads, cut];
    facts.extend(unsupported);
    facts.push("memory model sc".to_owned());
    facts.extend(report.bounds.calls_succeed.then(|| answer::assumed().to_owned()));
    let stopped = report.stopped.and_then(stopped::at);
    facts.extend(stopped.map(|at| format!("stopped: {at}")));
    facts.push(seconds(report.time_ms));
    facts
}

/// `0.03s`.
fn seconds(time_ms: u64) -> String {
    let hundredths = time_ms.saturating_add(5) / 10;
    format!("{}.{:02}s", hundredths / 100, hundredths % 100)
}
