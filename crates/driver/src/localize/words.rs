//! Faults in the words of a report.

use unravel_localize::{Change, Judgement, Kind, Localized, Look, Mark, Marked};
use unravel_report::model::{Fault, FaultLine, Localization, Schedules};

use crate::localize::rank::Ranked;
use crate::rows;

/// All faults, best first.
pub fn localization(marked: &Marked, ranked: &[Ranked<'_>], localized: &Localized) -> Localization {
    let mut remarks = Vec::new();
    if localized.passes_unchanged {
        let why = "the same order of the same steps can pass without a change, so no value is at \
                   fault";
        remarks.push(why.to_owned());
    } else if !localized.is_complete {
        remarks
            .push("there may be more sets, of several values each: not all were tried".to_owned());
    }
    if localized.fails_in_every_order {
        let why = "with these inputs it fails in every order, so the order of the run was not kept";
        remarks.push(why.to_owned());
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
        place: rows::place(&marked.program, mark.site),
        what: match mark.kind {
            Kind::Assignment => "assignment".to_owned(),
            Kind::Initial => "initial value".to_owned(),
            Kind::Operand => "operand of the update".to_owned(),
            Kind::Argument(number) => format!("argument {number}"),
            Kind::Return => "returned value".to_owned(),
            Kind::Condition => "condition".to_owned(),
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
