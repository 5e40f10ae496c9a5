//! The report as one JSON object.
//!
//! `docs/report.schema.json` describes it. Fields are added, never renamed or removed, as long as
//! `schema_version` stays. The order of the keys is that of the structures below.

mod comparison;
mod diagnosis;
mod faults;
mod repairs;

use serde::Serialize;
use serde::ser::Serializer;
use unravel_kinds::{Pattern, Property};
use unravel_span::{Files, Span};

use crate::{model, words};

/// Version of the form of the document.
pub const SCHEMA_VERSION: u32 = 1;

/// Renders a report as JSON, indented, ending in a line break.
#[must_use]
pub fn render(report: &model::Report, tool_version: &str) -> String {
    // Fails only for maps whose keys are no strings, and there are none.
    let mut text =
        serde_json::to_string_pretty(&document(report, tool_version)).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    tool: Tool<'a>,
    command: &'a str,
    verdict: &'static str,
    reasons: Vec<Reason<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_thread: Option<String>,
    bounds: Bounds<'a>,
    unsupported: Vec<Unsupported<'a>>,
    notes: Vec<Unsupported<'a>>,
    threads: Vec<Thread<'a>>,
    properties: Vec<&'static str>,
    findings: Vec<Finding<'a>>,
    // What only `repair` has.
    #[serde(skip_serializing_if = "Option::is_none")]
    repairs_refused: Option<Vec<repairs::Refused>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repairs_remarks: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covers: Option<repairs::Covers>,
    stats: Stats<'a>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'static str,
    version: &'a str,
}

/// File, line and column of a place, each null where it is not known.
#[derive(Default, Serialize)]
struct Point<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Default, Serialize)]
struct Place<'a> {
    #[serde(flatten)]
    point: Point<'a>,
    function: Option<&'a str>,
}

#[derive(Serialize)]
struct Reason<'a> {
    kind: &'static str,
    message: String,
    #[serde(flatten)]
    point: Point<'a>,
    help: Option<String>,
}

#[derive(Serialize)]
struct Bounds<'a> {
    unwind: Option<u32>,
    // The words behind the program's name; `command_line` has the name, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command_line: Option<String>,
    calls_assumed_to_succeed: bool,
    memory_model: &'static str,
    cut_loops: Vec<Remark<'a>>,
}

#[derive(Serialize)]
struct Remark<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    what: String,
}

#[derive(Serialize)]
struct Unsupported<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
    what: String,
}

#[derive(Serialize)]
struct Thread<'a> {
    id: u32,
    name: &'a str,
    created_at: Option<Place<'a>>,
}

#[derive(Serialize)]
struct Finding<'a> {
    id: u32,
    property: &'static str,
    kind: &'static str,
    message: String,
    #[serde(flatten)]
    place: Place<'a>,
    thread: u32,
    // What the commands that explain and repair fill in is always there, so that a reader of the
    // document need not ask whether it exists.
    pattern: Option<&'a str>,
    sequential: Option<bool>,
    inputs: Vec<Input<'a>>,
    related: Vec<Remark<'a>>,
    threads: Vec<Thread<'a>>,
    schedule: Vec<Step<'a>>,
    context_switches: u32,
    fewest_switches: bool,
    output: &'a str,
    complete: Option<bool>,
    remarks: Vec<String>,
    causes: Vec<diagnosis::Cause<'a>>,
    cores: Vec<diagnosis::Core<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<comparison::Comparison<'a>>,
    faults: Vec<faults::Fault<'a>>,
    // What only `localize` has.
    #[serde(skip_serializing_if = "Option::is_none")]
    order_not_value: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault_remarks: Option<Vec<String>>,
    repairs: Vec<repairs::Repair<'a>>,
}

#[derive(Serialize)]
struct Input<'a> {
    thread: u32,
    #[serde(flatten)]
    place: Place<'a>,
    source: String,
    value: &'a str,
}

#[derive(Serialize)]
struct Step<'a> {
    step: u32,
    thread: u32,
    #[serde(flatten)]
    point: Point<'a>,
    kind: &'static str,
    variable: Option<&'a str>,
    value: Option<&'a str>,
    text: String,
}

/// `time_ms`, then the numbers of the report in their order.
struct Stats<'a> {
    time_ms: u64,
    rest: &'a [(&'static str, u64)],
}

impl Serialize for Stats<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entries = vec![("time_ms", self.time_ms)];
        for entry in self.rest {
            // A key twice would make the document ambiguous; the first stands.
            if entries.iter().all(|known| known.0 != entry.0) {
                entries.push(*entry);
            }
        }
        serializer.collect_map(entries)
    }
}

fn document<'a>(report: &'a model::Report, version: &'a str) -> Document<'a> {
    let (files, repairs) = (&report.files, report.repairs.as_ref());
    Document {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "unravel", version },
        command: report.command.name(),
        verdict: report.verdict.word(),
        reasons: report.reasons.iter().map(|it| reason(files, it)).collect(),
        stopped: words::stopped::message(report),
        one_thread: report
            .is_about_one_thread()
            .then(|| words::called::one_thread(report.bounds.called.as_ref())),
        bounds: bounds(files, &report.bounds),
        unsupported: listed(files, &report.unsupported, words::reason::not_modelled),
        notes: listed(files, &report.handed_over, words::reason::handed_over),
        threads: threads(files, &report.threads),
        properties: report.properties.iter().map(Property::name).collect(),
        findings: report.findings.iter().map(|it| finding(report, it)).collect(),
        repairs_refused: repairs.map(repairs::refused),
        repairs_remarks: repairs.map(repairs::remarks),
        covers: repairs.and_then(|it| it.covers.as_ref()).map(repairs::covers),
        stats: Stats { time_ms: report.time_ms, rest: &report.stats },
    }
}

fn finding<'a>(report: &'a model::Report, finding: &'a model::Finding) -> Finding<'a> {
    let files = &report.files;
    let diagnosis = finding.diagnosis.as_ref();
    Finding {
        id: finding.id,
        property: finding.property().name(),
        kind: finding.kind.code(),
        message: words::violation::message(&finding.kind),
        place: place(files, finding.place.as_ref()),
        thread: finding.thread,
        pattern: diagnosis.and_then(|it| it.pattern).map(Pattern::code),
        sequential: diagnosis.map(|it| it.sequential),
        inputs: finding.inputs.iter().map(|it| input(files, it)).collect(),
        related: remarks(files, &finding.related, words::violation::related),
        threads: threads(files, &finding.threads),
        schedule: finding.schedule.iter().map(|it| step(files, it)).collect(),
        context_switches: finding.context_switches,
        fewest_switches: finding.fewest_switches,
        output: &finding.output,
        complete: diagnosis.map(|it| it.is_complete),
        remarks: diagnosis.map_or_else(Vec::new, diagnosis::remarks),
        causes: diagnosis::causes(diagnosis),
        cores: diagnosis::cores(files, diagnosis),
        comparison: finding.comparison.as_ref().map(|it| comparison::comparison(files, it)),
        faults: faults::faults(files, finding.localization.as_ref()),
        order_not_value: finding.localization.as_ref().map(|it| it.is_order),
        fault_remarks: finding.localization.as_ref().map(faults::remarks),
        repairs: repairs::repairs(files, report.repairs.as_ref()),
    }
}

fn reason<'a>(files: &'a Files, reason: &'a model::Reason) -> Reason<'a> {
    Reason {
        kind: reason.kind.code(),
        message: words::reason::message(&reason.kind),
        point: point(files, reason.place.as_ref()),
        help: words::reason::help(&reason.kind),
    }
}

fn bounds<'a>(files: &'a Files, bounds: &'a model::Bounds) -> Bounds<'a> {
    Bounds {
        arguments: bounds.called.as_ref().and_then(|it| it.words.get(1..)),
        command_line: bounds.called.as_ref().map(words::called::written),
        calls_assumed_to_succeed: bounds.calls_succeed,
        unwind: bounds.unwind,
        memory_model: "sc",
        cut_loops: remarks(files, &bounds.cut_loops, |&cut| words::reason::cut(cut)),
    }
}

/// Remarks with file and line.
fn listed<'a, T>(
    files: &'a Files,
    remarks: &'a [model::Remark<T>],
    words: impl Fn(&T) -> String,
) -> Vec<Unsupported<'a>> {
    let row = |remark: &'a model::Remark<T>| {
        let Point { file, line, .. } = point(files, remark.place.as_ref());
        Unsupported { file, line, what: words(&remark.what) }
    };
    remarks.iter().map(row).collect()
}

/// Remarks with their places.
fn remarks<'a, T>(
    files: &'a Files,
    remarks: &'a [model::Remark<T>],
    words: impl Fn(&T) -> String,
) -> Vec<Remark<'a>> {
    let row = |remark: &'a model::Remark<T>| Remark {
        place: place(files, remark.place.as_ref()),
        what: words(&remark.what),
    };
    remarks.iter().map(row).collect()
}

fn threads<'a>(files: &'a Files, threads: &'a [model::ThreadRow]) -> Vec<Thread<'a>> {
    let thread = |row: &'a model::ThreadRow| Thread {
        id: row.id,
        name: &row.name,
        created_at: row.created_at.as_ref().map(|at| place(files, Some(at))),
    };
    threads.iter().map(thread).collect()
}

fn input<'a>(files: &'a Files, input: &'a model::InputRow) -> Input<'a> {
    Input {
        thread: input.thread,
        place: place(files, input.place.as_ref()),
        source: words::step::input_source(&input.source),
        value: &input.value,
    }
}

fn step<'a>(files: &'a Files, step: &'a model::StepRow) -> Step<'a> {
    Step {
        step: step.step,
        thread: step.thread,
        point: point(files, step.place.as_ref()),
        kind: step.kind.code(),
        variable: step.variable.as_deref(),
        value: step.value.as_deref(),
        text: words::step::cell(step),
    }
}

fn place<'a>(files: &'a Files, place: Option<&'a model::Place>) -> Place<'a> {
    let function = place.map(|place| place.function.as_str()).filter(|name| !name.is_empty());
    Place { point: point(files, place), function }
}

fn point<'a>(files: &'a Files, place: Option<&model::Place>) -> Point<'a> {
    let known = |number: u32| (number > 0).then_some(number);
    let from = |Span { file, line, column }: Span| Point {
        file: Some(files.path(file)),
        line: known(line),
        column: known(column),
    };
    place.map_or_else(Point::default, |place| from(place.span))
}

#[cfg(test)]
mod tests;
