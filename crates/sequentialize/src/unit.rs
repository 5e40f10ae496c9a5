//! The source file of a program: its functions, and which parts of it can be kept as they are.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;
use unravel_patch::source::{Source, Sources, descendants};
use unravel_program::Program;
use unravel_span::{FileId, Span};

use crate::Unsupported;
use crate::joined::{FILE, Joined};
use crate::replace::Changes;
use crate::tree::{declarators, declared_name, declared_types, field, operator, parts, specifiers};

/// The source of a program.
pub struct Unit<'a> {
    /// Its text and syntax: all files in one.
    pub source: Source<'a>,
    /// Where each line of it comes from.
    joined: &'a Joined,
    /// All files, for macros.
    sources: &'a Sources<'a>,
    /// The program made of it.
    pub program: &'a Program,
    /// Functions with a body.
    pub functions: BTreeMap<&'a str, Node<'a>>,
    /// Variables of which each thread has its own.
    pub thread_locals: BTreeMap<&'a str, Node<'a>>,
    /// Names of types.
    types: BTreeSet<&'a str>,

    /// What has another value in the file.
    pub changes: Changes,
    /// Functions that can be kept, as far as that is known.
    pub(crate) keepable: RefCell<BTreeMap<String, bool>>,
}

impl<'a> Unit<'a> {
    /// The source, parsed.
    ///
    /// # Errors
    /// If it cannot be read, or a name means one thing in one file and another in the next.
    pub fn new(
        program: &'a Program,
        joined: &'a Joined,
        sources: &'a Sources<'a>,
    ) -> Result<Unit<'a>, Unsupported> {
        let source = sources
            .source(FILE)
            .ok_or_else(|| Unsupported::new("a program whose source cannot be read", None))?;
        let mut unit = Unit {
            source,
            joined,
            sources,
            program,
            functions: BTreeMap::new(),
            thread_locals: BTreeMap::new(),
            types: BTreeSet::new(),
            changes: Changes::default(),
            keepable: RefCell::new(BTreeMap::new()),
        };
        unit.index();
        unit.names_are_unique()?;
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

    /// The line that a node begins in, in its file.
    pub fn line(&self, node: Node<'_>) -> usize {
        self.joined.origin(node.start_position().row).1 as usize
    }

    /// The file that a node is in.
    pub fn file(&self, node: Node<'_>) -> FileId {
        self.joined.origin(node.start_position().row).0
    }

    /// The path of the file that a node is in.
    pub fn path(&self, node: Node<'_>) -> &'a str {
        self.program.files.path(self.file(node))
    }

    /// The last component of a file's path, for comments.
    pub fn file_name(&self, file: FileId) -> &'a str {
        let path = self.program.files.path(file);
        path.rsplit('/').next().unwrap_or(path)
    }

    /// The file and the line of a node.
    pub fn place(&self, node: Node<'_>) -> String {
        format!("{}:{}", self.file_name(self.file(node)), self.line(node))
    }

    /// The name of the file that `main` is in.
    pub fn main_name(&self) -> &'a str {
        let path = self.joined.files.path(FILE);
        path.rsplit('/').next().unwrap_or(path)
    }

    /// Whether its code is in several files.
    pub fn is_several(&self) -> bool {
        self.joined.is_several
    }

    /// The byte that a place is at, if it is in the source.
    pub fn offset(&self, span: Span) -> Option<usize> {
        self.joined.offset(span)
    }

    /// A place in a file of the program, by its path.
    pub fn span(&self, path: &str, line: u32, column: u32) -> Option<Span> {
        let file = self.program.files.iter().find(|(_, it)| it.path == path)?.0;
        (line > 0).then(|| Span::new(file, line, column.max(1)))
    }

    /// Something at a node that is not supported.
    pub fn unsupported(&self, what: impl Into<String>, node: Node<'_>) -> Unsupported {
        let at = node.start_position();
        let (file, line) = self.joined.origin(at.row);
        let column = u32::try_from(at.column + 1).unwrap_or(u32::MAX);
        Unsupported::new(what, Some(Span::new(file, line, column)))
    }

    /// That no two files give the same name to different things: in one file they would meet.
    fn names_are_unique(&self) -> Result<(), Unsupported> {
        let mut known: BTreeMap<&str, (FileId, Node<'a>)> = BTreeMap::new();
        let count = u32::try_from(self.source.root.child_count()).unwrap_or(0);
        for item in (0..count).filter_map(|index| self.source.root.child(index)) {
            for name in self.defined(item) {
                let here = (self.file(item), item);
                let (file, other) = *known.entry(self.text(name)).or_insert(here);
                let is_macro = item.kind().starts_with("preproc_");
                let is_same = is_macro && self.text(item).trim() == self.text(other).trim();
                if file != here.0 && !is_same {
                    let what = format!("the name `{}`, which means two things,", self.text(name));
                    return Err(self.unsupported(what, item));
                }
            }
        }
        Ok(())
    }

    /// The names that an item at file scope defines.
    fn defined(&self, item: Node<'a>) -> Vec<Node<'a>> {
        let is_function = |it: Node<'a>| {
            let mut inside = descendants(it);
            it.kind() != "init_declarator" && inside.any(|it| it.kind() == "function_declarator")
        };
        let is_extern = || specifiers(item).iter().any(|it| self.text(*it) == "extern");
        let mut names = declared_types(item);
        match item.kind() {
            "function_definition" => names.extend(declared_name(item)),
            "declaration" if !is_extern() => {
                let variables = declarators(item).into_iter().filter(|it| !is_function(*it));
                names.extend(variables.filter_map(declared_name));
            }
            "preproc_def" | "preproc_function_def" => names.extend(field(item, "name")),
            _ => {}
        }
        names
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
