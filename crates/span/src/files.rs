//! The files of one analysis.

use std::ops::Range;

use crate::Span;

/// Index of a file in [`Files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// One source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path as the user or debug information wrote it.
    pub path: String,
    /// The text, where it could be read; rendering does without it where it could not.
    pub text: Option<String>,
}

/// All files that spans of one analysis may point into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    files: Vec<File>,
}

impl Files {
    /// No files yet.
    #[must_use]
    pub fn new() -> Self {
        Files::default()
    }

    /// The id of `path`, entering it if it is new.
    pub fn intern(&mut self, path: &str) -> FileId {
        let known = self.files.iter().position(|file| file.path == path);
        let index = known.unwrap_or_else(|| {
            self.files.push(File { path: path.to_owned(), text: None });
            self.files.len() - 1
        });
        FileId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Attaches the text of a file.
    pub fn set_text(&mut self, id: FileId, text: String) {
        if let Some(file) = self.files.get_mut(id.0 as usize) {
            file.text = Some(text);
        }
    }

    /// The file behind an id.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&File> {
        self.files.get(id.0 as usize)
    }

    /// The path behind an id, `<unknown>` for an id of another table.
    #[must_use]
    pub fn path(&self, id: FileId) -> &str {
        self.get(id).map_or("<unknown>", |file| &file.path)
    }

    /// All files with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &File)> {
        (0u32..).map(FileId).zip(&self.files)
    }

    /// Line `line` (from 1) of a file, without its line break.
    #[must_use]
    pub fn line(&self, id: FileId, line: u32) -> Option<&str> {
        let index = line.checked_sub(1)? as usize;
        self.get(id)?.text.as_deref()?.lines().nth(index)
    }

    /// Byte offset at which a span begins.
    #[must_use]
    pub fn offset(&self, span: Span) -> Option<usize> {
        let text = self.get(span.file)?.text.as_deref()?;
        let line = span.line.checked_sub(1)? as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let offset = start + span.column.saturating_sub(1) as usize;
        (offset <= text.len() && text.is_char_boundary(offset)).then_some(offset)
    }

    /// The byte range to underline for a span: the word or operator that begins there, and a
    /// call with its arguments if they close on the same line.
    ///
    /// LLVM gives only where an expression begins (for `x++` the operand or the operator), so the
    /// range is read off the text; a range that is a little short misleads nobody.
    #[must_use]
    pub fn token_at(&self, span: Span) -> Option<Range<usize>> {
        let start = self.offset(span)?;
        let text = self.get(span.file)?.text.as_deref()?;
        let rest = text[start..].split('\n').next().unwrap_or("");
        Some(start..start + token_len(rest).max(1).min(rest.len().max(1)))
    }
}

/// Length of the word at the start of `rest`, with a call's arguments where they close.
fn token_len(rest: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    if word == 0 {
        let is_operator = |c: char| "+-*/%&|^<>=!~".contains(c);
        return rest.find(|c| !is_operator(c)).unwrap_or(rest.len());
    }
    if !rest[word..].starts_with('(') {
        return word;
    }
    closing_parenthesis(&rest[word..]).map_or(word, |len| word + len)
}

/// Bytes up to and including the parenthesis that closes the one at the start.
fn closing_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> (Files, FileId) {
        let mut files = Files::new();
        let id = files.intern("a.c");
        files.set_text(id, text.to_owned());
        (files, id)
    }

    fn token(text: &str, line: u32, column: u32) -> Option<String> {
        let (files, id) = files(text);
        let range = files.token_at(Span::new(id, line, column))?;
        files.get(id)?.text.as_deref()?.get(range).map(str::to_owned)
    }

    #[test]
    fn a_token_is_a_word_an_operator_or_a_call() {
        assert_eq!(token("  x = 1;\n", 1, 3).as_deref(), Some("x"));
        assert_eq!(token("x++;\n", 1, 2).as_deref(), Some("++"));
        assert_eq!(token("\n  f(a, (b));\n", 2, 3).as_deref(), Some("f(a, (b))"));
        assert_eq!(token("f(a,\n b);\n", 1, 1).as_deref(), Some("f"));
    }

    #[test]
    fn a_place_outside_the_file_has_no_token() {
        assert_eq!(token("x\n", 9, 1), None);
        assert_eq!(token("x\n", 1, 40), None);
        assert_eq!(token("x\n", 0, 0), None);
    }

    #[test]
    fn interning_twice_gives_the_same_id() {
        let mut files = Files::new();
        let first = files.intern("a.c");
        files.intern("b.c");
        assert_eq!(files.intern("a.c"), first);
        assert_eq!(files.path(first), "a.c");
    }
}
