//! Long runs: the text takes time in proportion to their length.
//!
//! The runs are so long that anything quadratic takes minutes, and anything cubic days; linear work
//! takes a second. The time limit only ends what hangs.

use std::sync::mpsc;
use std::time::Duration;

use unravel_kinds::{InputSource, StepKind};

use super::super::render;
use super::PLAIN;
use crate::examples::{self, Run};
use crate::model::{
    Command, Comparison, Core, Diagnosis, Difference, End, EndKind, Finding, InputRow, Method,
    Order, PassingRun, Report, StepRow,
};

const STEPS: u32 = 100_000;
const LIMIT: Duration = Duration::from_secs(60);

/// Steps of three threads on variables that are nearly all different, as in a run over an array of
/// structures; some are shared, some are not.
fn steps(report: &Report) -> Vec<StepRow> {
    let file = report.findings[0].place.as_ref().unwrap().span.file;
    let run = Run::new(file).step(0, (20, 5), StepKind::Create(1));
    let run = (0..STEPS).fold(run.step(0, (21, 5), StepKind::Create(2)), |run, at| {
        let kind = if at % 3 == 0 { StepKind::Write } else { StepKind::Read };
        let name = match at % 4 {
            0 => format!("pool.rows[{}].value", at / 8),
            1 => format!("row{at}->value"),
            2 => format!("list.rows[{}]", at / 2),
            _ => "x".to_owned(),
        };
        let line = [7, 8, 13, 14][at as usize % 4];
        run.access(1 + at % 2, (line, 7), kind, &name, &at.to_string())
    });
    run.steps
}

fn with_run(mut report: Report) -> Report {
    let steps = steps(&report);
    for finding in &mut report.findings {
        finding.schedule.clone_from(&steps);
    }
    report
}

fn end(row: &StepRow) -> End {
    End {
        thread: row.thread,
        thread_name: "worker".to_owned(),
        place: row.place.clone(),
        kind: if row.kind == StepKind::Write { EndKind::Write } else { EndKind::Read },
        variable: row.variable.clone(),
        value: row.value.clone(),
        iteration: None,
        step: Some(row.step),
    }
}

fn passing(finding: &Finding) -> PassingRun {
    let schedule = finding.schedule.iter().rev().cloned().collect();
    PassingRun { threads: finding.threads.clone(), schedule, context_switches: STEPS }
}

/// Orders of neighbouring steps, a thousand of them, spread over the run.
fn explained() -> Report {
    let mut report = with_run(examples::xy());
    report.command = Command::Diagnose;
    let finding = &mut report.findings[0];
    let pairs = finding.schedule.windows(2).step_by(STEPS as usize / 1000);
    let order = |(at, pair): (usize, &[StepRow])| Order {
        id: at.to_string(),
        before: end(&pair[0]),
        after: end(&pair[1]),
        passing: (at == 0).then(|| passing(finding)),
    };
    let orders = pairs.enumerate().map(order).collect();
    let core = Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true };
    finding.diagnosis = Some(Diagnosis {
        pattern: None,
        sequential: false,
        remarks: Vec::new(),
        causes: Vec::new(),
        cores: vec![core],
        is_complete: true,
    });
    report
}

fn compared() -> Report {
    let mut report = with_run(examples::xy());
    report.command = Command::Compare;
    let finding = &mut report.findings[0];
    let pairs = finding.schedule.windows(2).step_by(STEPS as usize / 1000);
    let difference = |(at, pair): (usize, &[StepRow])| Difference {
        id: at.to_string(),
        read: end(&pair[1]),
        failing: Some(end(&pair[0])),
        passing: None,
        passing_value: None,
    };
    let differences = pairs.enumerate().map(difference).collect();
    finding.comparison = Some(Comparison {
        passing: passing(finding),
        operations: 1,
        branches: 0,
        flows: 1,
        segments: 0,
        switches: 0,
        is_optimal: true,
        method: Method::Exact { equal_weights: false, is_cut: false },
        differences,
    });
    report
}

/// A run that takes as many inputs as steps.
fn with_inputs() -> Report {
    let mut report = with_run(examples::xy());
    let input = |at: u32| InputRow {
        source: InputSource::Call("__VERIFIER_nondet_int".to_owned()),
        value: at.to_string(),
        thread: 0,
        place: None,
    };
    report.findings[0].inputs = (0..STEPS).map(input).collect();
    report
}

fn check(make: fn() -> Report) {
    for verbose in [false, true] {
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            let text = render(&make(), super::Style { verbose, ..PLAIN });
            send.send(text.lines().count())
        });
        let lines = receive.recv_timeout(LIMIT).expect("linear in the length of the run");
        assert!(lines < 20_000, "{lines}");
    }
}

#[test]
fn an_assertion() {
    check(|| with_run(examples::xy()));
}

#[test]
fn a_deadlock() {
    check(|| with_run(examples::deadlock()));
}

#[test]
fn a_race() {
    check(|| with_run(examples::race()));
}

#[test]
fn orders_explain_it() {
    check(explained);
}

#[test]
fn it_is_compared() {
    check(compared);
}

#[test]
fn inputs_are_many() {
    check(with_inputs);
}
