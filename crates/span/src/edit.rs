//! Changes of a text.

use std::ops::Range;

use crate::FileId;

/// Replaces a range of a file by a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The file.
    pub file: FileId,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends, in bytes; the same as `start` for an insertion.
    pub end: usize,
    /// What comes in its place.
    pub text: String,
}

impl Edit {
    /// An insertion.
    #[must_use]
    pub fn insert(file: FileId, at: usize, text: impl Into<String>) -> Edit {
        Edit { file, start: at, end: at, text: text.into() }
    }

    /// A replacement; of nothing, an insertion; by nothing, a deletion.
    #[must_use]
    pub fn replace(file: FileId, range: Range<usize>, text: impl Into<String>) -> Edit {
        Edit { file, start: range.start, end: range.end, text: text.into() }
    }
}

/// A text with the edits of one file made; edits at the same place come in the order given.
/// `None` if two of them overlap or one lies outside the text.
#[must_use]
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.start, edit.end));
    let (mut result, mut at) = (String::with_capacity(text.len()), 0);
    for edit in sorted {
        if edit.start < at || edit.end < edit.start {
            return None;
        }
        result.push_str(text.get(at..edit.start)?);
        result.push_str(&edit.text);
        at = edit.end;
    }
    result.push_str(text.get(at..)?);
    Some(result)
}

/// The same edits from left to right, what is inserted at one place as one edit: so they mean the
/// same in whatever order they are made.
#[must_use]
pub fn in_order(edits: &[Edit]) -> Vec<Edit> {
    let mut sorted = edits.to_vec();
    // Stable: at one place the order given counts.
    sorted.sort_by_key(|edit| (edit.file, edit.start, edit.end));
    let mut merged: Vec<Edit> = Vec::with_capacity(sorted.len());
    for edit in sorted {
        match merged.last_mut() {
            Some(last) if (last.file, last.end) == (edit.file, edit.start) => {
                last.end = edit.end;
                last.text.push_str(&edit.text);
            }
            _ => merged.push(edit),
        }
    }
    merged
}

/// Where a byte of the edited text was before; `None` for what the edits wrote. The edits are those
/// of one file, and can be made.
#[must_use]
pub fn origin(edits: &[Edit], offset: usize) -> Option<usize> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.start);
    let (mut old, mut new) = (0, 0);
    for edit in sorted {
        let kept = edit.start.checked_sub(old)?;
        if offset < new + kept {
            break;
        }
        (old, new) = (edit.end, new + kept + edit.text.len());
        if offset < new {
            return None;
        }
    }
    Some(old + (offset - new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inserted_at_one_place_is_one_edit() {
        let file = FileId(0);
        let edits = [
            Edit::insert(file, 3, "z"),
            Edit::replace(file, 0..1, "A"),
            Edit::insert(file, 3, "a"),
            Edit::replace(file, 3..4, "D"),
        ];
        let merged = in_order(&edits);
        assert_eq!(merged, [Edit::replace(file, 0..1, "A"), Edit::replace(file, 3..4, "zaD")]);
        assert_eq!(apply("bcdef", &merged), apply("bcdef", &edits));
    }

    #[test]
    fn edits_are_made_from_left_to_right_and_keep_their_order() {
        let file = FileId(0);
        let edits = [
            Edit::insert(file, 3, "C"),
            Edit::replace(file, 0..1, "A"),
            Edit::insert(file, 3, "D"),
        ];
        assert_eq!(apply("abcd", &edits).as_deref(), Some("AbcCDd"));
    }

    #[test]
    fn what_was_kept_is_found_again() {
        let file = FileId(0);
        let edits = [Edit::insert(file, 2, "XY"), Edit::replace(file, 3..4, "")];
        let after = apply("abcde", &edits).expect("the edits are apart");
        assert_eq!(after, "abXYce");
        let origins: Vec<Option<usize>> = (0..6).map(|at| origin(&edits, at)).collect();
        assert_eq!(origins, [Some(0), Some(1), None, None, Some(2), Some(4)]);
    }

    #[test]
    fn edits_that_overlap_or_lie_outside_are_refused() {
        let file = FileId(0);
        let overlap = [Edit::replace(file, 0..2, ""), Edit::replace(file, 1..3, "")];
        assert_eq!(apply("abcd", &overlap), None);
        assert_eq!(apply("abcd", &[Edit::insert(file, 9, "x")]), None);
    }
}
