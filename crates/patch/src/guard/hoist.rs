//! Values taken into locals, where a statement cannot be in the section as a whole.

use tree_sitter::Node;

use crate::Refusal;
use crate::exits::{Exit, completes, refuse};
use crate::names::{has_word, words};
use crate::source::{Source, ancestors, descendants, items};

/// Whether the condition of a statement can be taken in front of it, or into the loop.
pub(super) fn can_hoist(source: &Source<'_>, statement: Node<'_>) -> bool {
    let body = statement.child_by_field_name("body");
    let statements = body.filter(|it| it.kind() == "compound_statement").map(items);
    let first = statements.as_ref().and_then(|it| it.first());
    match statement.kind() {
        "if_statement" => true,
        // A jump to a label at the start of the body does not test the condition.
        "while_statement" | "for_statement" => {
            first.is_none_or(|it| it.kind() != "labeled_statement")
        }
        "do_statement" => {
            let last = statements.as_ref().and_then(|it| it.last());
            let continues = descendants(statement).any(|it| it.kind() == "continue_statement");
            last.is_some_and(|it| completes(source, *it)) && !continues
        }
        _ => false,
    }
}

/// A condition as an expression of type `int`.
pub(super) fn truth(source: &Source<'_>, condition: Node<'_>) -> String {
    let text = source.text_of(condition);
    if is_truth(source, condition) {
        return text.to_owned();
    }
    match condition.kind() {
        "identifier" | "call_expression" | "field_expression" | "subscript_expression" => {
            format!("{text} != 0")
        }
        _ => format!("({text}) != 0"),
    }
}

/// Whether an expression is 0 or 1 by its operator.
fn is_truth(source: &Source<'_>, condition: Node<'_>) -> bool {
    let operator = condition.child_by_field_name("operator").map(|it| source.text_of(it));
    let operator = operator.unwrap_or("");
    ["==", "!=", "<", ">", "<=", ">=", "&&", "||", "!"].contains(&operator)
}

/// The expression of a condition, without the parentheses that belong to the statement.
pub(super) fn condition_of(statement: Node<'_>) -> Option<Node<'_>> {
    let condition = statement.child_by_field_name("condition")?;
    if condition.kind() != "parenthesized_expression" {
        return Some(condition);
    }
    let mut cursor = condition.walk();
    condition.named_children(&mut cursor).find(|it| it.kind() != "comment")
}

/// The value that leaves with an exit, if it must be computed before the lock is given back.
pub(super) fn value_of<'a>(source: &Source<'a>, exit: &Exit<'a>) -> Option<Node<'a>> {
    exit.value.filter(|value| !is_own(source, *value))
}

/// Whether a value depends on nothing that another thread can see: constants and locals whose
/// address nobody took.
fn is_own(source: &Source<'_>, value: Node<'_>) -> bool {
    let function = ancestors(value).find(|it| it.kind() == "function_definition");
    let text = function.map_or("", |it| source.text_of(it));
    let is_shared = |it: Node<'_>| match it.kind() {
        "call_expression"
        | "pointer_expression"
        | "field_expression"
        | "subscript_expression"
        | "assignment_expression"
        | "update_expression" => true,
        "identifier" => !is_private(source, source.text_of(it), function, text),
        _ => false,
    };
    !descendants(value).any(is_shared)
}

fn is_private(source: &Source<'_>, name: &str, function: Option<Node<'_>>, text: &str) -> bool {
    if name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_') {
        return true; // a constant, by convention
    }
    let is_taken = text.split('&').skip(1).any(|rest| words(rest).next() == Some(name));
    let mut declarations = function.into_iter().flat_map(descendants).filter(|it| {
        matches!(it.kind(), "declaration" | "parameter_declaration")
            && !source.text_of(*it).starts_with("static")
    });
    !is_taken && declarations.any(|it| has_word(source.text_of(it), name))
}

/// The type of the value that leaves with an exit.
pub(super) fn type_of_exit(source: &Source<'_>, exit: &Exit<'_>) -> Result<String, Refusal> {
    if exit.ends_thread {
        let is_thrd = source.text_of(exit.statement).starts_with("thrd_exit");
        return Ok(if is_thrd { "int " } else { "void *" }.to_owned());
    }
    let function = ancestors(exit.statement).find(|it| it.kind() == "function_definition");
    let written = function.and_then(|it| return_type(source, it));
    written.ok_or_else(|| {
        refuse(source, "the type of the value returned is not plain", exit.statement)
    })
}

/// The type that a function returns, ready to have a name behind it.
fn return_type(source: &Source<'_>, function: Node<'_>) -> Option<String> {
    let declarator = function.child_by_field_name("declarator")?;
    let mut inner = declarator;
    while inner.kind() == "pointer_declarator" {
        inner = inner.child_by_field_name("declarator")?;
    }
    let name = inner.child_by_field_name("declarator")?;
    if inner.kind() != "function_declarator" || name.kind() != "identifier" {
        return None;
    }
    let stars = source.text.get(declarator.start_byte()..inner.start_byte())?;
    let mut cursor = function.walk();
    let is_type = |it: &Node<'_>| it.end_byte() <= declarator.start_byte();
    let own = function.child_by_field_name("type")?;
    let words = function.named_children(&mut cursor).filter(is_type);
    let words = words.filter(|it| *it == own || it.kind() == "type_qualifier");
    let words: Vec<&str> = words.map(|it| source.text_of(it)).collect();
    Some(format!("{} {}", words.join(" "), stars))
}
