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
        let (old, new) = (name("a", path), name("b", path));
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

/// A file in the header of a diff, as git writes it: a name with a blank ends in a tab, since GNU
/// patch takes the rest of the line for a date; one with a line break, a tab, a quotation mark or a
/// backslash stands in quotation marks.
fn name(prefix: &str, path: &str) -> String {
    let full = format!("{prefix}/{path}");
    if !path.contains(|it: char| it.is_control() || it == '"' || it == '\\') {
        return if full.contains(' ') { full + "\t" } else { full };
    }
    let mut quoted = String::from("\"");
    for character in full.chars() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            '"' | '\\' => quoted.extend(['\\', character]),
            it if it.is_ascii_control() => quoted.push_str(&format!("\\{:03o}", u32::from(it))),
            it => quoted.push(it),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_git_does() {
        assert_eq!(name("a", "src/x.c"), "a/src/x.c");
        assert_eq!(name("b", "a b.c"), "b/a b.c\t");
        assert_eq!(name("a", "two\nlines \"x\".c"), r#""a/two\nlines \"x\".c""#);
    }
}
