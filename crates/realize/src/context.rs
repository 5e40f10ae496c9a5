//! What handlers read: the program, its events and its source.

use unravel_events::{EventGraph, StepId};
use unravel_patch::{Sources, source_name};
use unravel_program::Program;
use unravel_repair::Spot;
use unravel_repair::spot::Spots;
use unravel_span::Span;

/// A diagnosed program with its source.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its events, up to the bounds of the diagnosis.
    pub graph: &'a EventGraph,
    /// Where the steps of the graph are in the source.
    pub spots: &'a Spots,
    /// The source.
    pub sources: &'a Sources<'a>,
}

impl Context<'_> {
    /// Where a step is in the source.
    #[must_use]
    pub fn place_of(&self, step: StepId) -> Option<Span> {
        self.program.site(self.graph.step(step).site).span
    }

    /// Where some steps are in the source: in the order of the text, each place once.
    #[must_use]
    pub fn places(&self, steps: impl Iterator<Item = StepId>) -> Vec<Span> {
        let mut places: Vec<Span> = steps.filter_map(|step| self.place_of(step)).collect();
        places.sort();
        places.dedup();
        places
    }

    /// The name of the start function of the threads that come to a spot.
    #[must_use]
    pub fn thread_name(&self, spot: &Spot) -> String {
        self.program.function(spot.role).name.clone()
    }

    /// The expression that is accessed at a place, as the source writes it.
    #[must_use]
    pub fn expression_at(&self, place: Span) -> Option<String> {
        source_name::expression_at(&self.program.files, place)
    }

    /// The creations of threads with the role of one spot, in code of the role of another.
    #[must_use]
    pub fn creations(&self, of: &Spot, by: &Spot) -> Vec<Spot> {
        let threads = self.graph.threads.iter().filter(|it| it.start == of.role);
        let steps = threads.filter_map(|it| it.created_by);
        let mut found: Vec<Spot> = Vec::new();
        for spot in steps.filter_map(|step| self.spots.spot(step)) {
            let is_wanted =
                spot.role == by.role && (of.actor.is_none() || of.actor == spot.place());
            if is_wanted && !found.contains(spot) {
                found.push(spot.clone());
            }
        }
        found
    }
}
