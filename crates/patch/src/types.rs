//! What type an lvalue was declared with, as far as the text says.
//!
//! Enough to tell a pointer from a number: the atomic builtins add bytes to a pointer, where C adds
//! elements.

use tree_sitter::Node;

use crate::expr::{bare, declared, descendants, operator};
use crate::source::{Source, Sources, ancestors};

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// The type without pointers, arrays and qualifiers: `struct list`, `unsigned`.
    pub base: String,
    /// How many pointers or arrays lead to it.
    pub depth: i32,
    /// Whether it is declared `_Atomic`, or by a name of `<stdatomic.h>`.
    pub is_atomic: bool,
    /// Whether a member is a bit-field, which has no address.
    pub is_bit_field: bool,
}

impl Type {
    fn deeper(self, by: i32) -> Type {
        Type { depth: self.depth + by, ..self }
    }

    /// What it points to.
    #[must_use]
    pub fn pointed_to(self) -> Type {
        self.deeper(-1)
    }

    /// As C writes it in front of a name.
    #[must_use]
    pub fn written(&self) -> String {
        let stars = "*".repeat(usize::try_from(self.depth).unwrap_or(0));
        format!("{} {stars}", self.base)
    }
}

/// The type of an lvalue, if its declaration is among the sources and all that it may be agree.
#[must_use]
pub fn of(sources: &Sources<'_>, source: &Source<'_>, lvalue: Node<'_>) -> Option<Type> {
    let node = bare(lvalue);
    let argument = || of(sources, source, node.child_by_field_name("argument")?);
    match node.kind() {
        "identifier" => variable(sources, source, node),
        "field_expression" => member(sources, source, node),
        "subscript_expression" => Some(argument()?.deeper(-1)),
        "pointer_expression" if operator(source, node) == "*" => Some(argument()?.deeper(-1)),
        "pointer_expression" => Some(argument()?.deeper(1)),
        "binary_expression" => {
            let left = of(sources, source, node.child_by_field_name("left")?)?;
            (left.depth > 0).then_some(left)
        }
        "cast_expression" => {
            let descriptor = node.child_by_field_name("type")?;
            let stars = descendants(descriptor);
            let stars = stars.filter(|it| it.kind() == "abstract_pointer_declarator").count();
            let base = base(source, descriptor)?;
            Some(resolve(sources, base).deeper(i32::try_from(stars).ok()?))
        }
        _ => None,
    }
}

/// The innermost declaration of a name that a use can see.
fn variable(sources: &Sources<'_>, source: &Source<'_>, name: Node<'_>) -> Option<Type> {
    let text = source.text_of(name);
    let mut scopes = ancestors(name).filter(|it| {
        matches!(
            it.kind(),
            "compound_statement" | "for_statement" | "function_definition" | "translation_unit"
        )
    });
    let here = scopes.find_map(|scope| {
        let is_param = scope.kind() == "function_definition";
        let all = declarations(scope, is_param);
        all.into_iter().rfind(|(_, declarator)| declares(source, *declarator, text))
    });
    if let Some((declaration, declarator)) = here {
        return typed(sources, source, declaration, declarator);
    }
    let others = sources.files().iter().filter_map(|(id, _)| sources.source(id));
    others.into_iter().find_map(|other| {
        let all = declarations(other.root, false);
        let found = all.into_iter().find(|(_, declarator)| declares(&other, *declarator, text))?;
        typed(sources, &other, found.0, found.1)
    })
}

/// The declarations directly in a scope, with their declarators.
fn declarations<'t>(scope: Node<'t>, is_function: bool) -> Vec<(Node<'t>, Node<'t>)> {
    let wanted = if is_function { "parameter_declaration" } else { "declaration" };
    let all = descendants(scope).filter(|it| it.kind() == wanted);
    let own = all.filter(|it| is_function || in_scope(*it, scope));
    own.flat_map(|declaration| {
        let mut cursor = declaration.walk();
        let found: Vec<_> = declaration.children_by_field_name("declarator", &mut cursor).collect();
        found.into_iter().map(move |declarator| (declaration, declarator))
    })
    .collect()
}

/// Whether a declaration stands in a scope and in none within; preprocessor branches are no scopes.
fn in_scope(declaration: Node<'_>, scope: Node<'_>) -> bool {
    let mut around = ancestors(declaration).skip(1);
    around.find(|it| !it.kind().starts_with("preproc")) == Some(scope)
}

fn declares(source: &Source<'_>, declarator: Node<'_>, name: &str) -> bool {
    declared(declarator).is_some_and(|it| source.text_of(it) == name)
}

/// The type of a member: every struct that has one of this name says the same.
fn member(sources: &Sources<'_>, source: &Source<'_>, access: Node<'_>) -> Option<Type> {
    let name = source.text_of(access.child_by_field_name("field")?);
    let mut found: Option<Type> = None;
    for (id, _) in sources.files().iter() {
        let Some(file) = sources.source(id) else { continue };
        for declaration in descendants(file.root) {
            if declaration.kind() != "field_declaration" {
                continue;
            }
            let mut cursor = declaration.walk();
            for declarator in declaration.children_by_field_name("declarator", &mut cursor) {
                if !declares(&file, declarator, name) {
                    continue;
                }
                let this = typed(sources, &file, declaration, declarator)?;
                if found.as_ref().is_some_and(|it| *it != this) {
                    return None;
                }
                found = Some(this);
            }
        }
    }
    found
}

fn typed(
    sources: &Sources<'_>,
    source: &Source<'_>,
    declaration: Node<'_>,
    declarator: Node<'_>,
) -> Option<Type> {
    let kinds = std::iter::successors(Some(declarator), |it| it.child_by_field_name("declarator"));
    let pointing = ["pointer_declarator", "array_declarator"];
    let depth = kinds.filter(|it| pointing.contains(&it.kind())).count();
    let qualified = descendants(declaration)
        .any(|it| it.kind() == "type_qualifier" && source.text_of(it) == "_Atomic");
    let bits = descendants(declaration).any(|it| it.kind() == "bitfield_clause");
    let base = base(source, declaration)?;
    let mut found = resolve(sources, base).deeper(i32::try_from(depth).ok()?);
    found.is_atomic |= qualified;
    found.is_bit_field = bits;
    Some(found)
}

/// The type's own words: `struct list` without its members.
fn base(source: &Source<'_>, node: Node<'_>) -> Option<String> {
    let written = node.child_by_field_name("type")?;
    let tag = written.child_by_field_name("name");
    let text = match (written.kind(), tag) {
        ("struct_specifier", Some(tag)) => format!("struct {}", source.text_of(tag)),
        ("union_specifier", Some(tag)) => format!("union {}", source.text_of(tag)),
        ("enum_specifier", Some(tag)) => format!("enum {}", source.text_of(tag)),
        _ => source.text_of(written).split_whitespace().collect::<Vec<_>>().join(" "),
    };
    Some(text)
}

/// A typed name may hide a pointer, and the names of `<stdatomic.h>` an atomic type.
fn resolve(sources: &Sources<'_>, base: String) -> Type {
    let plain = |base: String| Type { base, depth: 0, is_atomic: false, is_bit_field: false };
    if let Some(inner) = base.strip_prefix("_Atomic(").and_then(|it| it.strip_suffix(')')) {
        return Type { is_atomic: true, ..plain(inner.trim().to_owned()) };
    }
    if let Some(inner) = base.strip_prefix("atomic_").and_then(standard_atomic) {
        return Type { is_atomic: true, ..plain(inner.to_owned()) };
    }
    let hidden = sources.files().iter().filter_map(|(id, _)| sources.source(id)).find_map(|file| {
        let definitions = descendants(file.root);
        let mut definitions = definitions.filter(|it| it.kind() == "type_definition");
        definitions.find_map(|it| hidden_depth(&file, it, &base))
    });
    plain(base).deeper(hidden.unwrap_or(0))
}

fn hidden_depth(source: &Source<'_>, definition: Node<'_>, name: &str) -> Option<i32> {
    let declarator = definition.child_by_field_name("declarator")?;
    let all: Vec<Node<'_>> = descendants(declarator).collect();
    let is_it = |it: &Node<'_>| it.kind() == "type_identifier" && source.text_of(*it) == name;
    all.iter().find(|it| is_it(it))?;
    let stars = all.iter().filter(|it| it.kind() == "pointer_declarator").count();
    i32::try_from(stars).ok()
}

/// The type behind a name such as `atomic_int`, by the rest of the name.
fn standard_atomic(rest: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 15] = [
        ("bool", "_Bool"),
        ("char", "char"),
        ("schar", "signed char"),
        ("uchar", "unsigned char"),
        ("short", "short"),
        ("ushort", "unsigned short"),
        ("int", "int"),
        ("uint", "unsigned"),
        ("long", "long"),
        ("ulong", "unsigned long"),
        ("llong", "long long"),
        ("ullong", "unsigned long long"),
        ("size_t", "size_t"),
        ("intptr_t", "intptr_t"),
        ("uintptr_t", "uintptr_t"),
    ];
    NAMES.iter().find(|(name, _)| *name == rest).map(|(_, plain)| *plain)
}

/// Whether a variable is declared at file scope, or nowhere in its function.
#[must_use]
pub fn is_global(source: &Source<'_>, name: Node<'_>) -> bool {
    let text = source.text_of(name);
    let scopes = ancestors(name).take_while(|it| it.kind() != "translation_unit").filter(|it| {
        matches!(it.kind(), "compound_statement" | "for_statement" | "function_definition")
    });
    !scopes.into_iter().any(|scope| {
        let all = declarations(scope, scope.kind() == "function_definition");
        all.into_iter().any(|(_, declarator)| declares(source, declarator, text))
    })
}
