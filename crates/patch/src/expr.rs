//! Questions about C expressions that their text can answer.

use tree_sitter::Node;

pub use crate::source::descendants;
use crate::source::{Source, ancestors, called};

/// The named children that are no comments.
#[must_use]
pub fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect()
}

/// An expression without the parentheses around it.
#[must_use]
pub fn bare(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while node.kind() == "parenthesized_expression" {
        match parts(node).as_slice() {
            [inner] => node = *inner,
            _ => break,
        }
    }
    node
}

/// The type and the value of a cast. Without knowing what names a type, `(word)(a + b)` has the
/// syntax of a call; whoever asks compares the type.
#[must_use]
pub fn cast(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    if node.kind() == "cast_expression" {
        return Some((node.child_by_field_name("type")?, node.child_by_field_name("value")?));
    }
    let function = node.child_by_field_name("function")?;
    let name = Some(bare(function)).filter(|it| *it != function && it.kind() == "identifier")?;
    let arguments = parts(node.child_by_field_name("arguments")?);
    let [value] = arguments.as_slice() else { return None };
    Some((name, *value))
}

/// The outermost parentheses around an expression, or it alone.
#[must_use]
pub fn with_parentheses(node: Node<'_>) -> Node<'_> {
    let around = ancestors(node).skip(1).take_while(|it| it.kind() == "parenthesized_expression");
    around.last().unwrap_or(node)
}

/// The words and operators of an expression, without outer parentheses and comments.
#[must_use]
pub fn tokens<'a>(source: &Source<'a>, node: Node<'_>) -> Vec<&'a str> {
    let leaves = descendants(bare(node));
    let leaves = leaves.into_iter().filter(|it| it.child_count() == 0 && it.kind() != "comment");
    leaves.map(|it| source.text_of(it)).collect()
}

/// Whether an expression contains another one's text.
#[must_use]
pub fn contains(source: &Source<'_>, node: Node<'_>, wanted: &[&str]) -> bool {
    descendants(node).any(|it| tokens(source, it) == wanted)
}

/// Whether evaluating changes nothing and calls nobody.
#[must_use]
pub fn is_pure(node: Node<'_>) -> bool {
    const EFFECTS: [&str; 4] =
        ["call_expression", "update_expression", "assignment_expression", "gnu_asm_expression"];
    !descendants(node).any(|it| EFFECTS.contains(&it.kind()))
}

/// The names that an expression or statement uses; members of structs are not among them.
#[must_use]
pub fn names<'a>(source: &Source<'a>, node: Node<'_>) -> Vec<&'a str> {
    let all = descendants(node).filter(|it| it.kind() == "identifier");
    all.map(|it| source.text_of(it)).collect()
}

/// The names that a statement declares or assigns directly, or whose address it takes.
#[must_use]
pub fn changed_names<'a>(source: &Source<'a>, statement: Node<'_>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for node in descendants(statement) {
        let target = match node.kind() {
            "update_expression" => node.child_by_field_name("argument"),
            "assignment_expression" => node.child_by_field_name("left"),
            "declaration" => {
                found.extend(declared_names(source, node));
                None
            }
            "pointer_expression" if operator(source, node) == "&" => {
                node.child_by_field_name("argument")
            }
            _ => None,
        };
        found.extend(target.and_then(root).map(|it| source.text_of(it)));
    }
    found
}

/// The names that a declaration introduces.
#[must_use]
pub fn declared_names<'a>(source: &Source<'a>, declaration: Node<'_>) -> Vec<&'a str> {
    let mut cursor = declaration.walk();
    let declarators = declaration.children_by_field_name("declarator", &mut cursor);
    declarators.filter_map(declared).map(|it| source.text_of(it)).collect()
}

/// The identifier that a declarator declares.
#[must_use]
pub fn declared(declarator: Node<'_>) -> Option<Node<'_>> {
    let is_name = |it: &Node<'_>| matches!(it.kind(), "identifier" | "field_identifier");
    let inner = std::iter::successors(Some(declarator), |it| {
        let nested = || parts(*it).into_iter().find(|part| part.kind().ends_with("declarator"));
        it.child_by_field_name("declarator").or_else(nested)
    });
    let last = inner.last()?;
    let found = Some(last).filter(is_name);
    found.or_else(|| parts(last).into_iter().find(is_name))
}

/// The variable that an lvalue begins at: `s` in `s->a[i].b`.
#[must_use]
pub fn root(lvalue: Node<'_>) -> Option<Node<'_>> {
    let inner = std::iter::successors(Some(bare(lvalue)), |it| match it.kind() {
        "field_expression" | "subscript_expression" | "pointer_expression" => {
            it.child_by_field_name("argument").map(bare)
        }
        "cast_expression" => it.child_by_field_name("value").map(bare),
        _ => None,
    });
    inner.last().filter(|it| it.kind() == "identifier")
}

/// The operator of an expression that has one.
#[must_use]
pub fn operator<'a>(source: &Source<'a>, node: Node<'_>) -> &'a str {
    node.child_by_field_name("operator").map_or("", |it| source.text_of(it))
}

/// The name of the function that an expression calls, and its arguments.
#[must_use]
pub fn call<'a>(source: &Source<'a>, node: Node<'a>) -> Option<(&'a str, Vec<Node<'a>>)> {
    let (name, arguments) = called(source, node)?;
    Some((name, parts(arguments)))
}
