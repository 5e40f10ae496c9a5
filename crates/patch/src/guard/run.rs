//! Runs of sibling statements.

use std::cmp::Reverse;

use tree_sitter::Node;
use unravel_span::{FileId, Span};

use crate::calls;
use crate::exits::siblings;
use crate::source::{Source, ancestors, descendants, is_bare_body, is_item, is_list, items};
use crate::{Refusal, Region, Sources};

/// Statements that stand beside each other.
#[derive(Clone, Debug)]
pub(super) struct Run<'a> {
    pub source: Source<'a>,
    pub function: Node<'a>,
    pub first: Node<'a>,
    pub last: Node<'a>,
    /// Of the last statement only the condition belongs to the run.
    pub tail: bool,
    /// The places for which the run was made.
    pub places: Vec<usize>,
}

impl PartialEq for Run<'_> {
    fn eq(&self, other: &Self) -> bool {
        let key = |run: &Run<'_>| (run.source.file, run.first.id(), run.last.id(), run.tail);
        key(self) == key(other)
    }
}

impl<'a> Run<'a> {
    pub(super) fn start(&self) -> usize {
        self.first.start_byte()
    }

    /// Where the part of the text ends that is executed in the section.
    fn end(&self) -> usize {
        let condition = self.last.child_by_field_name("condition").filter(|_| self.tail);
        condition.unwrap_or(self.last).end_byte()
    }

    /// The nodes that are executed in the section.
    pub(super) fn parts(&self) -> Vec<Node<'a>> {
        let mut parts = siblings(self.first, self.last);
        if self.tail {
            parts.pop();
            parts.extend(self.last.child_by_field_name("condition"));
        }
        parts
    }

    /// Whether a node is executed in the section.
    pub(super) fn holds(&self, source: &Source<'_>, node: Node<'_>) -> bool {
        source.file == self.source.file && ancestors(node).any(|it| self.parts().contains(&it))
    }

    /// The same run one level up: the statement that it is in, alone.
    pub(super) fn lifted(&self) -> Option<Run<'a>> {
        let around = ancestors(self.first.parent()?).find(|it| is_whole_item(*it))?;
        Some(Run { first: around, last: around, tail: false, ..self.clone() })
    }
}

/// The smallest run of statements around a region.
pub(super) fn find<'a>(sources: &'a Sources<'_>, region: &Region) -> Result<Run<'a>, Refusal> {
    let (source, first) = place(sources, region.first)?;
    let (other, last) = place(sources, region.last)?;
    let function = function_of(first, region.first)?;
    if source.file != other.file || function_of(last, region.last)? != function {
        return Err(Refusal::new(
            "the region begins and ends in different functions",
            region.first,
        ));
    }
    if function.has_error() {
        return Err(Refusal::new("the function has syntax that is not understood", region.first));
    }
    let run = lift(first, last);
    let (from, to) =
        run.ok_or_else(|| Refusal::new("the place is in no statement", region.first))?;
    let places = vec![first.start_byte(), last.start_byte()];
    let mut run = Run { source, function, first: from, last: to, tail: false, places };
    run.tail = ends_in_condition(&run, first, last);
    Ok(run)
}

/// The token at a place; where a block ends, its last statement.
fn place<'a>(sources: &'a Sources<'_>, at: Span) -> Result<(Source<'a>, Node<'a>), Refusal> {
    let (source, offset) = sources.locate(at)?;
    let rest = &source.text[offset..source.next_line(offset)];
    let offset = offset + (rest.len() - rest.trim_start().len());
    let node = source.node_at(offset).ok_or_else(|| Refusal::new("nothing is at the place", at))?;
    let block = node.parent().filter(|it| node.kind() == "}" && it.kind() == "compound_statement");
    let last = block.and_then(|it| items(it).last().copied());
    Ok((source, last.unwrap_or(node)))
}

fn function_of(node: Node<'_>, at: Span) -> Result<Node<'_>, Refusal> {
    let function = ancestors(node).find(|it| it.kind() == "function_definition");
    function.ok_or_else(|| Refusal::new("the place is not in a function", at))
}

/// Whether a statement can have another before it that is executed before it.
fn is_whole_item(node: Node<'_>) -> bool {
    is_item(node) && node.kind() != "case_statement"
}

/// The first and the last statement of the innermost list that holds both nodes.
fn lift<'a>(first: Node<'a>, last: Node<'a>) -> Option<(Node<'a>, Node<'a>)> {
    let contains = |it: Node<'_>, node: Node<'_>| {
        it.start_byte() <= node.start_byte() && node.end_byte() <= it.end_byte()
    };
    ancestors(first).filter(|it| is_whole_item(*it)).find_map(|from| {
        if is_bare_body(from) {
            return contains(from, last).then_some((from, from));
        }
        let list = from.parent().filter(|it| is_list(*it))?;
        let to = items(list).into_iter().find(|it| contains(*it, last) && is_whole_item(*it))?;
        Some(if from.start_byte() <= to.start_byte() { (from, to) } else { (to, from) })
    })
}

/// Whether a region ends in the condition of its last statement, so that the body can stay outside.
fn ends_in_condition(run: &Run<'_>, first: Node<'_>, last: Node<'_>) -> bool {
    let Some(condition) = run.last.child_by_field_name("condition") else { return false };
    let (start, end) = (condition.start_byte(), condition.end_byte());
    let is_in = |node: Node<'_>| start <= node.start_byte() && node.end_byte() <= end;
    if run.first == run.last {
        return is_in(first) && is_in(last) && super::hoist::can_hoist(&run.source, run.last);
    }
    let later = if first.start_byte() > last.start_byte() { first } else { last };
    // A loop tests its condition again: the run would not be one step.
    run.last.kind() == "if_statement" && is_in(later)
}

/// Joins runs that overlap, contain each other or follow each other directly.
pub(super) fn join(mut runs: Vec<Run<'_>>) -> Vec<Run<'_>> {
    take_bodies(&mut runs);
    runs.sort_by_key(|run| (run.source.file, run.start(), Reverse(run.end())));
    let mut joined: Vec<Run<'_>> = Vec::new();
    for run in runs {
        match joined.last_mut() {
            Some(previous) if touches(previous, &run) => absorb(previous, run),
            _ => joined.push(run),
        }
    }
    joined
}

/// Where the condition of an `if` and part of its body are to be guarded, all of it is: what was
/// tested would not hold any more if the mutex were free in between. A body that waits or locks is
/// left outside.
fn take_bodies(runs: &mut [Run<'_>]) {
    let spans: Vec<_> = runs.iter().map(|it| (it.source.file, it.start(), it.end())).collect();
    for run in runs.iter_mut().filter(|it| it.tail && it.last.kind() == "if_statement") {
        let (body, end) = (run.end(), run.last.end_byte());
        let is_inside = |(file, from, to): &(FileId, usize, usize)| {
            *file == run.source.file && body <= *from && *to <= end
        };
        let source = run.source;
        let blocks = descendants(run.last).any(|it| calls::of(&source, it).is_some());
        run.tail = blocks || !spans.iter().any(is_inside);
    }
}

fn touches(previous: &Run<'_>, run: &Run<'_>) -> bool {
    if previous.source.file != run.source.file || previous.function != run.function {
        return false;
    }
    run.start() < previous.end() || (!previous.tail && follows(previous.last, run.first))
}

/// Whether a statement follows another directly in a list.
fn follows(previous: Node<'_>, next: Node<'_>) -> bool {
    let list = previous.parent().filter(|it| is_list(*it) && next.parent() == Some(*it));
    let items = list.map(items).unwrap_or_default();
    items.windows(2).any(|pair| pair[0] == previous && pair[1] == next)
}

fn absorb<'a>(previous: &mut Run<'a>, run: Run<'a>) {
    previous.places.extend(&run.places);
    let is_sibling = previous.last.parent() == run.last.parent();
    if is_sibling && run.end() > previous.end() {
        (previous.last, previous.tail) = (run.last, run.tail);
    }
}
