//! Statements at another place of their function.

use tree_sitter::Node;
use unravel_span::{Edit, Span};

use crate::calls::{self, Act};
use crate::expr::{bare, changed_names, descendants, names, operator, tokens};
use crate::place::{self, moved_text, remove, siblings};
use crate::source::{Refusal, Source, Sources, ancestors};
use crate::style;

/// The statement at `statement`, before the one at `before` in the same function.
///
/// # Errors
/// If it uses what is declared or assigned on the way, or changes what is used there.
pub fn move_before(
    sources: &Sources<'_>,
    statement: Span,
    before: Span,
) -> Result<Vec<Edit>, Refusal> {
    let (moved, before) = (place::find(sources, statement)?, place::find(sources, before)?);
    super::one_function(&before, &moved)?;
    let source = &moved.source;
    let to = beside(moved.statement, before.statement)
        .ok_or_else(|| moved.refuse("the statement is in a branch or a loop of its own"))?;
    let passed = statements_between(to, moved.statement)
        .ok_or_else(|| moved.refuse("the statement comes before already"))?;
    let used = names(source, moved.statement);
    let written = targets(source, moved.statement);
    for statement in passed {
        let changed = changed_names(source, statement);
        let declared = changed.iter().find(|it| used.contains(it));
        if let Some(name) = declared.filter(|it| !only_handed_over(source, statement, it)) {
            return Err(moved.refuse(format!("`{name}` is declared or assigned in between")));
        }
        if reads_any(source, statement, &written) {
            return Err(moved.refuse("what the statement changes is used in between"));
        }
        if leaves(source, statement) {
            return Err(moved.refuse("the function may be left in between"));
        }
    }
    let mut edits = style::insert_before(source, to, &moved_text(source, moved.statement));
    edits.push(remove(source, moved.statement));
    Ok(edits)
}

/// The words of what a statement assigns, or hands to a function by address.
fn targets<'s>(source: &Source<'s>, statement: Node<'s>) -> Vec<Vec<&'s str>> {
    let found = descendants(statement).filter_map(|it| match it.kind() {
        "assignment_expression" => it.child_by_field_name("left"),
        "update_expression" => it.child_by_field_name("argument"),
        "pointer_expression" if operator(source, it) == "&" => it.child_by_field_name("argument"),
        _ => None,
    });
    found.map(|it| tokens(source, it)).collect()
}

/// Whether a statement uses one of these, other than by giving its address to a new thread.
fn reads_any(source: &Source<'_>, statement: Node<'_>, written: &[Vec<&str>]) -> bool {
    descendants(statement).any(|it| {
        let is_it =
            written.contains(&tokens(source, it)) && it.kind() != "parenthesized_expression";
        is_it && !is_handed_over(source, it)
    })
}

/// Whether a name's address goes to a new thread, and nothing else is done with it.
fn only_handed_over(source: &Source<'_>, statement: Node<'_>, name: &str) -> bool {
    let uses = descendants(statement);
    let mut uses = uses.filter(|it| it.kind() == "identifier" && source.text_of(*it) == name);
    uses.all(|it| is_handed_over(source, it))
}

fn is_handed_over(source: &Source<'_>, lvalue: Node<'_>) -> bool {
    let mut around = ancestors(lvalue);
    let address =
        around.find(|it| it.kind() == "pointer_expression" && operator(source, *it) == "&");
    let create = address.and_then(|it| ancestors(it).find_map(|it| calls::of(source, it)));
    let create = create.filter(|it| it.act == Act::Create);
    create.is_some_and(|it| it.arguments.last().map(|it| bare(*it)) == address)
}

/// The statement around `other` that stands in the block of `statement`.
#[must_use]
pub fn beside<'s>(statement: Node<'s>, other: Node<'s>) -> Option<Node<'s>> {
    let (all, _) = siblings(statement)?;
    let is_around = |it: &&Node<'s>| ancestors(other).any(|around| around == **it);
    all.iter().find(is_around).copied().filter(|it| *it != statement)
}

/// As [`beside`], or in a block around the statement's.
#[must_use]
pub fn beside_around<'s>(statement: Node<'s>, other: Node<'s>) -> Option<Node<'s>> {
    let around = ancestors(statement).take_while(|it| it.kind() != "function_definition");
    around.into_iter().find_map(|it| beside(it, other))
}

/// The statements from one up to another of the same block, the first included.
#[must_use]
pub fn statements_between<'s>(from: Node<'s>, to: Node<'s>) -> Option<Vec<Node<'s>>> {
    let (all, start) = siblings(from)?;
    let end = all.iter().position(|it| *it == to)?;
    all.get(start..end).map(<[Node<'s>]>::to_vec)
}

/// Whether a statement may leave its block; a creation's own test of its result may.
#[must_use]
pub fn leaves(source: &Source<'_>, statement: Node<'_>) -> bool {
    descendants(statement).any(|it| {
        let jumps = ["return_statement", "goto_statement", "break_statement", "continue_statement"];
        let exits = calls::of(source, it).is_some_and(|it| it.act == Act::Exit);
        exits || jumps.contains(&it.kind())
    })
}
