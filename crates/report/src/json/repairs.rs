//! Repairs in JSON's form.

use serde::Serialize;
use unravel_kinds::repair::CodeOrder;
use unravel_span::{Edit, Files};

use crate::model;
use crate::words::repair as words;

use super::{Place, place};

#[derive(Serialize)]
pub(super) struct Repair<'a> {
    rank: u32,
    kind: &'static str,
    title: String,
    verified: &'static str,
    composite: bool,
    orders: Vec<String>,
    because: String,
    checked: Vec<String>,
    cost: String,
    forbids: Option<String>,
    unreachable: Vec<Place<'a>>,
    edits: Vec<Change<'a>>,
    diff: &'a str,
}

/// A range of a file, in bytes, and what comes in its place.
#[derive(Serialize)]
struct Change<'a> {
    file: &'a str,
    start: usize,
    end: usize,
    text: &'a str,
}

#[derive(Serialize)]
pub(super) struct Refused {
    kind: &'static str,
    title: String,
    why: String,
}

#[derive(Serialize)]
pub(super) struct Covers {
    kill_sets: Vec<Vec<String>>,
    rows: Vec<CoverRow>,
    cut: bool,
}

#[derive(Serialize)]
struct CoverRow {
    chosen: Vec<String>,
    valid: bool,
    simplified: Option<Vec<String>>,
}

/// The repairs of a finding: each removes all findings.
pub(super) fn repairs<'a>(
    files: &'a Files,
    repairs: Option<&'a model::Repairs>,
) -> Vec<Repair<'a>> {
    let verified = repairs.map_or(&[][..], |it| &it.verified);
    verified.iter().map(|it| repair(files, it)).collect()
}

fn repair<'a>(files: &'a Files, it: &'a model::Repair) -> Repair<'a> {
    let change = |edit: &'a Edit| Change {
        file: files.path(edit.file),
        start: edit.start,
        end: edit.end,
        text: &edit.text,
    };
    Repair {
        rank: it.rank,
        kind: it.kind.code(),
        title: words::title(&it.changes),
        verified: if it.complete { "complete" } else { "bounded" },
        composite: it.composite,
        orders: words::orders(&it.required),
        because: words::because(it),
        checked: words::checked(it),
        cost: words::cost(&it.costs),
        forbids: words::forbids(it),
        unreachable: it.unreachable.iter().map(|at| place(files, Some(at))).collect(),
        edits: it.edits.iter().map(change).collect(),
        diff: &it.diff,
    }
}

pub(super) fn refused(repairs: &model::Repairs) -> Vec<Refused> {
    let one = |it: &model::Refused| Refused {
        kind: it.kind.code(),
        title: words::title(&it.changes),
        why: words::why_refused(&it.why),
    };
    repairs.refused.iter().map(one).collect()
}

pub(super) fn remarks(repairs: &model::Repairs) -> Vec<String> {
    repairs.remarks.iter().map(words::why_none).collect()
}

pub(super) fn covers(covers: &model::Covers) -> Covers {
    let orders = |all: &Vec<CodeOrder>| all.iter().map(words::order).collect::<Vec<_>>();
    let row = |row: &model::CoverRow| CoverRow {
        chosen: orders(&row.chosen),
        valid: row.simplified.is_some(),
        simplified: row.simplified.as_ref().map(orders),
    };
    Covers {
        kill_sets: covers.kill_sets.iter().map(orders).collect(),
        rows: covers.rows.iter().map(row).collect(),
        cut: covers.cut,
    }
}
