//! From two texts to the edits that lead from one to the other, line by line.

use std::collections::BTreeMap;

use similar::{DiffTag, TextDiff};
use unravel_span::FileId;

use crate::Edit;

/// The edits that turn one text into another.
#[must_use]
pub fn between(file: FileId, old: &str, new: &str) -> Vec<Edit> {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let starts: Vec<usize> = old_lines
        .iter()
        .scan(0, |at, line| Some(std::mem::replace(at, *at + line.len())))
        .chain([old.len()])
        .collect();
    let changes = TextDiff::from_slices(&old_lines, &new_lines);
    let changed = changes.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    changed
        .map(|op| {
            let text = new_lines[op.new_range()].concat();
            let range = op.old_range();
            Edit::replace(file, starts[range.start]..starts[range.end], text)
        })
        .collect()
}

/// For each line of the old text that the new one keeps, its number there; both from 1.
#[must_use]
pub fn kept_lines(old: &str, new: &str) -> BTreeMap<u32, u32> {
    let number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
    let changes = TextDiff::from_lines(old, new);
    let same = changes.ops().iter().filter(|op| op.tag() == DiffTag::Equal);
    same.flat_map(|op| op.old_range().zip(op.new_range()))
        .map(|(old, new)| (number(old), number(new)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edits_lead_from_one_text_to_the_other() {
        let (old, new) = ("a\nb\nc\nd", "a\nx\nc\ny\nd\nz");
        let edits = between(FileId(0), old, new);
        assert_eq!(unravel_span::apply(old, &edits).as_deref(), Some(new));
        assert_eq!(edits.len(), 2);
    }
}
