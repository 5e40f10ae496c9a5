//! A join in the function that creates the thread, instead of one in another function.

use tree_sitter::Node;
use unravel_span::{Edit, Span};

use super::motion::statements_between;
use super::{Point, call_at, handle_at, one_function, stays_joinable};
use crate::around::ways_out;
use crate::calls::Act;
use crate::place::{self, Place, remove, span_of};
use crate::source::{Refusal, Sources};
use crate::style;

/// The thread created at `create` is joined before the statement at `before`, or before every way out
/// of the function if that is its end; the join at `join`, in another function, is taken away.
///
/// # Errors
/// If the thread is not created before this in the same function, or its handle has no name there.
pub fn join_instead(
    sources: &Sources<'_>,
    create: Span,
    join: Span,
    before: Span,
) -> Result<Vec<Edit>, Refusal> {
    let (created, joined) = (place::find(sources, create)?, place::find(sources, join)?);
    let call = call_at(&created, Act::Create)?;
    call_at(&joined, Act::Join)?;
    stays_joinable(sources, &created, &call)?;
    if one_function(&created, &joined).is_ok() {
        return Err(joined.refuse("the thread is joined in the same function"));
    }
    let function = call.join_name(&created.source);
    // That the handle still means this thread there is for the check of the patch to find out.
    let handle = handle_at(&created, &call, &Point::After(created.statement))?;
    let line = [format!("{function}({handle}, NULL);")];
    let mut edits = vec![remove(&joined.source, joined.statement)];
    for node in points(sources, &created, before)? {
        edits.extend(style::insert_before(&created.source, node, &line));
    }
    Ok(edits)
}

/// The statements to join before, each of which comes after the creation.
fn points<'s>(
    sources: &'s Sources<'_>,
    created: &Place<'s>,
    before: Span,
) -> Result<Vec<Node<'s>>, Refusal> {
    let Some(returns) = ways_out(sources, before) else {
        let before = place::find(sources, before)?;
        one_function(created, &before)?;
        return Point::of(created, &before).map(|it| vec![it.node()]);
    };
    let mut nodes = Vec::new();
    for at in returns {
        let way_out = place::find(sources, at)?;
        one_function(created, &way_out)?;
        if way_out.offset > created.offset {
            nodes.push(way_out.statement);
        }
    }
    Ok(nodes)
}

/// Where the statements between two places of one block begin, the last first.
#[must_use]
pub fn places_between(sources: &Sources<'_>, first: Span, last: Span) -> Vec<Span> {
    let (Ok(first), Ok(last)) = (place::find(sources, first), place::find(sources, last)) else {
        return Vec::new();
    };
    let between = statements_between(first.statement, last.statement).unwrap_or_default();
    between.iter().skip(1).rev().map(|it| span_of(&first.source, *it)).collect()
}
