//! Causes in words.

use std::collections::BTreeMap;

use unravel_diagnose::{Cause, Pattern, Point, Region, Shape};
use unravel_events::{EventGraph, ThreadId as Instance};
use unravel_program::Program;
use unravel_program::library::sync::{Deed, SyncOp};
use unravel_report::model;

use crate::points::start_name;
use crate::rows;

/// Words for causes.
pub struct Causes<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its steps are.
    pub graph: &'a EventGraph,
}

impl Causes<'_> {
    /// A cause in a sentence. `core` is that of its first run.
    pub fn cause(&self, cause: &Cause, core: Option<&model::Core>) -> String {
        let variables = core.map(variables).unwrap_or_default();
        self.shape(cause.pattern, &cause.shape, &variables)
    }

    /// A shape in a sentence.
    pub fn shape(&self, pattern: Pattern, shape: &Shape, variables: &[String]) -> String {
        match shape {
            Shape::Torn { region, by } if pattern == Pattern::Deadlock => {
                let (one, other) = (self.region(region), self.region(by));
                format!("{one} and {other} wait for each other")
            }
            Shape::Torn { region, by } => {
                let what = self.region(region);
                let other = self.interruption(region, by);
                let about = match variables {
                    [] => String::new(),
                    all => format!(" ({})", all.join(", ")),
                };
                let get = if other.starts_with("lines") { "get" } else { "gets" };
                let lost = match pattern {
                    Pattern::LostWakeup => ", and the signal is lost",
                    _ => "",
                };
                format!("{what} should be one step{about}, but {other} {get} in between{lost}")
            }
            Shape::Early(pairs) if pattern == Pattern::Deadlock && pairs.len() > 1 => {
                self.circle(pairs)
            }
            Shape::Early(pairs) => self.early(pattern, pairs),
        }
    }

    /// Several threads, each of which waits for the next: where each of them is.
    fn circle(&self, pairs: &[(Point, Point)]) -> String {
        let mut regions: BTreeMap<Instance, Region> = BTreeMap::new();
        for point in pairs.iter().flat_map(|&(before, after)| [before, after]) {
            let thread = self.graph.step(point.step).thread;
            let own = regions.entry(thread).or_insert(Region { thread, first: point, last: point });
            if point.step < own.first.step {
                own.first = point;
            }
            if point.step > own.last.step {
                own.last = point;
            }
        }
        let mut places: Vec<String> = regions.values().map(|it| self.region(it)).collect();
        places.dedup();
        let number = regions.len();
        match &places[..] {
            [one] => format!("{number} threads at {one} wait for each other in a circle"),
            [rest @ .., last] => format!("{} and {last} wait for each other", rest.join(", ")),
            [] => String::new(),
        }
    }

    fn early(&self, pattern: Pattern, pairs: &[(Point, Point)]) -> String {
        let Some(&(before, after)) = pairs.first() else { return String::new() };
        let (first, second) = (self.at(before), self.at(after));
        let message = match pattern {
            Pattern::UseAfterFree => format!("{first} gives up memory that {second} still uses"),
            Pattern::UseBeforeInitialization => {
                format!("{first} uses what {second} has yet to set")
            }
            Pattern::LostWakeup if self.waits(before) => {
                format!("{second} wakes only one of those that wait since {first}")
            }
            Pattern::LostWakeup if self.waits(after) => {
                format!("{first} gives its signal before {second} waits for it")
            }
            _ => format!("{second} should come before {first}"),
        };
        match pairs.len() {
            1 => message,
            more => format!("{message} (with {} more)", more - 1),
        }
    }

    /// Whether a thread begins to wait on a condition variable there.
    fn waits(&self, point: Point) -> bool {
        self.graph.step(point.step).sync.map(SyncOp::deed) == Some(Deed::Wait)
    }

    /// `lines 5 to 6 of writer0`.
    fn region(&self, region: &Region) -> String {
        let line = |point: Point| rows::place(self.program, point.site(self.graph));
        match (line(region.first), line(region.last)) {
            (Some(first), Some(last)) => {
                let (a, b) = (first.span.line, last.span.line);
                let place = if first.function == last.function && b < a {
                    format!("line {a} of {} to line {b} the next time round", first.function)
                } else if first.function == last.function {
                    let lines =
                        if a == b { format!("line {a}") } else { format!("lines {a} to {b}") };
                    let turns = self.turns(region);
                    format!("{lines} of {}{turns}", first.function)
                } else {
                    format!(
                        "line {} of {} to line {} of {}",
                        first.span.line, first.function, last.span.line, last.function
                    )
                };
                self.by_thread(place, region.thread, &first.function)
            }
            _ => start_name(self.program, self.graph, region.thread),
        }
    }

    /// `, from turn 1 to turn 2 of its loop`, if it goes beyond one.
    fn turns(&self, region: &Region) -> String {
        let turn = |point: Point| self.graph.step(point.step).moment.turn(self.program);
        match (turn(region.first), turn(region.last)) {
            (Some(first), Some(last)) if first != last => {
                format!(", from turn {first} to turn {last} of its loop,")
            }
            _ => String::new(),
        }
    }

    fn interruption(&self, region: &Region, by: &Region) -> String {
        let same = self.graph.threads[region.thread.0 as usize].start
            == self.graph.threads[by.thread.0 as usize].start;
        let place = self.region(by);
        if same { format!("another thread at {place}") } else { place }
    }

    fn at(&self, point: Point) -> String {
        let thread = self.graph.step(point.step).thread;
        match rows::place(self.program, point.site(self.graph)) {
            Some(place) => {
                let text = format!("line {} of {}", place.span.line, place.function);
                self.by_thread(text, thread, &place.function)
            }
            None => start_name(self.program, self.graph, thread),
        }
    }

    /// Names the thread where the function does not.
    fn by_thread(&self, place: String, thread: Instance, function: &str) -> String {
        let start = start_name(self.program, self.graph, thread);
        if start == function { place } else { format!("{place} (thread {start})") }
    }
}

fn variables(core: &model::Core) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for order in &core.orders {
        for name in [&order.before.variable, &order.after.variable].into_iter().flatten() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}
