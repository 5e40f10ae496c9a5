//! Sentences that JSON does not have: labels of excerpts, titles and headlines.

use unravel_kinds::Property;

use super::reports::{Line, line, name};
use super::{assert_covers, explained, kinds};
use crate::examples::{self, Run};
use crate::model::ReasonKind;
use crate::words::{explanation, reason, step, violation};

/// All of them.
pub fn lines() -> Vec<Line> {
    let mut all = labels();
    all.extend(properties().map(|it| {
        let words = violation::property(it).to_owned();
        line("property", it.name(), words)
    }));
    for related in kinds::related() {
        let name = name(&related, 1);
        match related.as_wait() {
            Some(wait) => all.push(line("wait", name, violation::waits(wait))),
            None => all.push(line("label", name, violation::step_without_thread(&related))),
        }
    }
    all.push(line("headline", "none", reason::headline(None)));
    for kind in explained::reasons() {
        all.push(line("headline", kind.code(), reason::headline(Some(&kind))));
    }
    // The sentence of everything that is not modelled is that of a reason.
    for what in kinds::unmodelled() {
        let text = reason::not_modelled_in_run(&what);
        assert_eq!(text, reason::message(&ReasonKind::Unmodelled(what)));
    }
    for why in explained::obstacles() {
        all.push(line("obstacle", name(&why, 2), explanation::obstacle(&why)));
    }
    let file = examples::xy().findings[0].place.as_ref().unwrap().span.file;
    for faulty in explained::fault_lines(file) {
        all.push(line("faulty value", name(&faulty.site, 1), explanation::fault_line(&faulty)));
    }
    for fault in explained::faults(file) {
        all.push(line("fault label", name(&fault.schedules, 1), explanation::fault_label(&fault)));
    }
    for kind in kinds::violations() {
        all.push(line("rule", kind.code(), violation::rule(&kind).short));
    }
    all
}

/// What excerpts say about steps, and about ends of orders that do not happen.
fn labels() -> Vec<Line> {
    let mut all = Vec::new();
    let report = examples::diagnosed::torn_writes();
    let finding = &report.findings[0];
    let file = finding.place.as_ref().unwrap().span.file;
    for kind in kinds::steps() {
        let run = Run::new(file).access(1, (8, 7), kind, "x", "1").step(1, (8, 7), kind).named("x");
        for row in &run.steps {
            let labels = [step::with_value(row), step::without_value(row)];
            // Most are what the table has.
            let labels = labels.into_iter().filter(|label| *label != step::cell(row));
            all.extend(labels.map(|label| line("label", kind.code(), label)));
        }
        for row in run.steps.iter().filter(|row| row.kind.is_access()) {
            all.push(line("label after another", kind.code(), step::after_other(row, 2)));
        }
    }
    let mut end = finding.diagnosis.as_ref().unwrap().cores[0].orders[0].after.clone();
    for kind in explained::ends() {
        for variable in [Some("x".to_owned()), None] {
            (end.kind, end.variable) = (kind, variable);
            all.push(line("missing step", kind.code(), step::would(&end)));
        }
    }
    all
}

/// All properties.
fn properties() -> [Property; 6] {
    let all = Property::ALL;
    assert_covers!(
        all,
        Property::Reach,
        Property::Memory,
        Property::Deadlock,
        Property::Misuse,
        Property::Race,
        Property::Ub,
    );
    all
}
