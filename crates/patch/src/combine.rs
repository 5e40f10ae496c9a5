//! The edits of several changes as those of one.

use unravel_span::Edit;

/// All edits of several changes of one text. A missing header is included once, and a body without
/// braces gets one pair of them, around everything.
#[must_use]
pub fn combined(changes: &[&[Edit]]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for edit in changes.iter().copied().flatten() {
        let known = edits.iter().position(|it| it == edit);
        match (known, edit.text.trim()) {
            (Some(_), "{") => continue,
            (Some(_), text) if text.starts_with("#include") => continue,
            (Some(at), "}") => drop(edits.remove(at)),
            _ => {}
        }
        edits.push(edit.clone());
    }
    edits
}

#[cfg(test)]
mod tests {
    use unravel_span::FileId;

    use super::*;

    #[test]
    fn headers_and_braces_are_added_once() {
        let insert = |at, text: &str| Edit::insert(FileId(0), at, text);
        let one =
            [insert(0, "#include <a.h>\n"), insert(9, " {"), insert(10, "f();"), insert(20, "}")];
        let other =
            [insert(0, "#include <a.h>\n"), insert(9, " {"), insert(12, "g();"), insert(20, "}")];
        let texts: Vec<String> = combined(&[&one, &other]).into_iter().map(|it| it.text).collect();
        assert_eq!(texts, ["#include <a.h>\n", " {", "f();", "g();", "}"]);
    }
}
