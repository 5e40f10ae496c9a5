//! Whole lines before and after statements, in the style of the file.
//!
//! Lines are given without indentation; every tab that a line begins with stands for one more level
//! of it. Where the text has no line of its own for a statement (`if (c) x++;`, `a = 1; b = 2;`,
//! `{ x++; }`), line breaks are made; a body without braces gets them.
//!
//! All changes of one file that may touch belong into one [`Insertions`]: two changes between the
//! same two statements share that gap, and a body that is changed twice gets its braces once.

mod detect;
mod gap;
mod globals;

pub use detect::Style;
pub use globals::{declare_globals, include};

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::Edit;
use crate::source::{Source, ancestors, behind_labels, is_bare_body, is_list};
use gap::{Gaps, next_token};

/// Lines before a statement.
#[must_use]
pub fn insert_before<'a>(source: &Source<'a>, statement: Node<'a>, lines: &[String]) -> Vec<Edit> {
    let mut insertions = Insertions::new(*source);
    insertions.before(statement, lines.iter().cloned());
    insertions.edits()
}

/// Lines after a statement.
#[must_use]
pub fn insert_after<'a>(source: &Source<'a>, statement: Node<'a>, lines: &[String]) -> Vec<Edit> {
    let mut insertions = Insertions::new(*source);
    insertions.after(statement, lines.iter().cloned());
    insertions.edits()
}

/// Lines to insert around statements of one file.
#[derive(Debug)]
pub struct Insertions<'a> {
    source: Source<'a>,
    style: &'a Style,
    // Innermost last, so that going backwards closes inner braces first.
    changes: BTreeMap<(usize, Reverse<usize>), Change<'a>>,
}

/// What one statement gets.
#[derive(Debug)]
struct Change<'a> {
    statement: Node<'a>,
    before: Vec<String>,
    after: Vec<String>,
    braces: bool,
}

impl<'a> Insertions<'a> {
    /// None yet.
    #[must_use]
    pub fn new(source: Source<'a>) -> Insertions<'a> {
        Insertions { source, style: source.style(), changes: BTreeMap::new() }
    }

    /// Lines before a statement, behind its labels.
    pub fn before(&mut self, statement: Node<'a>, lines: impl IntoIterator<Item = String>) {
        self.change(behind_labels(statement)).before.extend(lines);
    }

    /// Lines after a statement and the comment that trails it.
    pub fn after(&mut self, statement: Node<'a>, lines: impl IntoIterator<Item = String>) {
        self.change(statement).after.extend(lines);
    }

    /// Lines before a statement the first of which declares something. Where C wants a statement, it
    /// gets one: an empty one behind a label, a block behind a `case`.
    pub fn declare_before(&mut self, statement: Node<'a>, lines: impl IntoIterator<Item = String>) {
        let statement = behind_labels(statement);
        let change = self.change(statement);
        change.braces |= change.before.is_empty() && follows_label(statement);
        change.before.extend(lines);
    }

    fn change(&mut self, statement: Node<'a>) -> &mut Change<'a> {
        let key = (statement.start_byte(), Reverse(statement.end_byte()));
        let braces = is_bare_body(statement);
        let new = || Change { statement, before: Vec::new(), after: Vec::new(), braces };
        self.changes.entry(key).or_insert_with(new)
    }

    /// The edits, none of which overlap.
    #[must_use]
    pub fn edits(&self) -> Vec<Edit> {
        let mut gaps = Gaps::new(self.source, self.style);
        for change in self.changes.values().rev() {
            if change.before.is_empty() && change.after.is_empty() {
                continue;
            }
            if change.braces && names_label(change.statement) {
                gaps.empty_statement(change.statement);
                self.surround(change, &mut gaps);
            } else if change.braces {
                self.embrace(change, &mut gaps);
            } else {
                self.surround(change, &mut gaps);
            }
        }
        gaps.edits()
    }

    /// Lines around a statement of a list.
    fn surround(&self, change: &Change<'a>, gaps: &mut Gaps<'a, '_>) {
        let statement = change.statement;
        let indent = self.style.indent_of(&self.source, statement);
        if let Some(list) = statement.parent().filter(|it| is_one_line_list(*it)) {
            gaps.break_lines(list, &indent);
        }
        if !change.before.is_empty() {
            gaps.before(statement, self.style.indented(&indent, &change.before), &indent);
        }
        if !change.after.is_empty() {
            let lines = self.style.indented(&indent, &change.after);
            let next = next_token(&self.source, statement);
            let next = next.map(|it| self.style.indent_of(&self.source, it));
            gaps.after(statement, lines, &next.unwrap_or_default());
        }
    }

    /// Lines and braces around the body of something, or around what a `case` leads to.
    fn embrace(&self, change: &Change<'a>, gaps: &mut Gaps<'a, '_>) {
        let statement = change.statement;
        let Some(parent) = statement.parent() else { return };
        let outer = self.source.indentation(parent.start_byte()).to_owned();
        let moved = !self.source.begins_line(statement.start_byte());
        let inner = if moved {
            format!("{outer}{}", self.style.unit)
        } else {
            self.source.indentation(statement.start_byte()).to_owned()
        };
        gaps.open_brace(statement, &outer);
        gaps.before(statement, self.style.indented(&inner, &change.before), &inner);
        let mut lines = self.style.indented(&inner, &change.after);
        lines.push(format!("{outer}}}"));
        gaps.after(statement, lines, &outer);
        if moved {
            gaps.indent_further(statement);
        }
    }
}

/// Whether a statement comes directly behind a label or a `case`.
fn follows_label(statement: Node<'_>) -> bool {
    let is_case = |it: Node<'_>| it.kind() == "case_statement" && behind_labels(it) == statement;
    names_label(statement) || statement.parent().is_some_and(is_case)
}

/// Whether a statement comes directly behind a label.
fn names_label(statement: Node<'_>) -> bool {
    statement.parent().is_some_and(|it| it.kind() == "labeled_statement")
}

/// Whether a list of statements is all on one line.
fn is_one_line_list(list: Node<'_>) -> bool {
    let (start, end) = (list.start_position().row, list.end_position().row);
    is_list(list) && start == end
}

/// The innermost block around a node.
#[must_use]
pub fn block_around(node: Node<'_>) -> Option<Node<'_>> {
    ancestors(node).skip(1).find(|it| it.kind() == "compound_statement")
}
