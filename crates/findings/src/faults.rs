//! Values that would have to be different.

use unravel_localize::{Change, Judgement, Kind, Localized, Look, Mark, Marked, Ranked};
use unravel_report::model::{
    Fault, FaultLine, FaultSite, Localization, LocalizationRemark, Schedules,
};

use crate::steps;

/// All faults, best first.
#[must_use]
pub fn localization(marked: &Marked, ranked: &[Ranked<'_>], localized: &Localized) -> Localization {
    let mut remarks = Vec::new();
    if localized.passes_unchanged {
        remarks.push(LocalizationRemark::PassesUnchanged);
    } else if !localized.is_complete {
        remarks.push(LocalizationRemark::MoreSets);
    }
    if localized.fails_in_every_order {
        remarks.push(LocalizationRemark::FailsInEveryOrder);
    }
    let faults = ranked.iter().map(|it| fault(marked, it)).collect();
    Localization { faults, is_order: false, remarks }
}

fn fault(marked: &Marked, ranked: &Ranked<'_>) -> Fault {
    let correction = ranked.correction;
    let mut lines: Vec<FaultLine> = correction
        .changes
        .iter()
        .zip(&correction.originals)
        .map(|(change, original)| line(marked, change, *original))
        .collect();
    lines.sort_by_key(|line| line.place.as_ref().map(|it| (it.span.file, it.span.line)));
    Fault {
        lines,
        schedules: schedules(correction.judgement),
        restates_assertion: ranked.restates,
        avoids_check: ranked.avoids,
    }
}

/// Under which schedules the program passes.
#[must_use]
pub fn schedules(judgement: Judgement) -> Schedules {
    match judgement {
        Judgement::Robust => Schedules::All,
        Judgement::Fails => Schedules::ThisOnly,
        Judgement::Unknown => Schedules::Unknown,
    }
}

fn line(marked: &Marked, change: &Change, original: Option<u128>) -> FaultLine {
    let mark = &marked.marks[change.mark];
    FaultLine {
        place: steps::place(&marked.program, mark.site),
        site: match mark.kind {
            Kind::Assignment => FaultSite::Assignment,
            Kind::Initial => FaultSite::InitialValue,
            Kind::Operand => FaultSite::UpdateOperand,
            Kind::Argument(number) => FaultSite::Argument(number),
            Kind::Return => FaultSite::ReturnedValue,
            Kind::Condition => FaultSite::Condition,
        },
        name: mark.name.clone(),
        iteration: change.iteration.map(|it| it + 1),
        is_repeated: mark.is_repeated,
        original: original.map(|value| number(mark, value)),
        value: number(mark, change.value),
    }
}

fn number(mark: &Mark, value: u128) -> String {
    match mark.look {
        Look::Bool if value <= 1 => (value == 1).to_string(),
        Look::Signed => unravel_interp::value::signed(value, mark.width).to_string(),
        Look::Unsigned | Look::Bool => value.to_string(),
    }
}
