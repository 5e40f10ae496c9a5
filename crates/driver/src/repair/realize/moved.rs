//! A statement of one thread at another place of it: what is published is filled in first.
//!
//! "Post, then fill" needs neither a lock nor a flag, but the two statements the other way round. The
//! late write is what a cause says comes too late, or ends the region that should be one step.

use unravel_diagnose::{Cause, Point, Shape};
use unravel_patch::Edit;
use unravel_patch::statements::{move_before, move_up};
use unravel_repair::{Spot, Stretch};
use unravel_span::Span;

use super::{Way, Writer};

/// Statements that one is moved before, at most.
const MOST: usize = 3;

impl Writer<'_> {
    /// Moves of the statement that a cause says comes too late.
    pub(super) fn filled_in_first(&self, cause: &Cause) -> Vec<Way> {
        match &cause.shape {
            Shape::Torn { region, .. } => {
                let stretch = Stretch::of(self.program, self.graph, region);
                let ends = stretch.as_ref().and_then(Stretch::ends);
                let Some((_, first, last)) = ends else { return Vec::new() };
                let mut ways = self.earlier(last);
                ways.extend(self.swapped(first, last));
                ways
            }
            Shape::Early(pairs) => {
                let late = pairs.iter().filter_map(|&(_, after)| self.place_of_point(after));
                late.flat_map(|it| self.earlier(it)).collect()
            }
        }
    }

    fn place_of_point(&self, point: Point) -> Option<Span> {
        Spot::at(self.program, self.graph, point)?.place()
    }

    fn swapped(&self, first: Span, last: Span) -> Option<Way> {
        let edits = move_before(self.sources, last, first).ok()?;
        Some(self.moved(last, first, edits))
    }

    fn earlier(&self, late: Span) -> Vec<Way> {
        let mut ways = Vec::new();
        for count in 1..=MOST {
            let Ok((first, edits)) = move_up(self.sources, late, count) else { break };
            ways.push(self.moved(late, first, edits));
        }
        ways
    }

    fn moved(&self, statement: Span, before: Span, edits: Vec<Edit>) -> Way {
        let at = self.words().place(before);
        let title = format!("move line {} before {at}", statement.line);
        let cost = "nothing new".to_owned();
        Way { kind: "move", title, cost, edits: Ok(edits), meaning: None }
    }
}
