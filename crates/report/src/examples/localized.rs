//! Reports of `localize`.

use unravel_span::FileId;

use crate::model::{
    Command, Fault, FaultLine, FaultSite, Localization, LocalizationRemark, Report, Schedules,
};

use super::{diagnosed, place, xy};

fn line(
    file: FileId,
    at: (u32, u32),
    site: FaultSite,
    name: Option<&str>,
    value: &str,
) -> FaultLine {
    FaultLine {
        place: place(file, at.0, at.1, "writer"),
        site,
        name: name.map(str::to_owned),
        iteration: None,
        is_repeated: false,
        original: Some("0".to_owned()),
        value: value.to_owned(),
    }
}

fn fault(lines: Vec<FaultLine>, schedules: Schedules) -> Fault {
    Fault { lines, schedules, restates_assertion: false, avoids_check: false }
}

fn faults(file: FileId) -> Vec<Fault> {
    let x = || line(file, (7, 5), FaultSite::Assignment, Some("x"), "1");
    let call =
        FaultLine { original: None, ..line(file, (13, 5), FaultSite::Argument(2), Some("f"), "3") };
    let all = FaultLine { is_repeated: true, ..x() };
    let second = FaultLine { iteration: Some(2), ..all.clone() };
    let avoids = line(file, (8, 5), FaultSite::Condition, None, "false");
    let restates = line(file, (24, 5), FaultSite::Condition, None, "true");
    vec![
        fault(vec![x()], Schedules::All),
        fault(vec![all, call], Schedules::Unknown),
        fault(vec![second], Schedules::ThisOnly),
        Fault { avoids_check: true, ..fault(vec![avoids], Schedules::All) },
        Fault { restates_assertion: true, ..fault(vec![restates], Schedules::All) },
    ]
}

/// Values of all kinds.
pub fn values() -> Report {
    let mut report = Report { command: Command::Localize, ..xy() };
    if let Some(finding) = report.findings.first_mut() {
        let file = finding.place.as_ref().map_or(FileId(0), |it| it.span.file);
        let remarks = vec![LocalizationRemark::MoreSets];
        let faults = faults(file);
        finding.localization = Some(Localization { faults, is_order: false, remarks });
    }
    report
}

/// No value is at fault, but an order.
pub fn order() -> Report {
    let mut report = Report { command: Command::Localize, ..diagnosed::torn_writes() };
    if let Some(finding) = report.findings.first_mut() {
        let file = finding.place.as_ref().map_or(FileId(0), |it| it.span.file);
        let faults = faults(file).into_iter().skip(2).collect();
        finding.localization = Some(Localization { faults, is_order: true, remarks: Vec::new() });
    }
    report
}

pub fn all() -> Vec<Report> {
    vec![values(), order()]
}
