//! Places of the text, on behalf of all threads that run them.
//!
//! A step belongs to one execution; a change of the source concerns all of them. So steps are put
//! together that the same code makes, called the same way, in threads with the same start function
//! that are created at the same place.

use std::collections::{BTreeMap, BTreeSet};

use unravel_diagnose::{Point, Region};
use unravel_events::{EventGraph, StepId, ThreadId};
use unravel_interp::moment::{CallPlace, Moment};
use unravel_program::{FunctionId, Program, SiteId};
use unravel_span::Span;

/// A place of the text, and how it is come to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The start function of the threads that come here: their role.
    pub role: FunctionId,
    /// Where the thread is created, if it is the only one that is created there: two threads with
    /// one role can be told apart by that.
    pub actor: Option<Span>,
    /// The calls on the way, outermost first, then the place itself.
    pub path: Vec<Span>,
}

/// A stretch of one role's code, from one place to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// Where it begins.
    pub first: Spot,
    /// Where it ends.
    pub last: Spot,
    /// It begins in one iteration of a loop and ends in a later one.
    pub crosses_iterations: bool,
}

impl Spot {
    /// Where a step is made; `None` if some part of the way has no place in the text.
    #[must_use]
    pub fn of(program: &Program, graph: &EventGraph, step: StepId) -> Option<Spot> {
        let step = graph.step(step);
        let role = graph.threads[step.thread.0 as usize].start;
        let actor = actor(program, graph, step.thread);
        let calls = &step.moment.calls;
        let shown = program.shown(calls, |it| it.function);
        let shown = shown.and_then(|it| calls.iter().position(|call| std::ptr::eq(call, it)));
        let calls = shown.map_or(&[][..], |last| &calls[..=last]);
        let users = calls.iter().filter(|it| !program.function(it.function).library);
        let path: Option<Vec<Span>> =
            users.map(|call| program.site(site_of(program, call)).span).collect();
        // The end of a thread is outside of all calls.
        let own = program.site(step.site).span;
        let path = path.map(|path| if path.is_empty() { own.into_iter().collect() } else { path });
        path.filter(|path| !path.is_empty()).map(|path| Spot { role, actor, path })
    }

    /// Where a point of a core is.
    #[must_use]
    pub fn at(program: &Program, graph: &EventGraph, point: Point) -> Option<Spot> {
        Spot::of(program, graph, point.step)
    }

    /// The place itself.
    #[must_use]
    pub fn place(&self) -> Option<Span> {
        self.path.last().copied()
    }
}

/// Where a thread is created, if no other is created there.
fn actor(program: &Program, graph: &EventGraph, thread: ThreadId) -> Option<Span> {
    let place = |step: StepId| program.site(graph.step(step).site).span;
    let own = place(graph.threads[thread.0 as usize].created_by?)?;
    let all = graph.threads.iter().filter_map(|it| place(it.created_by?));
    (all.filter(|it| *it == own).count() == 1).then_some(own)
}

fn site_of(program: &Program, call: &CallPlace) -> SiteId {
    let block = &program.function(call.function).blocks[call.block.0 as usize];
    block.instructions.get(call.index as usize).map_or(block.end_site, |it| it.site)
}

impl Stretch {
    /// The stretch of a region of a core.
    #[must_use]
    pub fn of(program: &Program, graph: &EventGraph, region: &Region) -> Option<Stretch> {
        let first = Spot::at(program, graph, region.first)?;
        let last = Spot::at(program, graph, region.last)?;
        let moment = |point: Point| &graph.step(point.step).moment;
        let crosses_iterations = crosses_iterations(moment(region.first), moment(region.last));
        Some(Stretch { first, last, crosses_iterations })
    }

    /// The role.
    #[must_use]
    pub fn role(&self) -> FunctionId {
        self.first.role
    }

    /// The places of its two ends in the innermost function that has both, and how many calls lead
    /// to that function.
    #[must_use]
    pub fn ends(&self) -> Option<(usize, Span, Span)> {
        let (first, last) = (&self.first.path, &self.last.path);
        let longest = first.len().min(last.len()).checked_sub(1)?;
        let depth = (0..longest).find(|&at| first[at] != last[at]).unwrap_or(longest);
        Some((depth, first[depth], last[depth]))
    }

    /// Whether two stretches of one role can be joined: both have their ends in the same function,
    /// come to in the same way.
    #[must_use]
    pub fn meets(&self, other: &Stretch) -> bool {
        let (Some((mine, ..)), Some((theirs, ..))) = (self.ends(), other.ends()) else {
            return false;
        };
        (self.role(), self.first.actor) == (other.role(), other.first.actor)
            && mine == theirs
            && self.first.path[..mine] == other.first.path[..theirs]
    }

    /// The stretch that has both, in the order of the text.
    #[must_use]
    pub fn join(&self, other: &Stretch) -> Stretch {
        let spots = [&self.first, &self.last, &other.first, &other.last];
        let (mut first, mut last) = (spots[0], spots[0]);
        for spot in spots {
            if spot.path < first.path {
                first = spot;
            }
            if spot.path > last.path {
                last = spot;
            }
        }
        let crosses_iterations = self.crosses_iterations || other.crosses_iterations;
        Stretch { first: first.clone(), last: last.clone(), crosses_iterations }
    }

    /// Its executions: per thread, first and last step.
    #[must_use]
    pub fn instances(&self, spots: &Spots) -> Vec<(ThreadId, StepId, StepId)> {
        let mut found = Vec::new();
        let firsts = spots.steps(&self.first);
        let lasts = spots.steps(&self.last);
        for (at, &(thread, first)) in firsts.iter().enumerate() {
            // Up to the last of them that comes before it begins again.
            let next = firsts[at + 1..].iter().find(|(other, _)| *other == thread);
            let limit = next.filter(|_| !self.crosses_iterations && self.first != self.last);
            let mut ends = lasts.iter().filter(|&&(other, last)| {
                other == thread && last >= first && limit.is_none_or(|&(_, it)| last < it)
            });
            let end =
                if self.first == self.last { Some(&(thread, first)) } else { ends.next_back() };
            if let Some(&(_, last)) = end {
                found.push((thread, first, last));
            }
        }
        found
    }
}

/// Whether a later moment lies in another iteration of a loop that has the two moments.
fn crosses_iterations(first: &Moment, last: &Moment) -> bool {
    for (a, b) in first.calls.iter().zip(&last.calls) {
        if a.function != b.function {
            return false;
        }
        let other = |head: &unravel_program::BlockId| b.turns.iter().find(|(it, _)| it == head);
        if a.turns.iter().any(|(head, turn)| other(head).is_some_and(|(_, it)| it != turn)) {
            return true;
        }
        if (a.block, a.index) != (b.block, b.index) {
            return false;
        }
    }
    false
}

/// Where all steps of a graph are.
#[derive(Clone, Debug, Default)]
pub struct Spots {
    spots: BTreeMap<StepId, Spot>,
    steps: BTreeMap<Spot, Vec<(ThreadId, StepId)>>,
}

impl Spots {
    /// Looks at all steps. One pass.
    #[must_use]
    pub fn new(program: &Program, graph: &EventGraph) -> Spots {
        let mut result = Spots::default();
        for thread in &graph.threads {
            for &step in &thread.steps {
                if let Some(spot) = Spot::of(program, graph, step) {
                    let at = (graph.step(step).thread, step);
                    result.steps.entry(spot.clone()).or_default().push(at);
                    result.spots.insert(step, spot);
                }
            }
        }
        result
    }

    /// All spots.
    pub fn all(&self) -> impl Iterator<Item = &Spot> {
        self.steps.keys()
    }

    /// The spots at a place of the text.
    pub fn at_place(&self, place: Span) -> impl Iterator<Item = &Spot> {
        self.steps.keys().filter(move |spot| spot.place() == Some(place))
    }

    /// How many threads of a role come to a place, wherever they are created.
    #[must_use]
    pub fn arrivals(&self, spot: &Spot) -> usize {
        let same = |it: &&Spot| it.role == spot.role && it.path == spot.path;
        let steps = self.steps.iter().filter(|(it, _)| same(it)).flat_map(|(_, steps)| steps);
        steps.map(|(thread, _)| *thread).collect::<BTreeSet<_>>().len()
    }

    /// Where a step is.
    #[must_use]
    pub fn spot(&self, step: StepId) -> Option<&Spot> {
        self.spots.get(&step)
    }

    /// The steps made at a spot, by thread and in program order.
    #[must_use]
    pub fn steps(&self, spot: &Spot) -> &[(ThreadId, StepId)] {
        self.steps.get(spot).map_or(&[], Vec::as_slice)
    }
}
