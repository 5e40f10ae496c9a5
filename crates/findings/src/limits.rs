//! What was cut, is not modelled or was stopped, as the data of a report.

use unravel_interp::{Note, Notes};
use unravel_kinds::{Cut, Unmodelled};
use unravel_program::Program;
use unravel_report::model::{Reason, ReasonKind, Remark};

use crate::steps::place;

/// What was cut by a bound.
#[must_use]
pub fn cut(program: &Program, notes: &Notes) -> Vec<Remark<Cut>> {
    let cut = notes.iter().filter_map(|note| match note {
        Note::Bound { site, what } => Some(Remark { place: place(program, *site), what: *what }),
        _ => None,
    });
    cut.collect()
}

/// What is not modelled: of the program as a whole, and what runs met.
#[must_use]
pub fn not_modelled(program: &Program, notes: &Notes) -> Vec<Remark<Unmodelled>> {
    let always = program
        .unsupported
        .iter()
        .map(|it| Remark { place: place(program, it.site), what: it.what.clone().into() });
    let met = notes.iter().filter_map(|note| {
        let what = match note {
            Note::Unsupported { what, .. } => what.clone(),
            Note::Bound { .. } => return None,
        };
        Some(Remark { place: place(program, note.site()), what })
    });
    always.chain(met).collect()
}

/// What a single run met that is not modelled.
#[must_use]
pub fn not_modelled_in_run(program: &Program, notes: &Notes) -> Vec<Remark<Unmodelled>> {
    let met = notes.iter().filter_map(|note| {
        let what = match note {
            Note::Unsupported { what, .. } => what.clone(),
            Note::Bound { .. } => return None,
        };
        Some(Remark { place: place(program, note.site()), what })
    });
    met.collect()
}

/// The reasons that follow from what was cut or is not modelled. `unwind`: the bound on loops that
/// the user set.
#[must_use]
pub fn reasons(program: &Program, unwind: Option<u32>, notes: &Notes) -> Vec<Reason> {
    let always = program.unsupported.iter().map(|it| Reason {
        kind: ReasonKind::Unmodelled(it.what.clone().into()),
        place: place(program, it.site),
    });
    let met = notes.iter().map(|note| {
        let kind = match note {
            Note::Bound { what, .. } => ReasonKind::Bound { cut: *what, unwind },
            Note::Unsupported { what, .. } => ReasonKind::Unmodelled(what.clone()),
        };
        Reason { kind, place: place(program, note.site()) }
    });
    always.chain(met).collect()
}
