//! A place of the source, with the statement and the function around it.

use std::collections::BTreeMap;

use tree_sitter::Node;
use unravel_span::{Edit, FileId, Span};

use crate::source::{Refusal, Source, Sources, is_list, items};
use crate::style::Insertions;

/// A place that may be changed.
#[derive(Clone, Copy, Debug)]
pub struct Place<'s> {
    /// Its file.
    pub source: Source<'s>,
    /// Where it is.
    pub offset: usize,
    /// The innermost statement around it.
    pub statement: Node<'s>,
    /// The function around it.
    pub function: Node<'s>,
    /// As it was asked for.
    pub span: Span,
}

/// Finds a place in its function.
///
/// # Errors
/// If there is no statement, or the function's syntax is not understood.
pub fn find<'s>(sources: &'s Sources<'_>, span: Span) -> Result<Place<'s>, Refusal> {
    let (source, offset) = sources.locate(span)?;
    let refuse = |why: &str| Refusal::new(why, span);
    let function = source.function_at(offset).ok_or_else(|| refuse("no function is here"))?;
    if function.has_error() {
        return Err(refuse("the syntax of this function is not understood"));
    }
    let statement = source.statement_at(offset).ok_or_else(|| refuse("no statement is here"))?;
    Ok(Place { source, offset, statement, function, span })
}

impl<'s> Place<'s> {
    /// A refusal at this place.
    #[must_use]
    pub fn refuse(&self, why: impl Into<String>) -> Refusal {
        Refusal::new(why, self.span)
    }
}

/// Where a node begins.
#[must_use]
pub fn span_of(source: &Source<'_>, node: Node<'_>) -> Span {
    let start = node.start_position();
    let number = |it: usize| u32::try_from(it + 1).unwrap_or(u32::MAX);
    Span::new(source.file, number(start.row), number(start.column))
}

/// The statements beside a statement, itself among them, and its index; none if it is the body of
/// an `if` or a loop without braces.
#[must_use]
pub fn siblings(statement: Node<'_>) -> Option<(Vec<Node<'_>>, usize)> {
    let parent = statement.parent()?;
    if !is_list(parent) {
        return None;
    }
    let all = items(parent);
    let at = all.iter().position(|it| *it == statement)?;
    Some((all, at))
}

/// The deletion of a statement: its lines, with the comment behind it, where nothing else is there.
#[must_use]
pub fn remove(source: &Source<'_>, statement: Node<'_>) -> Edit {
    let range = statement.byte_range();
    if source.stands_alone(range.clone()) {
        let (start, end) = (source.line_start(range.start), source.next_line(range.end));
        return Edit::replace(source.file, start..end, "");
    }
    Edit::replace(source.file, range, "")
}

/// The lines of a statement, without the indentation of the first, and with the comment behind it.
#[must_use]
pub fn moved_text(source: &Source<'_>, statement: Node<'_>) -> Vec<String> {
    let range = statement.byte_range();
    let margin = source.indentation(range.start);
    let end = match source.stands_alone(range.clone()) {
        true => source.next_line(range.end),
        false => range.end,
    };
    let text = source.text.get(range.start..end).unwrap_or("").trim_end();
    let lines = text.lines().map(|line| line.strip_prefix(margin).unwrap_or(line).to_owned());
    lines.collect()
}

/// Lines to insert in several files.
#[derive(Debug, Default)]
pub struct Changes<'s>(BTreeMap<FileId, Insertions<'s>>);

impl<'s> Changes<'s> {
    /// Those of one file.
    pub fn of(&mut self, source: Source<'s>) -> &mut Insertions<'s> {
        self.0.entry(source.file).or_insert_with(|| Insertions::new(source))
    }

    /// The edits of all files.
    #[must_use]
    pub fn edits(&self) -> Vec<Edit> {
        self.0.values().flat_map(Insertions::edits).collect()
    }
}
