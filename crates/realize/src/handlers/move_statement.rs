//! `move`: a statement of one thread comes before the one that tells other threads of what it writes.
//!
//! - *Applies* where a thread first posts and then fills in. The late write is what a cause says comes
//!   too late, or what ends the region that should be one step.
//! - *Writes* the statement a few statements further up, or before the first one of the region.
//! - *Costs* nothing: neither a lock nor a flag is needed.
//! - *Refused* if the statement does more than write something, or if a statement that it passes is
//!   about the same data. Refusals are not reported: most statements cannot move.

use unravel_diagnose::{Cause, Diagnosis, Point, Shape};
use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Because, Change, Cost};
use unravel_patch::Edit;
use unravel_patch::statements::{move_before, move_up};
use unravel_repair::{Spot, Stretch};
use unravel_span::Span;

use super::{Handler, Rank};
use crate::{Attempt, Context};

/// Statements that one is moved before, at most.
const MOST: usize = 3;

/// Moves statements.
pub(super) struct MoveHandler;

impl Handler for MoveHandler {
    fn kind(&self) -> RepairKind {
        RepairKind::Move
    }

    fn rank(&self) -> Rank {
        Rank::default()
    }

    fn because(&self, _has_plan: bool) -> Because {
        Because::WrittenFirst
    }

    fn for_cause(
        &self,
        context: &Context<'_>,
        _diagnosis: &Diagnosis,
        cause: &Cause,
    ) -> Vec<Attempt> {
        match &cause.shape {
            Shape::Torn { region, .. } => {
                let stretch = Stretch::of(context.program, context.graph, region);
                let ends = stretch.as_ref().and_then(Stretch::ends);
                let Some((_, first, last)) = ends else { return Vec::new() };
                let mut attempts = earlier(context, last);
                attempts.extend(swapped(context, first, last));
                attempts
            }
            Shape::Early(pairs) => {
                let late = pairs.iter().filter_map(|&(_, after)| place_of(context, after));
                late.flat_map(|it| earlier(context, it)).collect()
            }
        }
    }
}

fn place_of(context: &Context<'_>, point: Point) -> Option<Span> {
    Spot::at(context.program, context.graph, point)?.place()
}

/// The last statement of a region before the first.
fn swapped(context: &Context<'_>, first: Span, last: Span) -> Option<Attempt> {
    let edits = move_before(context.sources, last, first).ok()?;
    Some(moved(context, last, first, edits))
}

/// A statement before one, two, … of those before it.
fn earlier(context: &Context<'_>, late: Span) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for count in 1..=MOST {
        let Ok((first, edits)) = move_up(context.sources, late, count) else { break };
        attempts.push(moved(context, late, first, edits));
    }
    attempts
}

fn moved(context: &Context<'_>, statement: Span, before: Span, edits: Vec<Edit>) -> Attempt {
    let change = Change::Move { line: statement.line, before: context.line(before) };
    Attempt::new(change, Cost::Nothing, Ok(edits))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use unravel_kinds::RepairKind;

    use crate::testing::{check, two_threads};

    #[test]
    fn data_is_written_before_it_is_announced() {
        let text = two_threads(
            r#"
_Atomic int ready;
int data;
static void *one(void *arg) {
    ready = 1;
    data = 5;
    return arg;
}
static void *two(void *arg) {
    if (ready)
        assert(data == 5);
    return arg;
}"#,
            "1",
        );
        check(
            RepairKind::Move,
            &text,
            expect![[r#"
            [Move { line: 7, before: Lines { first: 6, last: 6, function: Some("one") } }]
            [Nothing]
            WrittenFirst
            +    data = 5;
            -    data = 5;
        "#]],
        );
    }
}
