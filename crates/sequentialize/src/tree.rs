//! Questions about C's syntax trees.

use tree_sitter::Node;
use unravel_patch::source::descendants;

/// A child by the name of its field.
pub fn field<'a>(node: Node<'a>, name: &str) -> Option<Node<'a>> {
    node.child_by_field_name(name)
}

/// The named children that are no comments.
pub fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect()
}

/// The name that a declarator, a parameter or a function definition declares.
pub fn declared_name(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    loop {
        node = match node.kind() {
            "identifier" | "type_identifier" | "field_identifier" => return Some(node),
            "parenthesized_declarator" => parts(node).into_iter().next_back()?,
            _ => field(node, "declarator")?,
        };
    }
}

/// The declarators of a declaration, with their initializers.
pub fn declarators(declaration: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = declaration.walk();
    declaration.children_by_field_name("declarator", &mut cursor).collect()
}

/// Names that the declaration of a type makes known: tags, enumerators, and other names of types.
pub fn declared_types(node: Node<'_>) -> Vec<Node<'_>> {
    let names = descendants(node).filter_map(|it| match it.kind() {
        "struct_specifier" | "union_specifier" | "enum_specifier" => {
            field(it, "body").and_then(|_| field(it, "name"))
        }
        "enumerator" => field(it, "name"),
        _ => None,
    });
    let aliases = match node.kind() {
        "type_definition" => declarators(node).into_iter().filter_map(declared_name).collect(),
        _ => Vec::new(),
    };
    names.chain(aliases).collect()
}

/// What stands before the declarators: storage, qualifiers and the type.
pub fn specifiers(declaration: Node<'_>) -> Vec<Node<'_>> {
    let first = field(declaration, "declarator").map_or(usize::MAX, |it| it.start_byte());
    let mut cursor = declaration.walk();
    let all = declaration.children(&mut cursor);
    all.filter(|it| it.start_byte() < first && it.is_named() && it.kind() != "comment").collect()
}

/// The declarator of the function itself, in its definition.
pub fn function_declarator(definition: Node<'_>) -> Option<Node<'_>> {
    let mut node = field(definition, "declarator")?;
    while node.kind() != "function_declarator" || nested(node) {
        node = match node.kind() {
            "parenthesized_declarator" => parts(node).into_iter().next_back()?,
            _ => field(node, "declarator")?,
        };
    }
    Some(node)
}

/// A function that returns a pointer to a function has two lists of parameters.
fn nested(node: Node<'_>) -> bool {
    field(node, "declarator").is_some_and(|it| it.kind() == "parenthesized_declarator")
}

/// The parameters of a function.
pub fn parameters(definition: Node<'_>) -> Vec<Node<'_>> {
    let list = function_declarator(definition).and_then(|it| field(it, "parameters"));
    let all = list.map(parts).unwrap_or_default();
    all.into_iter().filter(|it| declared_name(*it).is_some()).collect()
}

/// The arguments of a call.
pub fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    field(call, "arguments").map(parts).unwrap_or_default()
}

/// Names that declarations in a node declare.
pub fn declared_in<'a>(node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    descendants(node)
        .filter(|it| it.kind() == "declaration")
        .flat_map(|it| declarators(it))
        .filter_map(declared_name)
}

/// The operator of an expression.
pub fn operator(node: Node<'_>) -> Option<Node<'_>> {
    field(node, "operator")
}

/// An expression without the parentheses around it.
pub fn bare(node: Node<'_>) -> Node<'_> {
    match parts(node).as_slice() {
        [inner] if node.kind() == "parenthesized_expression" => bare(*inner),
        _ => node,
    }
}
