//! Declarations at file scope, and headers.

use std::collections::BTreeSet;

use tree_sitter::Node;
use unravel_span::FileId;

use super::gap::following;
use crate::source::{Source, descendants, is_conditional};
use crate::{Edit, Sources};

/// Declarations at file scope that all functions of the file see: after the last variable before
/// the first function, else directly before that function and the comment above it.
#[must_use]
pub fn declare_globals(source: &Source<'_>, lines: &[String]) -> Vec<Edit> {
    let style = source.style();
    let newline = style.newline;
    let text: String =
        style.indented("", lines).iter().map(|it| format!("{it}{newline}")).collect();
    let top = top_level(source.root);
    let function = top.iter().position(|it| defines_function(*it)).unwrap_or(top.len());
    let anchor =
        top[..function].iter().rev().find(|it| is_variable(source, **it) || is_directive(**it));
    let edit = match anchor.filter(|it| is_variable(source, **it)) {
        Some(variable) => {
            let at = source.next_line(following(source, *variable).0);
            let ends_line = source.text[..at].ends_with('\n');
            Edit::insert(source.file, at, if ends_line { text } else { format!("{newline}{text}") })
        }
        None => {
            let at = top.get(function).map_or(source.text.len(), |it| with_comment(source, *it));
            Edit::insert(source.file, at, text + newline)
        }
    };
    vec![edit]
}

/// An `#include` of a header such as `<pthread.h>`, unless the file has it already, itself or by a
/// header of the project.
#[must_use]
pub fn include(sources: &Sources<'_>, file: FileId, header: &str) -> Option<Edit> {
    if includes(sources, file, header, &mut BTreeSet::new()) {
        return None;
    }
    let source = sources.source(file)?;
    let newline = source.style().newline;
    let text = format!("#include {header}{newline}");
    let top = top_level(source.root);
    let system = |it: &&Node<'_>| included(&source, **it).is_some_and(|path| path.starts_with('<'));
    if let Some(last) = top.iter().rev().find(system) {
        return Some(Edit::insert(file, source.next_line(last.start_byte()), text));
    }
    // Macros that select features of headers must stay above them.
    let is_preface =
        |it: &Node<'_>| matches!(it.kind(), "comment" | "preproc_def" | "preproc_call");
    let first = top.iter().find(|it| !is_preface(it));
    let at = first.map_or(source.text.len(), |it| source.line_start(it.start_byte()));
    let is_include = first.is_some_and(|it| it.kind() == "preproc_include");
    Some(Edit::insert(file, at, if is_include { text } else { text + newline }))
}

/// What stands at file scope; of a header, what its guard holds.
fn top_level(root: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = root.walk();
    let is_part = |it: &Node<'_>| it.is_named() && it.kind() != "identifier";
    let children: Vec<_> = root.named_children(&mut cursor).filter(is_part).collect();
    let mut parts = children.iter().filter(|it| it.kind() != "comment");
    match (parts.next(), parts.next()) {
        (Some(guard), None) if is_conditional(*guard) => top_level(*guard),
        _ => children,
    }
}

fn defines_function(node: Node<'_>) -> bool {
    descendants(node).any(|it| it.kind() == "function_definition")
}

fn is_directive(node: Node<'_>) -> bool {
    node.kind().starts_with("preproc")
}

/// Whether a node declares a variable, not a function.
fn is_variable(source: &Source<'_>, node: Node<'_>) -> bool {
    if node.kind() != "declaration" {
        return false;
    }
    let mut cursor = node.walk();
    let mut declarators = node.children_by_field_name("declarator", &mut cursor);
    declarators.any(|it| {
        let is_function = |it: &Node<'_>| it.kind() == "function_declarator";
        !descendants(it).any(|it| is_function(&it)) || source.text_of(it).contains("(*")
    })
}

/// Where a definition begins, with the comments directly above it.
fn with_comment(source: &Source<'_>, node: Node<'_>) -> usize {
    let mut first = node;
    while let Some(comment) = first.prev_sibling().filter(|it| it.kind() == "comment") {
        let rows = first.start_position().row - comment.end_position().row;
        if rows > 1 || !source.begins_line(comment.start_byte()) {
            break;
        }
        first = comment;
    }
    source.line_start(first.start_byte())
}

/// The path of an `#include`, with its brackets or quotes.
fn included<'a>(source: &Source<'a>, node: Node<'a>) -> Option<&'a str> {
    let path = node.child_by_field_name("path").filter(|_| node.kind() == "preproc_include")?;
    Some(source.text_of(path))
}

fn includes(
    sources: &Sources<'_>,
    file: FileId,
    header: &str,
    seen: &mut BTreeSet<FileId>,
) -> bool {
    let Some(source) = sources.source(file).filter(|_| seen.insert(file)) else { return false };
    let paths = descendants(source.root).filter_map(|node| included(&source, node));
    for path in paths {
        if path == header {
            return true;
        }
        let name = path.trim_matches(['"', '<', '>']);
        let is_it = |path: &str| {
            path.strip_suffix(name).is_some_and(|dir| dir.is_empty() || dir.ends_with('/'))
        };
        let known = sources.files().iter().filter(|(_, known)| is_it(&known.path));
        let known: Vec<FileId> = known.map(|(id, _)| id).collect();
        if known.into_iter().any(|id| includes(sources, id, header, seen)) {
            return true;
        }
    }
    false
}
