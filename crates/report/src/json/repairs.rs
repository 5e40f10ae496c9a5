//! Repairs in JSON's form.

use serde::Serialize;
use unravel_span::{Edit, Files};

use crate::model;

use super::{Place, place};

#[derive(Serialize)]
pub(super) struct Repair<'a> {
    rank: u32,
    kind: &'static str,
    title: &'a str,
    verified: &'static str,
    composite: bool,
    orders: &'a [String],
    because: &'a str,
    checked: &'a [String],
    cost: &'a str,
    forbids: Option<&'a str>,
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
pub(super) struct Refused<'a> {
    kind: &'static str,
    title: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
pub(super) struct Covers<'a> {
    kill_sets: &'a [Vec<String>],
    rows: Vec<CoverRow<'a>>,
    cut: bool,
}

#[derive(Serialize)]
struct CoverRow<'a> {
    chosen: &'a [String],
    valid: bool,
    simplified: Option<&'a [String]>,
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
        kind: it.kind,
        title: &it.title,
        verified: if it.complete { "complete" } else { "bounded" },
        composite: it.composite,
        orders: &it.orders,
        because: &it.because,
        checked: &it.checked,
        cost: &it.cost,
        forbids: it.forbids.as_deref(),
        unreachable: it.unreachable.iter().map(|at| place(files, Some(at))).collect(),
        edits: it.edits.iter().map(change).collect(),
        diff: &it.diff,
    }
}

pub(super) fn refused(repairs: &model::Repairs) -> Vec<Refused<'_>> {
    let refused = repairs.refused.iter();
    refused.map(|it| Refused { kind: it.kind, title: &it.title, why: &it.why }).collect()
}

pub(super) fn covers(covers: &model::Covers) -> Covers<'_> {
    let rows = covers.rows.iter().map(|row| CoverRow {
        chosen: &row.chosen,
        valid: row.simplified.is_some(),
        simplified: row.simplified.as_deref(),
    });
    Covers { kill_sets: &covers.kill_sets, rows: rows.collect(), cut: covers.cut }
}
