//! The report as SARIF 2.1.0, for code scanning and editors.
//!
//! Two facts about those who read it decide the layout. VS Code's viewer shows only the first
//! thread flow of the first code flow, so that one holds all threads in the order of the run; the
//! second code flow has one thread flow per thread, as the standard means it; where it was asked
//! why the run fails, a third is a run that passes. GitHub wants texts
//! with every rule and knows results that are failures only, so what limits an answer goes into
//! the notifications of the invocation.

mod faults;
mod fixes;
mod flow;
mod location;
mod rules;
mod why;

#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use unravel_kinds::{Cut, ViolationKind};
use unravel_span::Files;

use crate::model::{Finding, Place, ReasonKind, Report, Verdict};
use crate::words;
use location::Locations;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Renders a report as SARIF, indented, ending in a line break.
#[must_use]
pub fn render(report: &Report, tool_version: &str) -> String {
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [run(report, tool_version)],
    });
    format!("{log:#}\n")
}

fn run(report: &Report, tool_version: &str) -> Value {
    let kinds = rules::used(&report.findings);
    let rules: Vec<Value> = kinds.iter().map(|kind| rules::rule(kind)).collect();
    let results: Vec<Value> = report.findings.iter().map(|it| result(report, &kinds, it)).collect();
    json!({
        "tool": { "driver": { "name": "Unravel", "version": tool_version, "rules": rules } },
        "automationDetails": { "id": format!("unravel/{}/", report.command.name()) },
        "columnKind": "utf16CodeUnits",
        "invocations": [invocation(report)],
        "results": results,
    })
}

fn invocation(report: &Report) -> Value {
    let best = report.repairs.as_ref().and_then(|repairs| repairs.verified.first());
    let exit_code = match (report.verdict, best) {
        (Verdict::Safe, _) => 0,
        (Verdict::Unsafe, Some(best)) => {
            if best.complete {
                0
            } else {
                3
            }
        }
        (Verdict::Unsafe, None) => 1,
        (Verdict::Inconclusive, _) if is_complete_run(report) => 0,
        (Verdict::Inconclusive, _) => 3,
    };
    json!({
        "executionSuccessful": true,
        "exitCode": exit_code,
        "toolExecutionNotifications": notifications(report),
    })
}

/// Whether it is about one run that passes: no answer, and yet what was asked for.
fn is_complete_run(report: &Report) -> bool {
    report.reasons.iter().any(|reason| reason.kind == ReasonKind::OneRun)
}

/// Why the answer is inconclusive, and what was cut or is not modelled.
fn notifications(report: &Report) -> Vec<Value> {
    let locations = Locations { files: &report.files };
    let reasons = report.reasons.iter().map(|reason| {
        let help = words::reason::help(&reason.kind);
        let help = help.map(|help| format!("; {help}")).unwrap_or_default();
        let text = format!("inconclusive: {}{help}", words::reason::message(&reason.kind));
        let places = Vec::from_iter(reason.place.as_ref().map(|place| locations.at(place, None)));
        notification("warning", reason.kind.code(), &text, &places)
    });
    let note = |id: &str, place: Option<&Place>, text: String| {
        let places = Vec::from_iter(place.map(|place| locations.at(place, None)));
        notification("note", id, &text, &places)
    };
    let is_new = |cut: Cut| !report.reasons.iter().any(|it| is_about(&it.kind, cut));
    let cut = report.bounds.cut_loops.iter().filter(|it| is_new(it.what));
    let cut = cut.map(|it| note("bound", it.place.as_ref(), words::reason::cut(it.what)));
    let rest = report
        .unsupported
        .iter()
        .map(|it| note("unsupported", it.place.as_ref(), words::reason::not_modelled(&it.what)));
    reasons.chain(cut).chain(rest).collect()
}

/// Whether a reason says already what a bound cut.
fn is_about(kind: &ReasonKind, cut: Cut) -> bool {
    matches!(kind, ReasonKind::Bound { cut: it, .. } if *it == cut)
}

fn notification(level: &str, id: &str, text: &str, locations: &[Value]) -> Value {
    json!({
        "descriptor": { "id": id },
        "level": level,
        "message": { "text": text },
        "locations": locations,
    })
}

fn result(report: &Report, kinds: &[&ViolationKind], finding: &Finding) -> Value {
    let locations = Locations { files: &report.files };
    let index = kinds.iter().position(|kind| kind.code() == finding.kind.code());
    let place = finding.place.as_ref().map(|place| locations.at(place, None));
    let mut result = json!({
        "ruleId": finding.kind.code(),
        "ruleIndex": index,
        "kind": "fail",
        "level": "error",
        "message": { "text": message(finding, &report.files) },
        "locations": Vec::from_iter(place),
        "relatedLocations": related(&locations, finding),
        "codeFlows": flow::code_flows(&locations, finding),
        "partialFingerprints": fingerprints(report, finding),
    });
    if let Some(diagnosis) = &finding.diagnosis {
        result["properties"] = why::properties(diagnosis);
    }
    let fixes = fixes::fixes(report);
    if !fixes.is_empty() {
        result["fixes"] = json!(fixes);
    }
    result
}

/// The message, with a link to each related place: `[the other access](1)`.
fn message(finding: &Finding, files: &Files) -> String {
    let mut text = words::violation::of_finding(finding, files);
    for (index, remark) in finding.related.iter().enumerate().filter(|(_, it)| it.place.is_some()) {
        text.push_str(&format!("; {}", link(&words::violation::related(&remark.what), index + 1)));
    }
    text.push_str(&why::message(finding, first_end(finding)));
    text.push_str(&faults::message(finding));
    text
}

/// A link to a related place, by its id.
fn link(what: &str, id: usize) -> String {
    let what = what.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
    format!("[{what}]({id})")
}

/// The id of the first end of an order: those of remarks and of threads come before.
fn first_end(finding: &Finding) -> usize {
    finding.related.len() + finding.threads.len() + 1
}

/// Places of remarks, whose ids the message links to, then where threads were created, then ends of
/// orders, to which the message links, too.
fn related(locations: &Locations<'_>, finding: &Finding) -> Vec<Value> {
    let remarks =
        finding.related.iter().map(|it| (it.place.as_ref(), words::violation::related(&it.what)));
    let threads = finding.threads.iter().map(|thread| {
        let what = format!("T{} {} is created here", thread.id, thread.name);
        (thread.created_at.as_ref(), what)
    });
    let numbered = remarks.chain(threads).chain(why::places(finding));
    let numbered = numbered.chain(faults::places(finding)).enumerate();
    let located = numbered.filter_map(|(index, (place, what))| {
        let mut location = locations.at(place?, Some(&what));
        location["id"] = json!(index + 1);
        Some(location)
    });
    located.collect()
}

/// Names for the finding that stay when lines move.
fn fingerprints(report: &Report, finding: &Finding) -> Value {
    let span = finding.place.as_ref().map(|place| place.span);
    let path = span.map_or("", |span| report.files.path(span.file));
    let line = span.and_then(|span| report.files.line(span.file, span.line)).unwrap_or("").trim();
    let function = finding.place.as_ref().map_or("", |place| place.function.as_str());
    let same_line = hash(&[finding.kind.code(), path, line]);
    let same_finding =
        hash(&[finding.kind.code(), path, function, &words::violation::message(&finding.kind)]);
    let mut prints = json!({
        "primaryLocationLineHash": format!("{same_line:016x}:1"),
        "finding/v1": format!("{same_finding:016x}"),
    });
    let steps = why::steps(report, finding);
    if !steps.is_empty() {
        let same_core = hash(&steps.iter().map(String::as_str).collect::<Vec<_>>());
        prints["core/v1"] = json!(format!("{same_core:016x}"));
    }
    prints
}

/// FNV-1a: fixed for all time, unlike the hashes of the standard library.
fn hash(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
