//! The creation of a thread at a later place.

use tree_sitter::Node;
use unravel_span::{Edit, Span};

use super::motion::{beside, leaves, statements_between};
use super::{call_at, handle, one_function};
use crate::calls::{self, Act};
use crate::expr::{
    bare, changed_names, declared_names, descendants, names, operator, parts, tokens,
};
use crate::place::{self, moved_text, remove};
use crate::source::{Refusal, Source, Sources};
use crate::style;

/// The creation, with the test of its result, behind the statement at `after`.
///
/// # Errors
/// If the handle or the result is used on the way, something that the thread is given changes, or
/// the function may be left in between.
pub fn create_after(
    sources: &Sources<'_>,
    create: Span,
    after: Span,
) -> Result<Vec<Edit>, Refusal> {
    let (created, after) = (place::find(sources, create)?, place::find(sources, after)?);
    one_function(&created, &after)?;
    let call = call_at(&created, Act::Create)?;
    let source = &created.source;
    let refuse = |why: &str| created.refuse(why);
    let to = beside(created.statement, after.statement)
        .ok_or_else(|| refuse("the thread is created in a branch or a loop of its own"))?;
    let passed = statements_between(created.statement, to)
        .ok_or_else(|| refuse("the thread is created after this already"))?;
    let mut passed: Vec<Node<'_>> =
        passed.into_iter().filter(|it| *it != created.statement).chain([to]).collect();
    let moved = with_check(source, created.statement, &mut passed);
    let handle = handle(source, &call).map(|it| it.1).unwrap_or_default();
    let mut results = declared_names(source, created.statement);
    results.extend(handle.first());
    results.extend(result_name(source, created.statement));
    let given: Vec<&str> =
        call.arguments.iter().skip(1).flat_map(|it| by_value(source, *it)).collect();
    for statement in &passed {
        if names(source, *statement).iter().any(|it| results.contains(it)) {
            return Err(refuse("the handle or the result is used in between"));
        }
        if changed_names(source, *statement).iter().any(|it| given.contains(it)) {
            return Err(refuse("what the thread is given changes in between"));
        }
        if leaves(source, *statement) {
            return Err(refuse("the function may be left in between"));
        }
    }
    let lines: Vec<String> = moved.iter().flat_map(|it| moved_text(source, *it)).collect();
    let mut edits = style::insert_after(source, calls::after_sections(source, to), &lines);
    edits.extend(moved.iter().map(|it| remove(source, *it)));
    Ok(edits)
}

/// The creation and the statement behind it if that tests its result; taken from those passed.
fn with_check<'s>(
    source: &Source<'s>,
    create: Node<'s>,
    passed: &mut Vec<Node<'s>>,
) -> Vec<Node<'s>> {
    let mut moved = vec![create];
    let mut results = declared_names(source, create);
    results.extend(result_name(source, create));
    let tests = passed.first().copied().filter(|it| it.kind() == "if_statement").filter(|it| {
        let condition = it.child_by_field_name("condition");
        let used = condition.map(|it| names(source, it)).unwrap_or_default();
        used.iter().any(|it| results.contains(it))
    });
    if let Some(test) = tests.filter(|_| passed.len() > 1) {
        passed.remove(0);
        moved.push(test);
    }
    moved
}

/// The variable that a statement assigns a result to.
fn result_name<'s>(source: &Source<'s>, statement: Node<'s>) -> Option<&'s str> {
    let is_one = statement.kind() == "expression_statement";
    let expression = parts(statement).first().copied().filter(|_| is_one).map(bare)?;
    let left = expression.child_by_field_name("left")?;
    tokens(source, left).first().copied().filter(|_| expression.kind() == "assignment_expression")
}

/// The names whose values an argument passes on; not those whose address is passed.
fn by_value<'s>(source: &Source<'s>, argument: Node<'s>) -> Vec<&'s str> {
    let argument = bare(argument);
    let address = argument.kind() == "pointer_expression" && operator(source, argument) == "&";
    if !address {
        return names(source, argument);
    }
    let indices = descendants(argument).filter_map(|it| it.child_by_field_name("index"));
    indices.flat_map(|it| names(source, it)).collect()
}
