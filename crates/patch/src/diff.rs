//! Edits as a unified diff, for `git apply` and `patch -p1`.

use std::collections::BTreeMap;

use similar::TextDiff;
use unravel_span::{Files, apply};

use crate::Edit;

/// Lines of context around a change, as `diff -u` has them.
const CONTEXT: usize = 3;

/// The diff that edits make, file by file in the order of [`Files`]; a file whose text stays as it
/// is does not appear.
///
/// `None` if edits overlap, or if the text of a file is not known.
#[must_use]
pub fn diff(files: &Files, edits: &[Edit]) -> Option<String> {
    let mut by_file: BTreeMap<_, Vec<Edit>> = BTreeMap::new();
    for edit in edits {
        by_file.entry(edit.file).or_default().push(edit.clone());
    }
    let mut result = String::new();
    for (id, edits) in by_file {
        let before = files.get(id)?.text.as_deref()?;
        let after = apply(before, &edits)?;
        let path = files.path(id).trim_start_matches('/');
        let (old, new) = (format!("a/{path}"), format!("b/{path}"));
        // Only `\n` ends a line for patch: a carriage return is part of its line.
        let old_lines: Vec<&str> = before.split_inclusive('\n').collect();
        let new_lines: Vec<&str> = after.split_inclusive('\n').collect();
        let changes =
            TextDiff::configure().newline_terminated(true).diff_slices(&old_lines, &new_lines);
        let text = changes.unified_diff().context_radius(CONTEXT).header(&old, &new).to_string();
        result.push_str(&text);
    }
    Some(result)
}
