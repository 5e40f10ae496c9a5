//! Reports that hold one of every kind, with the sentences that they must show.

use std::fmt::Debug;

use unravel_kinds::{Mistake, Related, StepKind, Unmodelled};
use unravel_span::FileId;

use super::{explained, kinds};
use crate::examples::{self, Run, diagnosed, localized, place};
use crate::model::{
    Cause, Comparison, Core, Difference, End, EndKind, Finding, InputRow, Localization, Order,
    PassingRun, Place, Reason, ReasonKind, RelatedKind, Remark, Report, StepRow,
};
use crate::words::{cause, explanation, mistake, reason, step, violation};

/// A report, and sentences that it must show.
pub struct Example {
    pub report: Report,
    pub lines: Vec<Line>,
}

/// A sentence about a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is about: a violation, a step.
    pub about: &'static str,
    /// The code of the kind, or its name if it has none.
    pub kind: String,
    /// The sentence.
    pub text: String,
}

pub fn line(about: &'static str, kind: impl Into<String>, text: String) -> Line {
    Line { about, kind: kind.into(), text }
}

/// The names of a variant and of the variants in it, up to a number: `Bound Loop`.
pub fn name(it: &impl Debug, most: usize) -> String {
    let text = format!("{it:?}");
    let words = text.split(|c: char| !c.is_alphanumeric());
    let names = words.filter(|word| word.starts_with(|c: char| c.is_uppercase()));
    names.take(most).collect::<Vec<_>>().join(" ")
}

/// One of everything.
pub fn all() -> Vec<Example> {
    let mut all: Vec<Example> = Vec::new();
    all.extend(kinds::violations().into_iter().map(|kind| {
        let lines = vec![line("violation", kind.code(), violation::message(&kind))];
        with_finding(lines, |finding| finding.kind = kind)
    }));
    all.extend(related());
    all.extend(kinds::steps().into_iter().map(stepping));
    all.extend(explained::ends().into_iter().map(ordering));
    all.extend(kinds::inputs().into_iter().map(|source| {
        let lines = vec![line("input", name(&source, 1), step::input_source(&source))];
        let input = InputRow { thread: 1, place: None, source, value: "3".to_owned() };
        with_finding(lines, |finding| finding.inputs = vec![input])
    }));
    all.extend(limits());
    all.extend(remarks());
    all.extend(causes());
    all.extend(mistakes());
    all.extend(localizations());
    all.extend(comparisons());
    all
}

/// A failing run, changed.
fn with_finding(lines: Vec<Line>, change: impl FnOnce(&mut Finding)) -> Example {
    let mut report = examples::xy();
    change(&mut report.findings[0]);
    Example { report, lines }
}

fn file(report: &Report) -> FileId {
    report.findings[0].place.as_ref().unwrap().span.file
}

/// A line on which no thread takes a step.
fn quiet_place(report: &Report) -> Option<Place> {
    place(file(report), 4, 5, "f")
}

/// What belongs to a violation; of a wait, what the thread waits for.
fn related_name(what: &RelatedKind) -> String {
    match what {
        RelatedKind::Step(Related::Waits(wait)) => format!("Waits {}", name(&wait.awaited, 2)),
        RelatedKind::Step(step) => name(step, 1),
        RelatedKind::NoPassingRun(why) => format!("NoPassingRun {}", name(why, 2)),
    }
}

fn related() -> impl Iterator<Item = Example> {
    explained::related().into_iter().flat_map(|what| {
        let lines = vec![line("related", related_name(&what), violation::related(&what))];
        [None, quiet_place(&examples::xy())].map(|place| {
            let remark = Remark { place, what: what.clone() };
            with_finding(lines.clone(), |finding| finding.related = vec![remark])
        })
    })
}

/// A step with a name and a value; if it has no result, also one without them.
fn stepping(kind: StepKind) -> Example {
    let mut example = with_finding(Vec::new(), |_| {});
    let run = Run::new(file(&example.report)).access(1, (8, 7), kind, "x", "1");
    let run = if matches!(kind, StepKind::Sync { code: Some(_), .. }) {
        run
    } else {
        run.step(2, (14, 7), kind)
    };
    let cell = |row: &StepRow| line("step", kind.code(), step::cell(row));
    example.lines = run.steps.iter().map(cell).collect();
    example.report.findings[0].schedule.extend(run.steps);
    example
}

/// An end of an order, with or without a value; only what has a value happens in the run.
fn end(of: &End, kind: EndKind, has_value: bool) -> End {
    End {
        kind,
        variable: Some("x".to_owned()),
        value: has_value.then(|| "1".to_owned()),
        step: of.step.filter(|_| has_value),
        ..of.clone()
    }
}

/// The kind before every other.
fn ordering(before: EndKind) -> Example {
    let mut report = diagnosed::torn_writes();
    let diagnosis = report.findings[0].diagnosis.as_mut().unwrap();
    let first = diagnosis.cores[0].orders[0].clone();
    let (mut orders, mut lines) = (Vec::new(), Vec::new());
    for after in explained::ends() {
        for (first_has, second_has) in [(true, true), (true, false), (false, false)] {
            let order = Order {
                before: end(&first.before, before, first_has),
                after: end(&first.after, after, second_has),
                ..first.clone()
            };
            let pair = format!("{} before {}", before.code(), after.code());
            lines.push(line("end", before.code(), step::end(&order.before)));
            lines.push(line("consequence", pair, step::consequence(&order)));
            orders.push(order);
        }
    }
    let unnamed = End { variable: None, ..end(&first.before, before, false) };
    lines.push(line("end", before.code(), step::end(&unnamed)));
    orders.push(Order { before: unnamed, ..first });
    diagnosis.cores[0] = Core { orders, ..diagnosis.cores[0].clone() };
    Example { report, lines }
}

/// Why an answer is inconclusive, and what was left out.
fn limits() -> Vec<Example> {
    let mut all = Vec::new();
    for kind in explained::reasons() {
        all.extend([true, false].map(|has_place| inconclusive(&kind, has_place)));
    }
    for what in kinds::cuts() {
        let lines = vec![line("cut", name(&what, 1), reason::cut(what))];
        let remark = Remark { place: quiet_place(&examples::xy()), what };
        let mut example = with_finding(lines, |_| {});
        example.report.bounds.cut_loops.push(remark);
        all.push(example);
    }
    for what in kinds::unmodelled() {
        let lines = vec![line("not modelled", name(&what, 2), reason::not_modelled(&what))];
        let mut example = with_finding(lines, |_| {});
        example.report.unsupported.push(Remark { place: None, what });
        all.push(example);
    }
    all.extend(kinds::unmodelled().into_iter().map(handed_over));
    all
}

fn inconclusive(kind: &ReasonKind, has_place: bool) -> Example {
    let mut report = examples::inconclusive();
    let place = report.reasons[0].place.clone().filter(|_| has_place);
    report.reasons = vec![Reason { kind: kind.clone(), place }];
    let name = match kind {
        ReasonKind::Unmodelled(what) => format!("{} {}", kind.code(), name(what, 2)),
        ReasonKind::Bound { cut, .. } => format!("{} {}", kind.code(), name(cut, 1)),
        _ => kind.code().to_owned(),
    };
    let mut lines = vec![line("reason", &name, reason::message(kind))];
    lines.extend(reason::help(kind).map(|help| line("help", &name, help)));
    Example { report, lines }
}

fn handed_over(what: Unmodelled) -> Example {
    let lines = vec![line("handed over", name(&what, 2), reason::handed_over(&what))];
    let mut example = with_finding(lines, |_| {});
    example.report.handed_over.push(Remark { place: None, what });
    example
}

/// Remarks on why it fails, with and without causes.
fn remarks() -> impl Iterator<Item = Example> {
    explained::diagnosis_remarks().into_iter().flat_map(|remark| {
        let text = explanation::diagnosis_remark(&remark);
        [diagnosed::torn_writes(), diagnosed::not_explained()].map(|mut report| {
            report.findings[0].diagnosis.as_mut().unwrap().remarks = vec![remark.clone()];
            Example { report, lines: vec![line("remark", name(&remark, 3), text.clone())] }
        })
    })
}

/// Every shape with every pattern.
fn causes() -> Vec<Example> {
    let mut all = Vec::new();
    for pattern in kinds::patterns() {
        for shape in explained::shapes(file(&diagnosed::torn_writes())) {
            let mut report = diagnosed::torn_writes();
            let diagnosis = report.findings[0].diagnosis.as_mut().unwrap();
            let name = format!("{} {}", pattern.code(), name(&shape, 1));
            let cause = Cause { pattern, shape, mistake: None, cores: vec![0, 1] };
            let lines = vec![line("cause", name, cause::message(&cause))];
            diagnosis.pattern = Some(pattern);
            diagnosis.causes = vec![cause.clone(), cause];
            all.push(Example { report, lines });
        }
    }
    all
}

/// Every mistake, with steps on lines of their own.
fn mistakes() -> Vec<Example> {
    let report = diagnosed::torn_writes();
    let end = report.findings[0].diagnosis.as_ref().unwrap().cores[0].orders[0].before.clone();
    let mut at = 0;
    let mut step = || {
        at += 1;
        End { place: place(file(&report), at % 12 + 1, 5, "f"), ..end.clone() }
    };
    let all = Mistake::examples(&mut step).into_iter();
    all.map(|it| {
        let mut report = report.clone();
        let text = mistake::sentence(&it, &report.files);
        let lines = vec![line("mistake", it.code(), text)];
        report.findings[0].mistake = Some(it);
        Example { report, lines }
    })
    .collect()
}

/// Faulty values and what limits their list.
fn localizations() -> Vec<Example> {
    let mut all = Vec::new();
    for remark in explained::localization_remarks() {
        let text = explanation::localization_remark(&remark);
        let lines = vec![line("fault remark", name(&remark, 3), text)];
        all.push(with_localization(lines, |it| it.remarks = vec![remark]));
    }
    let file = file(&examples::xy());
    for faulty in explained::fault_lines(file) {
        let text = explanation::fault_site(faulty.site);
        let lines = vec![line("fault", name(&faulty.site, 1), text)];
        all.push(with_localization(lines, |it| it.faults[0].lines = vec![faulty]));
    }
    for fault in explained::faults(file) {
        all.push(with_localization(Vec::new(), |it| it.faults = vec![fault]));
    }
    all
}

fn with_localization(lines: Vec<Line>, change: impl FnOnce(&mut Localization)) -> Example {
    let mut report = localized::values();
    change(report.findings[0].localization.as_mut().unwrap());
    Example { report, lines }
}

/// A failing run beside a passing one, found in every way.
fn comparisons() -> impl Iterator<Item = Example> {
    let explained = diagnosed::torn_writes();
    let core = explained.findings[0].diagnosis.as_ref().unwrap().cores[0].clone();
    let order = core.orders[0].clone();
    explained::methods().into_iter().map(move |method| {
        let passing: PassingRun = order.passing.clone().unwrap();
        let read = End { kind: EndKind::Read, ..order.after.clone() };
        let difference = |id: &str, failing, passing| Difference {
            id: id.to_owned(),
            read: read.clone(),
            failing,
            passing,
            passing_value: Some("0".to_owned()),
        };
        let write = Some(order.before.clone());
        let comparison = Comparison {
            passing,
            operations: 0,
            branches: 1,
            flows: 2,
            segments: 1,
            switches: 2,
            is_optimal: true,
            method,
            differences: vec![difference("A", write.clone(), None), difference("B", None, write)],
        };
        let lines = vec![line("method", name(&method, 1), explanation::method(method))];
        with_finding(lines, |finding| finding.comparison = Some(comparison))
    })
}
