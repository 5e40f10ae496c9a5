//! What the source calls a place on the heap.
//!
//! Debug information names variables, not heap blocks; but the access itself is written down:
//! `node->next = top`. LLVM gives the column of the operator for a write and of the member or
//! variable for a read, so the expression is read off the line around it.

use unravel_span::{Files, Span};

/// The expression that is accessed at a point, if the text shows one.
#[must_use]
pub fn expression_at(files: &Files, span: Span) -> Option<String> {
    let line = files.line(span.file, span.line)?;
    let at = span.column.checked_sub(1)? as usize;
    if at > line.len() || !line.is_char_boundary(at) {
        return None;
    }
    let (before, rest) = line.split_at(at);
    if is_macro_call(rest) {
        return None;
    }
    let expression = if let Some(argument) = first_argument(rest) {
        argument
    } else if is_word_start(rest) {
        format!("{}{}", lvalue_suffix(before), word(rest))
    } else if rest.starts_with('*') {
        format!("*{}", word(rest.trim_start_matches('*').trim_start_matches('(')))
    } else {
        // An operator: what it assigns to stands before it.
        lvalue_suffix(before.trim_end()).to_owned()
    };
    let expression = expression.trim().to_owned();
    let shown = !expression.is_empty() && expression.len() <= 40 && !expression.starts_with('.');
    shown.then_some(expression)
}

/// Whether a call of a macro begins here, by the usual spelling. All that it stands for has this one
/// place, so that its arguments do not tell what is accessed.
fn is_macro_call(text: &str) -> bool {
    let name = word(text);
    let is_upper = name.len() > 1 && !name.contains(|c: char| c.is_ascii_lowercase());
    is_upper && is_word_start(text) && text[name.len()..].trim_start().starts_with('(')
}

/// What a call accesses through its first argument: `x` in `atomic_load(&x)`, `*p` in `free(p)`.
fn first_argument(text: &str) -> Option<String> {
    let name = word(text);
    let inside = text.strip_prefix(name).filter(|_| is_word_start(text))?.strip_prefix('(')?;
    let mut depth = 0;
    let end = inside.find(|c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth > 0 => depth -= 1,
            ')' | ',' if depth == 0 => return true,
            _ => {}
        }
        false
    })?;
    let argument = inside.get(..end)?.trim();
    match argument.strip_prefix('&') {
        Some(variable) => Some(variable.to_owned()),
        None if !is_word_start(argument) || argument.contains(|c| !is_of_path(c)) => None,
        None => Some(format!("*{argument}")),
    }
}

/// Whether a character belongs to a name, or to what leads from one to another.
fn is_of_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.->[]".contains(c)
}

fn is_word_start(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The longest lvalue that a text ends in: names, `->`, `.`, balanced brackets, a leading `*`.
fn lvalue_suffix(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut start = bytes.len();
    let mut depth = 0usize;
    while let Some(&byte) = start.checked_sub(1).and_then(|at| bytes.get(at)) {
        let after_dash = bytes.get(start) == Some(&b'>');
        match byte {
            b']' => depth += 1,
            b'[' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            b'-' if after_dash => {}
            b'>' if start >= 2 && bytes.get(start - 2) == Some(&b'-') => {}
            b'.' | b'_' => {}
            _ if byte.is_ascii_alphanumeric() => {}
            b'*' => {
                start -= 1;
                break;
            }
            _ => break,
        }
        start -= 1;
    }
    text.get(start..).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(line: &str, column: u32) -> Option<String> {
        let mut files = Files::new();
        let file = files.intern("a.c");
        files.set_text(file, line.to_owned());
        expression_at(&files, Span::new(file, 1, column))
    }

    #[test]
    fn a_macro_does_not_tell_what_it_accesses() {
        assert_eq!(name("  LIST_INSERT(head, item);", 3), None);
        assert_eq!(name("  free(item);", 3).as_deref(), Some("*item"));
    }

    #[test]
    fn writes_are_named_by_what_stands_before_the_operator() {
        assert_eq!(name("  node->next = top;", 14).as_deref(), Some("node->next"));
        assert_eq!(
            name("  q->slots[i + 1].used += 2;", 23).as_deref(),
            Some("q->slots[i + 1].used")
        );
        assert_eq!(name("  *p = 1;", 6).as_deref(), Some("*p"));
        assert_eq!(name("  p->count++;", 11).as_deref(), Some("p->count"));
    }

    #[test]
    fn reads_are_named_by_the_member_and_what_leads_to_it() {
        assert_eq!(name("  x = node->next;", 13).as_deref(), Some("node->next"));
        assert_eq!(name("  return total;", 10).as_deref(), Some("total"));
        assert_eq!(name("  f(*p);", 5).as_deref(), Some("*p"));
    }

    #[test]
    fn odd_places_have_no_name() {
        assert_eq!(name("", 1), None);
        assert_eq!(name("é", 2), None);
        assert_eq!(name("x", 99), None);
    }
}
