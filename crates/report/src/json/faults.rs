//! Values that would have to be others, in JSON's form.

use serde::Serialize;
use unravel_span::Files;

use crate::model::{self, Schedules};
use crate::words;

use super::{Place, place};

#[derive(Serialize)]
pub(super) struct Fault<'a> {
    lines: Vec<Line<'a>>,
    robust: bool,
    schedules: &'static str,
    restates_assertion: bool,
    avoids_check: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    what: String,
    name: Option<&'a str>,
    /// Null: all executions of the line.
    iteration: Option<u32>,
    repeated: bool,
    original: Option<&'a str>,
    value: &'a str,
}

/// What limits the list.
pub(super) fn remarks(localization: &model::Localization) -> Vec<String> {
    localization.remarks.iter().map(words::explanation::localization_remark).collect()
}

pub(super) fn faults<'a>(
    files: &'a Files,
    localization: Option<&'a model::Localization>,
) -> Vec<Fault<'a>> {
    let line = |it: &'a model::FaultLine| Line {
        place: place(files, it.place.as_ref()),
        what: words::explanation::fault_site(it.site),
        name: it.name.as_deref(),
        iteration: it.iteration,
        repeated: it.is_repeated,
        original: it.original.as_deref(),
        value: &it.value,
    };
    let fault = |it: &'a model::Fault| Fault {
        lines: it.lines.iter().map(line).collect(),
        robust: it.schedules == Schedules::All,
        schedules: match it.schedules {
            Schedules::All => "all",
            Schedules::ThisOnly => "this",
            Schedules::Unknown => "unknown",
        },
        restates_assertion: it.restates_assertion,
        avoids_check: it.avoids_check,
    };
    localization.map_or_else(Vec::new, |it| it.faults.iter().map(fault).collect())
}
