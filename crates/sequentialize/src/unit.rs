//! The source file of a program: its functions, and which parts of it can be kept as they are.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;
use unravel_patch::source::{Source, Sources, descendants};
use unravel_program::{Program, Site};
use unravel_span::{FileId, Span};

use crate::Unsupported;
use crate::replace::Changes;
use crate::tree::{declarators, declared_name, declared_types, field, operator, parts, specifiers};

/// The source file.
pub struct Unit<'a> {
    /// Its text and syntax.
    pub source: Source<'a>,
    /// All files, for macros.
    sources: &'a Sources<'a>,
    /// The program made of it.
    pub program: &'a Program,
    /// Its last path component, for comments.
    pub name: &'a str,
    /// Functions with a body.
    pub functions: BTreeMap<&'a str, Node<'a>>,
    /// Variables of which each thread has its own.
    pub thread_locals: BTreeMap<&'a str, Node<'a>>,
    /// Names of types.
    types: BTreeSet<&'a str>,

    lines: Vec<usize>,
    /// What has another value in the file.
    pub changes: Changes,
    /// Functions that can be kept, as far as that is known.
    pub(crate) keepable: RefCell<BTreeMap<String, bool>>,
}

impl<'a> Unit<'a> {
    /// The file that `main` is in.
    ///
    /// # Errors
    /// If it is not C source, or its functions are spread over several files.
    pub fn new(program: &'a Program, sources: &'a Sources<'a>) -> Result<Unit<'a>, Unsupported> {
        let main = program.site(program.function(program.main).site);
        let file =
            file_of(main).ok_or_else(|| Unsupported::new("a program without source", None))?;
        let users = program.functions.iter().filter(|it| !it.library);
        let elsewhere =
            users.filter_map(|it| program.site(it.site).span).find(|it| it.file != file);
        if let Some(span) = elsewhere {
            return Err(Unsupported::new("functions in several files", Some(span)));
        }
        let source = sources
            .source(file)
            .ok_or_else(|| Unsupported::new("a program whose source cannot be read", None))?;
        let path = program.files.path(file);
        let name = path.rsplit('/').next().unwrap_or(path);
        let starts = source.text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let mut unit = Unit {
            source,
            sources,
            program,
            name,
            functions: BTreeMap::new(),
            thread_locals: BTreeMap::new(),
            types: BTreeSet::new(),
            lines,
            changes: Changes::default(),
            keepable: RefCell::new(BTreeMap::new()),
        };
        unit.index();
        Ok(unit)
    }

    fn index(&mut self) {
        let root = self.source.root;
        for node in descendants(root) {
            match node.kind() {
                "type_definition" => {
                    let names = declarators(node).into_iter().filter_map(declared_name);
                    self.types.extend(names.map(|it| self.source.text_of(it)));
                }
                "function_definition" => {
                    if let Some(name) = declared_name(node) {
                        self.functions.insert(self.source.text_of(name), node);
                    }
                }
                "declaration" if self.is_thread_local(node) => {
                    for declarator in declarators(node) {
                        if let Some(name) = declared_name(declarator) {
                            self.thread_locals.insert(self.source.text_of(name), node);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn is_thread_local(&self, declaration: Node<'a>) -> bool {
        let words = specifiers(declaration);
        words.iter().any(|it| {
            matches!(self.source.text_of(*it), "_Thread_local" | "__thread" | "thread_local")
        })
    }

    /// The text of a node.
    pub fn text(&self, node: Node<'_>) -> &'a str {
        self.source.text_of(node)
    }

    /// The line that a node begins in.
    pub fn line(&self, node: Node<'_>) -> usize {
        node.start_position().row + 1
    }

    /// The byte that a place is at, if it is in this file.
    pub fn offset(&self, span: Span) -> Option<usize> {
        let line = self.lines.get(span.line.checked_sub(1)? as usize)?;
        (span.file == self.source.file).then_some(line + span.column.checked_sub(1)? as usize)
    }

    /// A place in this file, if it is one.
    pub fn span(&self, line: u32, column: u32) -> Option<Span> {
        (line > 0).then(|| Span::new(self.source.file, line, column.max(1)))
    }

    /// The path of the file.
    pub fn path(&self) -> &'a str {
        self.program.files.path(self.source.file)
    }

    /// Something at a node that is not supported.
    pub fn unsupported(&self, what: impl Into<String>, node: Node<'_>) -> Unsupported {
        let at = node.start_position();
        let line = u32::try_from(at.row + 1).unwrap_or(u32::MAX);
        let column = u32::try_from(at.column + 1).unwrap_or(u32::MAX);
        Unsupported::new(what, Some(Span::new(self.source.file, line, column)))
    }

    /// What the files define a macro as.
    pub fn macros(&self, name: &str) -> Vec<&str> {
        self.sources.macros(name)
    }

    /// Names that a macro's text has, with those of macros in it.
    pub fn macro_words(&self, name: &str) -> BTreeSet<String> {
        let (mut found, mut work) = (BTreeSet::new(), vec![name.to_owned()]);
        while let Some(name) = work.pop() {
            for body in self.macros(&name) {
                let body = unquoted(body);
                let new: Vec<String> = words(&body).map(str::to_owned).collect();
                work.extend(new.into_iter().filter(|it| found.insert(it.clone())));
            }
        }
        found
    }

    /// Whether a name is declared at file scope.
    pub fn is_global(&self, name: &str) -> bool {
        let count = u32::try_from(self.source.root.child_count()).unwrap_or(0);
        let items = (0..count).filter_map(|index| self.source.root.child(index));
        let mut items = items.filter(|it| it.kind() != "function_definition");
        self.functions.contains_key(name)
            || items.any(|item| {
                let variables = declarators(item).into_iter().filter_map(declared_name);
                let mut names = variables.chain(declared_types(item));
                names.any(|it| self.text(it) == name)
            })
    }

    /// Whether members of this name are arrays.
    pub fn is_array_member(&self, name: &str) -> bool {
        let members = descendants(self.source.root).filter(|it| it.kind() == "field_declaration");
        let members = members.flat_map(declarators);
        let mut named =
            members.filter(|it| declared_name(*it).is_some_and(|it| self.text(it) == name));
        named.any(|it| it.kind() == "array_declarator")
    }

    /// Calls of functions in a node.
    pub fn calls(&self, node: Node<'a>) -> bool {
        descendants(node).any(|it| it.kind() == "call_expression" && !self.is_cast(it))
    }

    /// The type of a place, where the text says it and it is a number.
    pub fn number_type(&self, place: Node<'a>) -> Option<String> {
        const WORDS: [&str; 9] =
            ["int", "unsigned", "long", "short", "char", "signed", "bool", "_Bool", "size_t"];
        let found = unravel_patch::types::of(self.sources, &self.source, place)?;
        let is_number = found.base.split(' ').all(|word| WORDS.contains(&word));
        (found.depth == 0 && is_number).then_some(found.base)
    }

    /// Whether a place is a bit-field.
    pub fn is_bit_field(&self, place: Node<'a>) -> bool {
        unravel_patch::types::of(self.sources, &self.source, place)
            .is_some_and(|it| it.is_bit_field)
    }

    /// Whether what has the syntax of a call is a cast: `(word)(a + b)`.
    pub fn is_cast(&self, node: Node<'a>) -> bool {
        let function = field(node, "function").filter(|it| it.kind() == "parenthesized_expression");
        let name = function.and_then(|it| parts(it).first().copied());
        name.is_some_and(|it| it.kind() == "identifier" && self.types.contains(self.text(it)))
    }

    /// Whether a call is of a compare-and-swap that may fail without a reason.
    pub fn is_weak(&self, node: Node<'a>) -> bool {
        field(node, "function").is_some_and(|it| self.text(it).contains("compare_exchange_weak"))
    }

    /// Whether a call is of a compare-and-swap that takes the expected value by its address.
    pub fn is_compare_exchange(&self, node: Node<'a>) -> bool {
        let function = field(node, "function").filter(|_| node.kind() == "call_expression");
        function.is_some_and(|it| self.text(it).contains("atomic_compare_exchange"))
    }

    /// Whether an operator decides whether its second operand is computed.
    pub fn is_logical(&self, node: Node<'a>) -> bool {
        operator(node).is_some_and(|it| matches!(self.text(it), "&&" | "||"))
    }

    /// Whether evaluating an expression changes something.
    pub fn has_effects(&self, node: Node<'a>) -> bool {
        descendants(node).any(|it| {
            matches!(it.kind(), "assignment_expression" | "update_expression")
                || it.kind() == "call_expression" && !self.is_cast(it)
        })
    }
}

fn file_of(site: &Site) -> Option<FileId> {
    site.span.map(|it| it.file)
}

/// A text without what stands in quotes.
pub fn unquoted(text: &str) -> String {
    let (mut out, mut inside, mut escaped) = (String::new(), None, false);
    for c in text.chars() {
        match inside {
            Some(quote) => {
                if c == quote && !escaped {
                    inside = None;
                }
                escaped = c == '\\' && !escaped;
            }
            None if c == '"' || c == '\'' => inside = Some(c),
            None => out.push(c),
        }
    }
    out
}

/// The names in a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|it| it.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
