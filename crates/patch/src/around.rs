//! What stands around a place: the call it is in, the loop it is in.

use tree_sitter::Node;
use unravel_span::Span;

use crate::calls::{self, Act};
use crate::exits::completes;
use crate::expr::descendants;
use crate::place;
use crate::source::{Sources, ancestors};

/// The lock that is taken by the statement at a place, as it is written there: `&q->lock`.
#[must_use]
pub fn lock_expression(sources: &Sources<'_>, at: Span) -> Option<String> {
    let place = place::find(sources, at).ok()?;
    let call = calls::within(&place.source, place.statement, Act::Lock).into_iter().next()?;
    let arguments = call.node.child_by_field_name("arguments")?;
    let first = arguments.named_child(0)?;
    Some(place.source.text_of(first).to_owned())
}

/// Where the outermost loop around a place begins, in its function.
#[must_use]
pub fn outermost_loop(sources: &Sources<'_>, at: Span) -> Option<Span> {
    let (source, offset) = sources.locate(at).ok()?;
    let around = ancestors(source.node_at(offset)?);
    let is_loop = |kind: &str| matches!(kind, "for_statement" | "while_statement" | "do_statement");
    span_of(at, around.filter(|node| is_loop(node.kind())).last()?)
}

/// Where the step of the innermost `for` around a place is: its third expression.
#[must_use]
pub fn loop_step(sources: &Sources<'_>, at: Span) -> Option<Span> {
    let (source, offset) = sources.locate(at).ok()?;
    let mut around = ancestors(source.node_at(offset)?);
    let innermost = around.find(|node| node.kind() == "for_statement")?;
    span_of(at, innermost.child_by_field_name("update")?)
}

/// The `return`s of the function whose end a place is, if it ends nowhere else: what must wait there
/// waits in front of each of them.
#[must_use]
pub fn ways_out(sources: &Sources<'_>, at: Span) -> Option<Vec<Span>> {
    let (source, offset) = sources.locate(at).ok()?;
    let function = source.function_at(offset)?;
    let body = function.child_by_field_name("body")?;
    if offset + 1 != body.end_byte() || completes(&source, body) {
        return None;
    }
    let returns = descendants(body).filter(|it| it.kind() == "return_statement");
    returns.map(|it| span_of(at, it)).collect()
}

/// Where a node of the file of another place begins.
fn span_of(at: Span, node: Node<'_>) -> Option<Span> {
    let start = node.start_position();
    let (line, column) = (u32::try_from(start.row).ok()?, u32::try_from(start.column).ok()?);
    Some(Span::new(at.file, line + 1, column + 1))
}

/// The name of the function around a place.
#[must_use]
pub fn function_name(sources: &Sources<'_>, at: Span) -> Option<String> {
    let (source, offset) = sources.locate(at).ok()?;
    let mut node = source.function_at(offset)?.child_by_field_name("declarator")?;
    while let Some(inner) = node.child_by_field_name("declarator") {
        node = inner;
    }
    Some(source.text_of(node).to_owned())
}
