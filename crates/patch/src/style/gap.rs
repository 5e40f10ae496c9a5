//! What stands between two neighbouring tokens, and what comes there.
//!
//! A gap with a line break keeps its text, and lines are inserted; one without is replaced by line
//! breaks and the lines.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::Style;
use crate::Edit;
use crate::source::{Source, items};

/// The gaps of one file that change.
pub(super) struct Gaps<'a, 's> {
    source: Source<'a>,
    style: &'s Style,
    gaps: BTreeMap<usize, Gap>,
    braces: Vec<Edit>,
    indented: BTreeSet<usize>,
}

/// What comes into a gap.
#[derive(Default)]
struct Gap {
    end: usize,
    after: Vec<String>,
    before: Vec<String>,
    /// The indentation of what follows, if that needs a new line.
    indent: String,
    /// Whether an `else`, or the `while` of a `do`, follows.
    continues: bool,
}

impl<'a, 's> Gaps<'a, 's> {
    pub(super) fn new(source: Source<'a>, style: &'s Style) -> Gaps<'a, 's> {
        let (gaps, braces, indented) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
        Gaps { source, style, gaps, braces, indented }
    }

    /// Lines directly before a statement.
    pub(super) fn before(&mut self, statement: Node<'a>, lines: Vec<String>, indent: &str) {
        let start = statement.prev_sibling().map_or(statement.start_byte(), |it| it.end_byte());
        let gap = self.gap(start, statement.start_byte(), indent);
        gap.before.extend(lines);
    }

    /// Lines directly after a statement and its comment.
    pub(super) fn after(&mut self, statement: Node<'a>, lines: Vec<String>, next_indent: &str) {
        let (start, next) = following(&self.source, statement);
        let end = next.map_or(self.source.text.len(), |it| it.start_byte());
        let kind = next.map(|it| it.kind());
        let continues =
            kind == Some("else_clause") || kind == Some("else") || kind == Some("while");
        let gap = self.gap(start, end, next_indent);
        gap.continues = continues;
        gap.after.extend(lines);
    }

    /// A line for each statement of a list that stands on one line.
    pub(super) fn break_lines(&mut self, list: Node<'a>, indent: &str) {
        for item in items(list) {
            let start = item.prev_sibling().map_or(item.start_byte(), |it| it.end_byte());
            self.gap(start, item.start_byte(), indent);
        }
        let last = items(list).last().map(|it| following(&self.source, *it));
        if let Some((start, Some(brace))) = last.filter(|_| list.kind() == "compound_statement") {
            let outer = self.source.indentation(list.start_byte()).to_owned();
            self.gap(start, brace.start_byte(), &outer);
        }
    }

    /// An empty statement behind the label of a statement.
    pub(super) fn empty_statement(&mut self, statement: Node<'a>) {
        let colon = header(statement).map(|it| it.end_byte());
        self.braces.extend(colon.map(|at| Edit::insert(self.source.file, at, ";")));
    }

    /// A brace behind what a statement is the body of.
    pub(super) fn open_brace(&mut self, statement: Node<'a>, outer: &str) {
        let Some(header) = header(statement) else { return };
        let newline = self.style.newline;
        let own_line = self.style.brace_on_own_line && header.kind() != ":";
        let text = if own_line { format!("{newline}{outer}{{") } else { " {".to_owned() };
        self.braces.push(Edit::insert(self.source.file, header.end_byte(), text));
    }

    /// The lines of a statement behind its first, one level further in.
    pub(super) fn indent_further(&mut self, statement: Node<'a>) {
        let mut line = self.source.next_line(statement.start_byte());
        while line < statement.end_byte() {
            let text = self.source.text[line..self.source.next_line(line)].trim();
            if !text.is_empty() && !text.starts_with('#') {
                self.indented.insert(line);
            }
            line = self.source.next_line(line);
        }
    }

    fn gap(&mut self, start: usize, end: usize, indent: &str) -> &mut Gap {
        let gap = self.gaps.entry(start).or_default();
        gap.end = end;
        indent.clone_into(&mut gap.indent);
        gap
    }

    pub(super) fn edits(self) -> Vec<Edit> {
        let mut edits = self.braces.clone();
        for (&start, gap) in &self.gaps {
            self.fill(start, gap, &mut edits);
        }
        let further = |at: &usize| Edit::insert(self.source.file, *at, self.style.unit.clone());
        edits.extend(self.indented.iter().map(further));
        edits
    }

    fn fill(&self, start: usize, gap: &Gap, edits: &mut Vec<Edit>) {
        let (file, newline) = (self.source.file, self.style.newline);
        let text = &self.source.text[start..gap.end];
        let whole = |lines: &[String]| lines.iter().map(|it| format!("{it}{newline}")).collect();
        let closes = gap.after.last().is_some_and(|line| line.trim() == "}");
        let joins = gap.continues && closes && gap.before.is_empty();
        if text.contains('\n') && !joins {
            let (next, line): (String, String) = (whole(&gap.after), whole(&gap.before));
            let at =
                [(self.source.next_line(start), next), (self.source.line_start(gap.end), line)];
            let inserted = at.into_iter().filter(|(_, text)| !text.is_empty());
            edits.extend(inserted.map(|(at, text)| Edit::insert(file, at, text)));
            return;
        }
        let lines: String =
            gap.after.iter().chain(&gap.before).map(|it| format!("{newline}{it}")).collect();
        let behind = match joins {
            true if !self.style.brace_on_own_line => " ".to_owned(),
            _ => format!("{newline}{}", gap.indent),
        };
        edits.push(Edit::replace(file, start..gap.end, lines + &behind));
    }
}

/// What a statement is the body of, without the comment behind that.
fn header(statement: Node<'_>) -> Option<Node<'_>> {
    let mut headers = std::iter::successors(statement.prev_sibling(), Node::prev_sibling);
    headers.find(|it| it.kind() != "comment")
}

/// The token or statement that comes after a statement.
pub(super) fn next_token<'a>(source: &Source<'a>, statement: Node<'a>) -> Option<Node<'a>> {
    following(source, statement).1
}

/// Where a statement ends, with the comments behind it on its last line, and what follows them.
pub(super) fn following<'a>(source: &Source<'a>, statement: Node<'a>) -> (usize, Option<Node<'a>>) {
    let mut end = statement.end_byte();
    let mut next = after(statement);
    while let Some(comment) = next.filter(|it| it.kind() == "comment") {
        if source.text[end..comment.start_byte()].contains('\n') {
            break;
        }
        end = comment.end_byte();
        next = after(comment);
    }
    (end, next)
}

/// The next node in the text that is not inside this one.
fn after(node: Node<'_>) -> Option<Node<'_>> {
    crate::source::ancestors(node).find_map(|it| it.next_sibling())
}
