//! A text with a call beside every statement that a change touches.
//!
//! `repair --try` runs a patched program with delays there: two threads that meet in a new critical
//! section or around a new wait, meet in another way each time.

use std::ops::Range;

use tree_sitter::{Node, Parser};

use crate::masked::masked;
use crate::source::descendants;

/// The text with calls before and behind the innermost statements that some ranges touch; `None` if
/// there are none. `call` gives the text of the call at a place, by its number.
#[must_use]
pub fn with_calls(
    text: &str,
    changed: &[Range<usize>],
    call: impl Fn(usize) -> String,
) -> Option<String> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_c::LANGUAGE.into()).ok()?;
    let tree = parser.parse(masked(text), None)?;
    let touches = |it: &Node<'_>| {
        changed.iter().any(|range| it.start_byte() < range.end && range.start < it.end_byte())
    };
    let statements = descendants(tree.root_node()).filter(|it| is_statement(*it) && touches(it));
    let is_inner = |it: &Node<'_>| {
        !descendants(*it).skip(1).any(|inner| is_statement(inner) && touches(&inner))
    };
    let mut places: Vec<usize> = Vec::new();
    for statement in statements.filter(is_inner).filter(|it| !it.has_error()) {
        places.extend([statement.start_byte(), statement.end_byte()]);
    }
    places.sort_unstable();
    places.dedup();
    if places.is_empty() {
        return None;
    }
    let (mut out, mut at) = (String::new(), 0);
    for (number, &place) in places.iter().enumerate() {
        out.push_str(text.get(at..place)?);
        out.push_str(&format!(" {} ", call(number)));
        at = place;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// Whether another statement may stand before and behind a node.
fn is_statement(node: Node<'_>) -> bool {
    let is_inside = node.parent().is_some_and(|it| it.kind() == "compound_statement");
    let is_other = node.kind() == "comment"
        || node.kind() == "case_statement"
        || node.kind().starts_with("preproc_");
    node.is_named() && is_inside && !is_other
}

#[cfg(test)]
mod tests {
    use super::with_calls;

    fn delayed(text: &str, changed: &str) -> Option<String> {
        let start = text.find(changed)?;
        with_calls(text, std::slice::from_ref(&(start..start + changed.len())), |number| {
            format!("d({number});")
        })
    }

    #[test]
    fn calls_stand_beside_the_innermost_statements() {
        let text = "void f(void) {\n    if (a) {\n        lock();\n    } else b();\n    c();\n}\n";
        let expected = "void f(void) {\n    if (a) {\n         d(0); lock(); d(1); \n    } else \
                        b();\n    c();\n}\n";
        assert_eq!(delayed(text, "        lock();\n").as_deref(), Some(expected));
    }

    #[test]
    fn a_branch_without_braces_is_one_statement() {
        let text = "void f(void) { if (a) x(); else y(); }\n";
        let expected = "void f(void) {  d(0); if (a) x(); else y(); d(1);  }\n";
        assert_eq!(delayed(text, "x()").as_deref(), Some(expected));
    }

    #[test]
    fn a_change_outside_of_functions_has_no_place() {
        assert_eq!(delayed("static int x;\nint main(void) { return x; }\n", "static int x;"), None);
    }
}
