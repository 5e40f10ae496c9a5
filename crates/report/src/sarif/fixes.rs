//! Repairs in SARIF's form: fixes that an editor offers.
//!
//! Only repairs verified without a bound, and only the first few: an editor shows them as a menu.
//! There is no `properties.diff`: VS Code's viewer would run `git apply` on it.

use serde_json::{Value, json};
use unravel_span::{Edit, FileId, Files};

use crate::model::{Repair, Report};
use crate::words::repair as words;

use super::location::uri;

/// Fixes that are offered.
const MAX_FIXES: usize = 3;

/// The fixes of every result: each repair removes all findings.
pub fn fixes(report: &Report) -> Vec<Value> {
    let verified = report.repairs.iter().flat_map(|it| &it.verified);
    let complete = verified.filter(|it| it.complete).take(MAX_FIXES);
    complete.filter_map(|repair| fix(&report.files, repair)).collect()
}

fn fix(files: &Files, repair: &Repair) -> Option<Value> {
    let mut ids: Vec<FileId> = repair.edits.iter().map(|edit| edit.file).collect();
    ids.sort();
    ids.dedup();
    let changes: Option<Vec<Value>> =
        ids.into_iter().map(|id| change(files, id, &repair.edits)).collect();
    Some(json!({
        "description": { "text": words::title(&repair.changes) },
        "artifactChanges": changes?,
        "properties": { "applicability": "machine-applicable", "kind": repair.kind.code() },
    }))
}

fn change(files: &Files, id: FileId, edits: &[Edit]) -> Option<Value> {
    let text = files.get(id)?.text.as_deref()?;
    let mine = edits.iter().filter(|edit| edit.file == id);
    let replacements: Option<Vec<Value>> = mine.map(|edit| replacement(text, edit)).collect();
    Some(json!({
        "artifactLocation": { "uri": uri(files.path(id)) },
        "replacements": replacements?,
    }))
}

fn replacement(text: &str, edit: &Edit) -> Option<Value> {
    let (before, deleted) = (text.get(..edit.start)?, text.get(edit.start..edit.end)?);
    let units = |text: &str| text.encode_utf16().count();
    let (start, end) = (point(before), point(text.get(..edit.end)?));
    let region = json!({
        "startLine": start.0,
        "startColumn": start.1,
        "endLine": end.0,
        "endColumn": end.1,
        "charOffset": units(before),
        "charLength": units(deleted),
        "byteOffset": edit.start,
        "byteLength": deleted.len(),
    });
    Some(json!({ "deletedRegion": region, "insertedContent": { "text": edit.text } }))
}

/// Line and column, in UTF-16 code units, of the point behind a text.
fn point(before: &str) -> (usize, usize) {
    let line = before.matches('\n').count() + 1;
    let last = before.rsplit('\n').next().unwrap_or_default();
    (line, last.encode_utf16().count() + 1)
}
