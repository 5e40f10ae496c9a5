//! The style of a file: its line breaks, its unit of indentation, where it opens braces.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::block_around;
use crate::source::{Source, descendants, is_list, items};

/// How a file is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Its line break.
    pub newline: &'static str,
    /// One level of indentation; four spaces if no block shows it.
    pub unit: String,
    /// Whether the brace of a body has a line of its own.
    pub brace_on_own_line: bool,
}

impl Style {
    /// The style of a file, by the majority of its blocks. Goes through the whole file, so
    /// [`Source::style`] keeps the answer.
    pub(crate) fn of(source: &Source<'_>) -> Style {
        let newline = if source.text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut units: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut own, mut same) = (0usize, 0usize);
        for block in descendants(source.root).filter(|it| it.kind() == "compound_statement") {
            if let Some(unit) = step(source, block) {
                *units.entry(unit).or_default() += 1;
            }
            match brace_on_own_line(block) {
                Some(true) => own += 1,
                Some(false) => same += 1,
                None => {}
            }
        }
        let unit = units.into_iter().max_by_key(|(_, count)| *count);
        let unit = unit.map_or("    ", |(unit, _)| unit).to_owned();
        Style { newline, unit, brace_on_own_line: own > same }
    }

    /// Lines with an indentation before each; a tab they begin with is one more level.
    #[must_use]
    pub fn indented(&self, indent: &str, lines: &[String]) -> Vec<String> {
        let line = |line: &String| {
            let text = line.trim_start_matches('\t');
            format!("{indent}{}{text}", self.unit.repeat(line.len() - text.len()))
        };
        lines.iter().map(line).collect()
    }

    /// The indentation of the statement, or of the token, that `node` is, on a line of its own.
    #[must_use]
    pub fn indent_of(&self, source: &Source<'_>, node: Node<'_>) -> String {
        let shows = |it: &Node<'_>| source.begins_line(it.start_byte()) && is_indented(*it);
        let line = |it: Node<'_>| source.indentation(it.start_byte()).to_owned();
        if shows(&node) {
            return line(node);
        }
        let parent = node.parent();
        if !node.is_named() {
            return parent.map(line).unwrap_or_default();
        }
        let list = parent.filter(|it| is_list(*it)).or_else(|| block_around(node));
        let Some(list) = list else { return line(node) };
        let sibling = items(list).into_iter().find(shows);
        sibling.map_or_else(|| line(list) + &self.unit, line)
    }
}

/// Whether the line of a node shows the indentation of its list: labels and `#if` do not.
fn is_indented(node: Node<'_>) -> bool {
    node.kind() != "labeled_statement" && !node.kind().starts_with("preproc")
}

/// By how much the statements of a block are indented more than the block.
fn step<'a>(source: &Source<'a>, block: Node<'a>) -> Option<&'a str> {
    let first = items(block).into_iter().find(|it| is_indented(*it))?;
    if first.start_position().row == block.start_position().row || first.kind() == "case_statement"
    {
        return None;
    }
    let (outer, inner) =
        (source.indentation(block.start_byte()), source.indentation(first.start_byte()));
    inner.strip_prefix(outer).filter(|unit| !unit.is_empty())
}

/// Whether the brace of a body is on another line than what it belongs to.
fn brace_on_own_line(block: Node<'_>) -> Option<bool> {
    let parent = block.parent()?;
    let is_body = matches!(
        parent.kind(),
        "if_statement" | "else_clause" | "while_statement" | "for_statement" | "do_statement"
    );
    let header = block.prev_sibling().filter(|_| is_body)?;
    Some(header.end_position().row != block.start_position().row)
}
