//! Places in the source: how they are written, and which characters they cover.

use std::ops::Range;

use unravel_span::{Files, Span};

/// `file:line:column`, without what is not known.
pub fn written(files: &Files, span: Span) -> String {
    let path = files.path(span.file);
    match (span.line, span.column) {
        (0, _) => path.to_owned(),
        (line, 0) => format!("{path}:{line}"),
        (line, column) => format!("{path}:{line}:{column}"),
    }
}

/// `file:line`, without what is not known.
pub fn written_line(files: &Files, span: Span) -> String {
    written(files, Span { column: 0, ..span })
}

/// `file:line` without directories, unless two files have that name.
pub fn short_line(files: &Files, span: Span) -> String {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mine = name(files.path(span.file));
    let same = files.iter().filter(|(_, file)| name(&file.path) == mine).count();
    let full = written_line(files, span);
    match full.strip_prefix(files.path(span.file)) {
        Some(line) if same == 1 && !mine.is_empty() => format!("{mine}{line}"),
        _ => full,
    }
}

/// The bytes to underline: never empty unless the line is, never beyond the line, and always
/// between characters, whatever the span says.
pub fn range(files: &Files, span: Span) -> Option<Range<usize>> {
    let line = line_range(files, span)?;
    let text = files.get(span.file)?.text.as_deref()?;
    let token = files.token_at(span).filter(|token| line.contains(&token.start));
    let Some(token) = token else { return Some(visible(text, line)) };
    let end = token.end.min(line.end);
    let end = (end..=line.end).find(|&at| text.is_char_boundary(at))?;
    Some(token.start..end)
}

/// As [`range`], but the whole assignment where the span points at its operator.
pub fn wide_range(files: &Files, span: Span) -> Option<Range<usize>> {
    let (range, line) = (range(files, span)?, line_range(files, span)?);
    let text = files.get(span.file)?.text.as_deref()?;
    Some(assignment(text, &line, range))
}

/// The whole assignment where `token` is its operator, which is what LLVM points at; else `token`.
fn assignment(text: &str, line: &Range<usize>, token: Range<usize>) -> Range<usize> {
    const OPERATORS: [&str; 13] =
        ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
    let parts =
        (text.get(line.start..token.start), text.get(token.clone()), text.get(token.end..line.end));
    let (Some(before), Some(operator), Some(after)) = parts else { return token };
    if !OPERATORS.contains(&operator) {
        return token;
    }
    let is_step = operator == "++" || operator == "--";
    let target = target_len(before);
    match (is_step, target) {
        (true, 0) => token.start..token.end + operand_len(after),
        (true, _) => token.start - target..token.end,
        (false, _) => token.start - target..token.end + value_len(after),
    }
}

/// Length of the operand that `after` begins with: of `++q->count` the `q->count`.
fn operand_len(after: &str) -> usize {
    after.find(|c: char| !c.is_alphanumeric() && !"_.->[]".contains(c)).unwrap_or(after.len())
}

/// Length of the expression that `before` ends in: `a[i].next ` and its kind.
fn target_len(before: &str) -> usize {
    let mut depth = 0usize;
    let target = before.trim_end();
    if target.is_empty() {
        return 0;
    }
    for (at, c) in target.char_indices().rev() {
        match c {
            ']' | ')' => depth += 1,
            '[' | '(' if depth == 0 => return before.len() - at - c.len_utf8(),
            '[' | '(' => depth -= 1,
            _ if depth > 0 || c.is_alphanumeric() || "_.->*".contains(c) => {}
            _ => return before.len() - at - c.len_utf8(),
        }
    }
    before.len()
}

/// Length of the value that `after` begins with: up to what ends an expression.
fn value_len(after: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in after.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ')' | ']' | '}' | ';' | ',' if depth == 0 => return after[..at].trim_end().len(),
            _ => {}
        }
    }
    after.trim_end().len()
}

/// The bytes of a span's line, without its line break.
pub fn line_range(files: &Files, span: Span) -> Option<Range<usize>> {
    let text = files.get(span.file)?.text.as_deref()?;
    let index = span.line.checked_sub(1)? as usize;
    let line = text.split_inclusive('\n').nth(index)?;
    let start: usize = text.split_inclusive('\n').take(index).map(str::len).sum();
    Some(start..start + line.trim_end_matches(['\n', '\r']).len())
}

/// The part of a line that is not indentation: what to underline where the column makes no sense.
fn visible(text: &str, line: Range<usize>) -> Range<usize> {
    let Some(content) = text.get(line.clone()) else { return line };
    let start = line.start + (content.len() - content.trim_start().len());
    let end = line.start + content.trim_end().len();
    if start < end { start..end } else { line }
}

/// The statement on a span's line, for a place that has no better words.
pub fn statement(files: &Files, span: Span) -> Option<&str> {
    let line = files.line(span.file, span.line)?;
    let comment = ["//", "/*"].into_iter().filter_map(|mark| line.find(mark)).min();
    let line = line[..comment.unwrap_or(line.len())].trim();
    let line = line.strip_suffix(';').unwrap_or(line);
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(text: &str, line: u32, column: u32) -> Option<String> {
        let mut files = Files::new();
        let id = files.intern("a.c");
        files.set_text(id, text.to_owned());
        wide_range(&files, Span::new(id, line, column)).map(|range| text[range].to_owned())
    }

    #[test]
    fn an_assignment_is_covered_from_its_operator() {
        assert_eq!(covered("  x = 1;\n", 1, 5).as_deref(), Some("x = 1"));
        assert_eq!(
            covered("if (c) a[i].n += f(1, 2), g();", 1, 15).as_deref(),
            Some("a[i].n += f(1, 2)")
        );
        assert_eq!(covered("for (i = 0; ; i++)", 1, 16).as_deref(), Some("i++"));
        assert_eq!(covered("  ++q->n;", 1, 3).as_deref(), Some("++q->n"));
        assert_eq!(covered("return *p;", 1, 8).as_deref(), Some("*"));
        assert_eq!(covered("= 1", 1, 1).as_deref(), Some("= 1"));
    }

    #[test]
    fn a_range_stays_on_its_line_and_between_characters() {
        assert_eq!(covered("  x = 1;\n", 1, 3).as_deref(), Some("x"));
        assert_eq!(covered("  x = 1;\r\ny\r\n", 1, 40).as_deref(), Some("x = 1;"));
        assert_eq!(covered("a\n…b\n", 2, 1).as_deref(), Some("…"));
        assert_eq!(covered("a\n…b\n", 2, 2).as_deref(), Some("…b"));
        assert_eq!(covered("a\n\nb", 2, 1).as_deref(), Some(""));
        assert_eq!(covered("a", 1, 2).as_deref(), Some("a"));
        assert_eq!(covered("", 1, 1), None);
        assert_eq!(covered("a\n", 0, 0), None);
    }
}
