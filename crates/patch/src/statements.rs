//! A statement before another one of the same block: what is published is filled in first.
//!
//! Where a thread raises a flag, posts a semaphore or links a node and writes what that announces
//! only afterwards, no lock is missing: two statements stand in the wrong order. They are swapped if
//! neither touches what the other changes, as far as their text shows; the check of the patch tells
//! the rest.

use tree_sitter::Node;
use unravel_span::{Edit, Span};

use crate::calls::{self, Act};
use crate::expr::{bare, call, descendants, is_pure, operator, parts, tokens};
use crate::place::{self, Place, moved_text, remove, siblings};
use crate::source::{Refusal, Source, Sources, call_statement};
use crate::style;

/// The words of an lvalue: `r`, `->`, `head`.
type Path<'s> = Vec<&'s str>;

/// What a statement reads and writes, as its text shows.
struct Uses<'s> {
    all: Vec<Path<'s>>,
    written: Vec<Path<'s>>,
}

/// The statement at a place, moved up before so many others of its block; also where it is then.
///
/// # Errors
/// If one of the statements does more than write what it names, or they touch the same.
pub fn move_up(
    sources: &Sources<'_>,
    statement: Span,
    count: usize,
) -> Result<(Span, Vec<Edit>), Refusal> {
    let moved = place::find(sources, statement)?;
    let (all, at) = siblings(moved.statement)
        .ok_or_else(|| moved.refuse("the statement is the body of a branch or a loop"))?;
    let first = at.checked_sub(count).ok_or_else(|| moved.refuse("nothing is before it"))?;
    let edits = move_between(&moved, &all[first..at])?;
    Ok((place::span_of(&moved.source, all[first]), edits))
}

/// The statement at a place, moved before another one of its block.
///
/// # Errors
/// As [`move_up`].
pub fn move_before(
    sources: &Sources<'_>,
    statement: Span,
    before: Span,
) -> Result<Vec<Edit>, Refusal> {
    let (moved, before) = (place::find(sources, statement)?, place::find(sources, before)?);
    let refuse = || moved.refuse("the two statements are not in one block");
    let (all, at) = siblings(moved.statement).ok_or_else(refuse)?;
    let first = all[..at].iter().position(|it| *it == before.statement).ok_or_else(refuse)?;
    move_between(&moved, &all[first..at])
}

fn move_between(moved: &Place<'_>, passed: &[Node<'_>]) -> Result<Vec<Edit>, Refusal> {
    let source = &moved.source;
    let first = passed.first().ok_or_else(|| moved.refuse("nothing is before it"))?;
    let refuse = || moved.refuse("the statement does more than write something");
    let own = written_by(source, moved.statement).ok_or_else(refuse)?;
    for statement in passed {
        let refuse = || moved.refuse("a statement before it does more than announce something");
        let other = announced_by(source, *statement).ok_or_else(refuse)?;
        if own.disturb(&other) || other.disturb(&own) {
            return Err(moved.refuse("the two statements are about the same data"));
        }
    }
    let mut edits = style::insert_before(source, *first, &moved_text(source, moved.statement));
    edits.push(remove(source, moved.statement));
    Ok(edits)
}

impl Uses<'_> {
    /// Whether what these write is used by others: the same, what it leads to, or a part of it.
    fn disturb(&self, other: &Uses<'_>) -> bool {
        let meets = |written: &Path<'_>, used: &Path<'_>| {
            used.starts_with(written)
                || written.starts_with(used) && written.get(used.len()) == Some(&".")
        };
        self.written.iter().any(|written| other.all.iter().any(|used| meets(written, used)))
    }
}

/// What a statement uses that only writes: an assignment, a count, an atomic store.
fn written_by<'s>(source: &Source<'s>, statement: Node<'s>) -> Option<Uses<'s>> {
    let expression = expression_of(statement)?;
    let is_store = call(source, expression).is_some_and(|(name, _)| is_atomic_store(name));
    let is_write = match expression.kind() {
        "assignment_expression" => {
            let sides = ["left", "right"].map(|side| expression.child_by_field_name(side));
            sides.into_iter().flatten().all(is_pure)
        }
        "update_expression" => expression.child_by_field_name("argument").is_some_and(is_pure),
        "call_expression" => is_store && arguments_are_pure(source, statement),
        _ => false,
    };
    is_write.then(|| uses(source, expression))
}

/// What a statement uses that writes, or tells other threads something.
fn announced_by<'s>(source: &Source<'s>, statement: Node<'s>) -> Option<Uses<'s>> {
    let expression = expression_of(statement)?;
    let tells = call(source, expression).is_some_and(|(name, _)| {
        let act = calls::act(name);
        let is_atomic = name.starts_with("atomic_") || name.starts_with("__atomic_");
        matches!(act, Some(Act::Signal | Act::Broadcast | Act::Unlock))
            || name == "sem_post"
            // A fence orders what is before it on processors that this does not look at.
            || is_atomic && !name.contains("fence")
    });
    if tells && arguments_are_pure(source, statement) {
        return Some(uses(source, expression));
    }
    written_by(source, statement)
}

fn expression_of(statement: Node<'_>) -> Option<Node<'_>> {
    let expression = parts(statement).first().copied();
    expression.filter(|_| statement.kind() == "expression_statement").map(bare)
}

fn is_atomic_store(name: &str) -> bool {
    name.starts_with("atomic_store") || name.starts_with("__atomic_store")
}

fn arguments_are_pure<'s>(source: &Source<'s>, statement: Node<'s>) -> bool {
    let arguments = call_statement(source, statement).map(|(_, list)| parts(list));
    arguments.is_some_and(|all| all.into_iter().all(is_pure))
}

/// The lvalues of an expression, and those that it writes or whose address it hands on.
fn uses<'s>(source: &Source<'s>, expression: Node<'s>) -> Uses<'s> {
    let is_lvalue = |it: &Node<'s>| {
        matches!(it.kind(), "identifier" | "field_expression" | "subscript_expression")
            || it.kind() == "pointer_expression" && operator(source, *it) == "*"
    };
    let all = descendants(expression).filter(is_lvalue).map(|it| tokens(source, it)).collect();
    let written = descendants(expression).filter_map(|it| match it.kind() {
        "assignment_expression" => it.child_by_field_name("left"),
        "update_expression" => it.child_by_field_name("argument"),
        "pointer_expression" if operator(source, it) == "&" => it.child_by_field_name("argument"),
        _ => None,
    });
    Uses { all, written: written.map(|it| tokens(source, it)).collect() }
}
