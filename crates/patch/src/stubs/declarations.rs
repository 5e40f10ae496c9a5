//! What a preprocessed file declares: functions, and the types that they need.

use std::collections::BTreeSet;

use tree_sitter::{Node, Parser};

/// Bytes of a block behind a pointer of which nothing is known.
const UNKNOWN_SIZE: &str = "64";

/// Declarations of a file, in its order.
pub struct Declarations {
    items: Vec<Item>,
}

/// One declaration.
struct Item {
    text: String,
    /// Types, tags and constants that it makes known.
    defines: BTreeSet<String>,
    /// Those that it names.
    uses: BTreeSet<String>,
    functions: Vec<(String, Prototype)>,
    /// A type that it gives a name to.
    alias: Option<Alias>,
}

/// A name of a type.
struct Alias {
    name: String,
    what: Returns,
    /// The structure behind it by its tag, if it has one.
    tag: Option<String>,
}

/// A function as it is declared.
#[derive(Clone)]
pub struct Prototype {
    /// Without a semicolon.
    pub text: String,
    /// What it gives.
    pub returns: Returns,
}

/// What a function gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Nothing.
    Nothing,
    /// It does not return.
    Never,
    /// A number of this type.
    Value(String),
    /// A pointer to something of this size.
    Pointer(String),
    /// A pointer to a function.
    Function,
    /// A structure or union of this type.
    Structure(String),
}

impl Declarations {
    /// Reads a file.
    pub fn parse(text: &str) -> Declarations {
        let mut parser = Parser::new();
        let mut file = Declarations { items: Vec::new() };
        if parser.set_language(&tree_sitter_c::LANGUAGE.into()).is_err() {
            return file;
        }
        let Some(tree) = parser.parse(text, None) else { return file };
        let root = tree.root_node();
        for node in root.named_children(&mut root.walk()) {
            if let Some(item) = Item::of(node, text, &file) {
                file.items.push(item);
            }
        }
        file
    }

    /// How a function is declared.
    pub fn prototype(&self, name: &str) -> Option<Prototype> {
        let mut all = self.items.iter().flat_map(|item| &item.functions);
        all.find(|(known, _)| known == name).map(|(_, prototype)| prototype.clone())
    }

    /// The declarations of types that a text needs, in the order of the file.
    pub fn types_of(&self, text: &str) -> Vec<String> {
        let mut wanted: BTreeSet<String> = words(text);
        let mut chosen = BTreeSet::new();
        loop {
            let is_wanted =
                |at: &usize| !chosen.contains(at) && !self.items[*at].defines.is_disjoint(&wanted);
            let Some(at) = (0..self.items.len()).find(is_wanted) else { break };
            wanted.extend(self.items[at].uses.iter().cloned());
            chosen.insert(at);
        }
        chosen.into_iter().map(|at| self.items[at].text.clone()).collect()
    }

    fn alias(&self, name: &str) -> Option<&Alias> {
        self.items.iter().filter_map(|item| item.alias.as_ref()).find(|it| it.name == name)
    }

    /// Whether the members of a structure are known.
    fn is_complete(&self, ty: &str) -> bool {
        let tag = self.alias(ty).map_or(Some(ty), |alias| alias.tag.as_deref());
        tag.is_none_or(|tag| self.items.iter().any(|item| item.defines.contains(tag)))
    }
}

impl Item {
    fn of(node: Node<'_>, text: &str, known: &Declarations) -> Option<Item> {
        let is_type = matches!(
            node.kind(),
            "type_definition" | "struct_specifier" | "union_specifier" | "enum_specifier"
        );
        if !is_type && node.kind() != "declaration" {
            return None;
        }
        let mut own = text.get(node.byte_range())?.to_owned();
        if !own.ends_with(';') {
            own.push(';');
        }
        let mut defines = BTreeSet::new();
        defined(node, text, &mut defines);
        let alias = (node.kind() == "type_definition").then(|| alias(node, text, known)).flatten();
        defines.extend(alias.iter().map(|it| it.name.clone()));
        let functions =
            if node.kind() == "declaration" { functions(node, text, known) } else { Vec::new() };
        Some(Item { uses: words(&own), text: own, defines, functions, alias })
    }
}

/// Words of a text, and tags as one: `struct node`.
fn words(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = BTreeSet::new();
    let mut before = "";
    for word in text.split(|c| !is_part(c)).filter(|it| !it.is_empty()) {
        if matches!(before, "struct" | "union" | "enum") {
            words.insert(format!("{before} {word}"));
        }
        // Of `struct { id first; }` the word behind is no tag.
        words.insert(word.to_owned());
        before = word;
    }
    words
}

/// Tags with their members, and constants of enumerations.
fn defined(node: Node<'_>, text: &str, found: &mut BTreeSet<String>) {
    let name = |node: Node<'_>| {
        let name = node.child_by_field_name("name")?;
        text.get(name.byte_range()).map(str::to_owned)
    };
    let keyword = node.kind().strip_suffix("_specifier");
    match keyword {
        Some(keyword @ ("struct" | "union" | "enum"))
            if node.child_by_field_name("body").is_some() =>
        {
            found.extend(name(node).map(|it| format!("{keyword} {it}")));
        }
        _ if node.kind() == "enumerator" => found.extend(name(node)),
        _ => {}
    }
    for child in node.named_children(&mut node.walk()) {
        defined(child, text, found);
    }
}

/// The name that a `typedef` gives, and what it stands for.
fn alias(node: Node<'_>, text: &str, known: &Declarations) -> Option<Alias> {
    let declarator = node.child_by_field_name("declarator")?;
    let name = innermost(declarator);
    let name = text.get(name.byte_range())?.to_owned();
    let what = match declarator.kind() {
        "type_identifier" | "primitive_type" => of_type(node, text, known)?,
        "function_declarator" => Returns::Function,
        _ => Returns::Pointer(UNKNOWN_SIZE.to_owned()),
    };
    // By its name from here on: what stands for it may have none.
    let (what, tag) = match what {
        Returns::Structure(ty) => {
            let tag = known.alias(&ty).map_or(Some(ty.clone()), |alias| alias.tag.clone());
            let has_body = node
                .child_by_field_name("type")
                .is_some_and(|it| it.child_by_field_name("body").is_some());
            (Returns::Structure(name.clone()), tag.filter(|_| !has_body))
        }
        Returns::Value(_) => (Returns::Value(name.clone()), None),
        other => (other, None),
    };
    Some(Alias { name, what, tag })
}

/// What the type in front of a declarator is.
fn of_type(node: Node<'_>, text: &str, known: &Declarations) -> Option<Returns> {
    let ty = node.child_by_field_name("type")?;
    let shown = text.get(ty.byte_range())?;
    Some(match ty.kind() {
        "primitive_type" if shown == "void" => Returns::Nothing,
        "struct_specifier" | "union_specifier" => Returns::Structure(tag(ty, text)),
        "enum_specifier" => Returns::Value(tag(ty, text)),
        "type_identifier" => match known.alias(shown).map(|alias| &alias.what) {
            Some(Returns::Structure(_)) => Returns::Structure(shown.to_owned()),
            Some(Returns::Value(_)) | None => Returns::Value(shown.to_owned()),
            Some(other) => other.clone(),
        },
        _ => Returns::Value(shown.to_owned()),
    })
}

/// A structure by its tag, without its members.
fn tag(ty: Node<'_>, text: &str) -> String {
    let end = ty.child_by_field_name("name").map_or(ty.end_byte(), |name| name.end_byte());
    text.get(ty.start_byte()..end).unwrap_or_default().to_owned()
}

/// What a declarator gives a name to.
fn innermost(mut node: Node<'_>) -> Node<'_> {
    loop {
        let inner = node.child_by_field_name("declarator");
        let inner = inner.or_else(|| {
            (node.kind() == "parenthesized_declarator").then(|| node.named_child(0)).flatten()
        });
        match inner {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}

/// The functions that a declaration declares.
fn functions(node: Node<'_>, text: &str, known: &Declarations) -> Vec<(String, Prototype)> {
    let mut found = Vec::new();
    let specifiers = specifiers(node, text);
    let never = text
        .get(node.byte_range())
        .is_some_and(|it| it.contains("noreturn") || it.contains("_Noreturn"));
    for declarator in node.children_by_field_name("declarator", &mut node.walk()) {
        let Some(function) = function_of(declarator) else { continue };
        let name = innermost(function);
        let (Some(name), Some(base)) = (text.get(name.byte_range()), of_type(node, text, known))
        else {
            continue;
        };
        let end = end_of(declarator);
        let shown = text.get(declarator.start_byte()..end).unwrap_or_default().trim_end();
        let returns = match (function == declarator, base) {
            (true, _) if never => Returns::Never,
            (true, base) => base,
            // `int (*pick(int k))(void)`
            (false, _) if declarator.kind() == "function_declarator" => Returns::Function,
            (false, base) => Returns::Pointer(behind(declarator, &base, known)),
        };
        let prototype = Prototype { text: format!("{specifiers} {shown}"), returns };
        found.push((name.to_owned(), prototype));
    }
    found
}

/// How large what a pointer leads to is: `struct n *get(void)`.
fn behind(declarator: Node<'_>, base: &Returns, known: &Declarations) -> String {
    let one_star = declarator.kind() == "pointer_declarator"
        && declarator
            .child_by_field_name("declarator")
            .is_some_and(|it| it.kind() == "function_declarator");
    match base {
        Returns::Structure(ty) if one_star && known.is_complete(ty) => format!("sizeof({ty})"),
        Returns::Value(ty) if one_star => format!("sizeof({ty})"),
        _ => UNKNOWN_SIZE.to_owned(),
    }
}

/// The part of a declarator that takes parameters, if it declares a function and no pointer to one.
fn function_of(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        let inner = node.child_by_field_name("declarator");
        match node.kind() {
            "function_declarator" => {
                let inner = inner?;
                if inner.kind() == "identifier" {
                    return Some(node);
                }
                // `int (*pick(int k))(void)`, or a pointer: `int (*f)(void)`.
                node = inner;
            }
            "parenthesized_declarator" => node = node.named_child(0)?,
            "pointer_declarator" | "attributed_declarator" => node = inner?,
            _ => return None,
        }
    }
}

/// Where a declarator ends, without attributes and the name that the linker sees.
fn end_of(declarator: Node<'_>) -> usize {
    let mut node = declarator;
    // Behind the parameters of a function that is not in parentheses.
    while let Some(inner) = node.child_by_field_name("declarator") {
        if node.kind() == "function_declarator" {
            return node
                .child_by_field_name("parameters")
                .map_or(node.end_byte(), |it| it.end_byte());
        }
        node = inner;
    }
    declarator.end_byte()
}

/// What stands before the declarators, without what a definition does not need.
fn specifiers(node: Node<'_>, text: &str) -> String {
    let mut parts = Vec::new();
    let end = node.child_by_field_name("declarator").map_or(node.end_byte(), |it| it.start_byte());
    for child in node.children(&mut node.walk()).take_while(|it| it.start_byte() < end) {
        let Some(shown) = text.get(child.byte_range()) else { continue };
        let is_kept = !matches!(child.kind(), "attribute_specifier" | "storage_class_specifier")
            && !matches!(shown, "extern" | "__extension__" | "_Noreturn");
        if is_kept {
            parts.push(shown);
        }
    }
    parts.join(" ")
}
