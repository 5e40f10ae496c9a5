//! That a command was stopped before it was done, and what is known all the same.

use std::time::Duration;

use unravel_kinds::StopReason;

use super::{count, say};
use crate::model::{Command, Finding, Report};

/// `time limit of 60 s; one failing run is known, its causes are not complete`, if it was stopped.
#[must_use]
pub fn message(report: &Report) -> Option<String> {
    let why = at(report.stopped?)?;
    Some(say(format!("{why}; {}", known(report))))
}

/// What stopped it: a limit of the user, or the user.
#[must_use]
pub fn at(reason: StopReason) -> Option<String> {
    match reason {
        StopReason::Time(limit) => Some(format!("time limit of {}", duration(limit))),
        StopReason::Memory(limit) => Some(format!("memory limit of {} MiB", limit >> 20)),
        StopReason::Interrupted => Some("interrupted".to_owned()),
        StopReason::Work(_) => None,
    }
}

/// `60 s`, `500 ms`.
pub(super) fn duration(time: Duration) -> String {
    match time.subsec_millis() {
        0 => format!("{} s", time.as_secs()),
        _ => format!("{} ms", time.as_millis()),
    }
}

fn known(report: &Report) -> String {
    let runs = match report.findings.len() {
        0 => return "no failing run is known, and not all runs were seen".to_owned(),
        1 => "one failing run is known".to_owned(),
        number => format!("{} are known", count(number, "failing run")),
    };
    match about(report) {
        Some(about) => format!("{runs}, {about}"),
        None => runs,
    }
}

/// What is known about the failing runs: what the command was asked for.
fn about(report: &Report) -> Option<String> {
    let repairs = report.repairs.as_ref().map_or(0, |it| it.verified.len());
    let about = match report.command {
        Command::Check | Command::Run | Command::Sequentialize => return None,
        Command::Diagnose => causes(&report.findings).to_owned(),
        Command::Repair if repairs == 0 => "no repair was verified yet".to_owned(),
        Command::Repair => {
            let verb = if repairs == 1 { "is" } else { "are" };
            format!("{} {verb} verified, there may be better ones", count(repairs, "repair"))
        }
        Command::Compare => passing(&report.findings).to_owned(),
        Command::Localize => {
            let faults = |it: &Finding| it.localization.as_ref().map_or(0, |it| it.faults.len());
            match report.findings.iter().map(faults).sum() {
                0 => "no value that would have to differ is known yet".to_owned(),
                number => format!("{}, there may be others", count(number, "fault")),
            }
        }
    };
    Some(about)
}

fn causes(findings: &[Finding]) -> &'static str {
    let diagnoses = || findings.iter().filter_map(|it| it.diagnosis.as_ref());
    let explains = diagnoses().any(|it| it.sequential || !it.causes.is_empty());
    match (explains, diagnoses().all(|it| it.is_complete)) {
        (true, true) => "its causes are complete",
        (true, false) => "its causes are not complete",
        (false, _) => "its causes are not known",
    }
}

fn passing(findings: &[Finding]) -> &'static str {
    match findings.iter().find_map(|it| it.comparison.as_ref()) {
        Some(comparison) if comparison.is_optimal => "the closest passing run, too",
        Some(_) => "a passing run, too; there may be a closer one",
        None => "no passing run is known",
    }
}
