//! The files of a program, parsed.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use tree_sitter::{Node, Parser, Tree};
use unravel_span::{FileId, Files, Span};

use crate::aliases::Aliases;
use crate::expr::declared;
use crate::functions::Function;
use crate::masked::masked;
use crate::style::Style;

/// Why a change cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A clause without a full stop.
    pub why: String,
    /// The place in the source, if there is one.
    pub at: Option<Span>,
}

impl Refusal {
    /// A refusal at a place.
    pub fn new(why: impl Into<String>, at: Span) -> Refusal {
        Refusal { why: why.into(), at: Some(at) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.why)
    }
}

/// The files of a program with their syntax trees.
#[derive(Debug)]
pub struct Sources<'a> {
    files: &'a Files,
    parsed: BTreeMap<FileId, Parsed>,
    macros: BTreeMap<String, Vec<String>>,
    aliases: Aliases,
}

/// A syntax tree, and what is looked up in it for every change that is written.
#[derive(Debug)]
struct Parsed {
    tree: Tree,
    style: OnceCell<Style>,
    /// The function definitions of the file, each with the place of its name. A node cannot be kept
    /// beside its tree, so they are kept as ranges of bytes.
    functions: OnceCell<Vec<(Range<usize>, Range<usize>)>>,
}

/// One file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file.
    pub file: FileId,
    /// Its text.
    pub text: &'a str,
    /// The root of its syntax tree.
    pub root: Node<'a>,
    /// The program's own names of functions of the thread library.
    pub aliases: &'a Aliases,
    parsed: &'a Parsed,
}

impl<'a> Sources<'a> {
    /// Parses all files whose text is known.
    #[must_use]
    pub fn parse(files: &'a Files) -> Sources<'a> {
        let mut parsed = BTreeMap::new();
        let mut parser = Parser::new();
        if parser.set_language(&tree_sitter_c::LANGUAGE.into()).is_ok() {
            for (id, file) in files.iter() {
                let text = file.text.as_deref();
                if let Some(tree) = text.and_then(|text| parser.parse(masked(text), None)) {
                    let (style, functions) = (OnceCell::new(), OnceCell::new());
                    parsed.insert(id, Parsed { tree, style, functions });
                }
            }
        }
        let mut sources =
            Sources { files, parsed, macros: BTreeMap::new(), aliases: Aliases::default() };
        sources.macros = sources.defined();
        sources.aliases = Aliases::of(&sources);
        sources
    }

    /// The macros that the files define.
    fn defined(&self) -> BTreeMap<String, Vec<String>> {
        let mut macros: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for source in self.parsed.keys().filter_map(|file| self.source(*file)) {
            for node in descendants(source.root) {
                if matches!(node.kind(), "preproc_def" | "preproc_function_def") {
                    let text = |field| node.child_by_field_name(field).map(|it| source.text_of(it));
                    let name = text("name").unwrap_or("").to_owned();
                    macros.entry(name).or_default().push(text("value").unwrap_or("").to_owned());
                }
            }
        }
        macros
    }

    /// The files.
    #[must_use]
    pub fn files(&self) -> &'a Files {
        self.files
    }

    /// A file.
    #[must_use]
    pub fn source(&self, file: FileId) -> Option<Source<'_>> {
        let text = self.files.get(file)?.text.as_deref()?;
        let parsed = self.parsed.get(&file)?;
        let root = parsed.tree.root_node();
        Some(Source { file, text, root, aliases: &self.aliases, parsed })
    }

    /// The texts that the files define a macro as.
    #[must_use]
    pub fn macros(&self, name: &str) -> Vec<&str> {
        self.macros.get(name).into_iter().flatten().map(String::as_str).collect()
    }

    /// The file of a place, and the byte that the place is at.
    ///
    /// # Errors
    /// If the file could not be read, or has no such place.
    pub fn locate(&self, at: Span) -> Result<(Source<'_>, usize), Refusal> {
        let source = self.source(at.file).ok_or_else(|| {
            Refusal::new(format!("the text of {} is not known", self.files.path(at.file)), at)
        })?;
        let offset = self.files.offset(at);
        let offset = offset.ok_or_else(|| Refusal::new("the place is not in the file", at))?;
        Ok((source, offset))
    }
}

impl<'a> Source<'a> {
    /// The text of a node.
    #[must_use]
    pub fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// The innermost node at a byte.
    #[must_use]
    pub fn node_at(&self, offset: usize) -> Option<Node<'a>> {
        self.root.descendant_for_byte_range(offset, offset)
    }

    /// The innermost statement or declaration around a byte that stands in a block, in a `case`, or
    /// as the body of an `if` or a loop.
    #[must_use]
    pub fn statement_at(&self, offset: usize) -> Option<Node<'a>> {
        let around = self.around(offset);
        let mut pairs = around.windows(2).map(|pair| (pair[0], pair[1]));
        pairs.find(|&(node, parent)| is_statement_in(node, parent)).map(|(node, _)| node)
    }

    /// The function definition around a byte.
    #[must_use]
    pub fn function_at(&self, offset: usize) -> Option<Node<'a>> {
        self.around(offset).into_iter().find(|node| node.kind() == "function_definition")
    }

    /// The innermost node at a byte and those around it, innermost first. One walk down from the
    /// root; [`Node::parent`] would walk down once for each of them.
    fn around(&self, offset: usize) -> Vec<Node<'a>> {
        let Some(innermost) = self.node_at(offset) else { return Vec::new() };
        let down = |node: &Node<'a>| {
            (*node != innermost).then(|| node.child_with_descendant(innermost)).flatten()
        };
        let mut found: Vec<Node<'a>> = std::iter::successors(Some(self.root), down).collect();
        found.reverse();
        found
    }

    /// How the file is written. Found out once.
    #[must_use]
    pub fn style(&self) -> &'a Style {
        self.parsed.style.get_or_init(|| Style::of(self))
    }

    /// The functions that the file defines. Looked for once.
    pub fn functions(&self) -> impl Iterator<Item = Function<'a>> + use<'a> {
        let source = *self;
        let ranges = self.parsed.functions.get_or_init(|| {
            let all = descendants(source.root).filter(|it| it.kind() == "function_definition");
            let named = all.filter_map(|node| {
                let name = declared(node.child_by_field_name("declarator")?)?;
                Some((node.byte_range(), name.byte_range()))
            });
            named.collect()
        });
        ranges.iter().filter_map(move |(range, name)| {
            let node = source.root.descendant_for_byte_range(range.start, range.end)?;
            let name = source.text.get(name.clone()).unwrap_or("");
            Some(Function { source, node, name })
        })
    }

    /// The whitespace that the line of a byte begins with.
    #[must_use]
    pub fn indentation(&self, offset: usize) -> &'a str {
        let line = &self.text[self.line_start(offset)..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Where the line of a byte begins.
    #[must_use]
    pub fn line_start(&self, offset: usize) -> usize {
        self.text[..offset].rfind('\n').map_or(0, |at| at + 1)
    }

    /// Where the line after that of a byte begins.
    #[must_use]
    pub fn next_line(&self, offset: usize) -> usize {
        self.text[offset..].find('\n').map_or(self.text.len(), |at| offset + at + 1)
    }

    /// Whether only whitespace is before a byte on its line.
    #[must_use]
    pub fn begins_line(&self, offset: usize) -> bool {
        self.text[self.line_start(offset)..offset].trim().is_empty()
    }

    /// Whether a node is the only thing on its lines, apart from a comment behind it.
    #[must_use]
    pub fn stands_alone(&self, range: Range<usize>) -> bool {
        let before = &self.text[self.line_start(range.start)..range.start];
        let rest = self.text[range.end..self.next_line(range.end)].trim();
        let comment = rest.starts_with("//") || (rest.starts_with("/*") && rest.ends_with("*/"));
        before.trim().is_empty() && (rest.is_empty() || comment)
    }
}

/// A node and those around it, innermost first.
pub fn ancestors(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(Some(node), Node::parent)
}

/// Whether a node is a statement, or a declaration among statements; a block only where it stands
/// among statements, not as the body of something.
#[must_use]
pub fn is_statement(node: Node<'_>) -> bool {
    // The kind is known at once, the parent takes a walk from the root.
    may_be_statement(node.kind()) && node.parent().is_some_and(|it| is_statement_in(node, it))
}

fn may_be_statement(kind: &str) -> bool {
    kind.ends_with("_statement") || kind == "declaration"
}

/// The same of a node whose parent is known.
fn is_statement_in(node: Node<'_>, parent: Node<'_>) -> bool {
    let kind = node.kind();
    if kind == "compound_statement" {
        return is_list(parent) || parent.kind() == "labeled_statement";
    }
    let is_header = || {
        parent.kind() == "for_statement"
            && parent.child_by_field_name("body").is_none_or(|body| body != node)
    };
    may_be_statement(kind) && !is_header()
}

/// Whether a node is a list of statements: a block, what follows a `case`, or a branch of `#if`.
#[must_use]
pub fn is_list(node: Node<'_>) -> bool {
    matches!(node.kind(), "compound_statement" | "case_statement") || is_conditional(node)
}

/// Whether a node is a branch of conditional compilation.
#[must_use]
pub fn is_conditional(node: Node<'_>) -> bool {
    let kind = node.kind();
    ["preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef"]
        .contains(&kind)
}

/// Whether a node is the first branch of conditional compilation, with the others below it.
fn is_directive_group(node: Node<'_>) -> bool {
    matches!(node.kind(), "preproc_if" | "preproc_ifdef")
}

/// Whether a node stands in a list of statements, or is a body without braces.
#[must_use]
pub fn is_item(node: Node<'_>) -> bool {
    let in_list = node.parent().is_some_and(is_list);
    let is_one = is_statement(node) || is_directive_group(node);
    (in_list && is_one) || (is_bare_body(node) && is_statement(node))
}

/// The statements of a list in order, with declarations, types and conditional compilation.
#[must_use]
pub fn items(list: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = list.walk();
    let is_item = |node: &Node<'_>| {
        is_statement_in(*node, list)
            || is_directive_group(*node)
            || matches!(node.kind(), "type_definition" | "preproc_call" | "preproc_def")
    };
    list.named_children(&mut cursor).filter(is_item).collect()
}

/// Whether a node is the body of an `if`, an `else` or a loop without braces around it.
#[must_use]
pub fn is_bare_body(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let field = match parent.kind() {
        "if_statement" => "consequence",
        "while_statement" | "do_statement" | "for_statement" => "body",
        "else_clause" => return node.kind() != "compound_statement" && node.is_named(),
        _ => return false,
    };
    node.kind() != "compound_statement" && parent.child_by_field_name(field) == Some(node)
}

/// A node and all below it, in the order of the text.
pub fn descendants(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut stack = vec![node];
    let mut cursor = node.walk();
    std::iter::from_fn(move || {
        let next = stack.pop()?;
        let known = stack.len();
        if next.child_count() > 0 {
            stack.extend(next.children(&mut cursor));
            stack[known..].reverse();
        }
        Some(next)
    })
}

/// The statement behind its labels, where a statement may be inserted.
#[must_use]
pub fn behind_labels(node: Node<'_>) -> Node<'_> {
    let inner = match node.kind() {
        "labeled_statement" => {
            let count = u32::try_from(node.named_child_count()).unwrap_or(0);
            (1..count).rev().filter_map(|at| node.named_child(at)).find(|it| is_statement(*it))
        }
        "case_statement" => items(node).first().copied(),
        _ => None,
    };
    inner.map_or(node, behind_labels)
}

/// The function that an expression statement calls, and its arguments.
#[must_use]
pub fn call_statement<'a>(source: &Source<'a>, statement: Node<'a>) -> Option<(&'a str, Node<'a>)> {
    let call = statement.named_child(0).filter(|_| statement.kind() == "expression_statement")?;
    let call =
        if call.kind() == "cast_expression" { call.child_by_field_name("value")? } else { call };
    called(source, call)
}

/// The function that a call expression calls by name, and its arguments.
#[must_use]
pub fn called<'a>(source: &Source<'a>, call: Node<'a>) -> Option<(&'a str, Node<'a>)> {
    let function =
        call.child_by_field_name("function").filter(|_| call.kind() == "call_expression")?;
    Some((source.text_of(function), call.child_by_field_name("arguments")?))
}
