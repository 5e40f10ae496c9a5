//! The shape of a cause.

use std::collections::BTreeMap;

use unravel_diagnose::{Pattern, Point, Region, Shape};
use unravel_events::{EventGraph, ThreadId as Instance};
use unravel_program::Program;
use unravel_program::library::sync::SyncOp;
use unravel_report::model::{self, CauseShape, CorePoint, CoreRegion};

use crate::order_ends::start_name;
use crate::steps;

/// Translates causes of one program.
pub struct Causes<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its steps are.
    pub graph: &'a EventGraph,
}

impl Causes<'_> {
    /// The shape of a cause. `core` is that of its first run; its variables are named.
    #[must_use]
    pub fn shape(&self, pattern: Pattern, shape: &Shape, core: Option<&model::Core>) -> CauseShape {
        match shape {
            Shape::Torn { region, by } => CauseShape::Torn {
                same_function: self.start(region) == self.start(by),
                region: self.region(region),
                by: self.region(by),
                variables: core.map(variables).unwrap_or_default(),
            },
            Shape::Early(pairs) if pattern == Pattern::Deadlock && pairs.len() > 1 => {
                self.circle(pairs)
            }
            Shape::Early(pairs) => match pairs.split_first() {
                Some((&(first, second), rest)) => CauseShape::Early {
                    first: self.point(first),
                    second: self.point(second),
                    more: rest.len(),
                },
                None => CauseShape::Unknown,
            },
        }
    }

    /// Several threads, each of which waits for the next: where each of them is.
    fn circle(&self, pairs: &[(Point, Point)]) -> CauseShape {
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
        let threads = regions.len();
        let mut regions: Vec<CoreRegion> = regions.values().map(|it| self.region(it)).collect();
        regions.dedup_by(|a, b| is_same_text(a, b));
        CauseShape::Circle { regions, threads }
    }

    fn start(&self, region: &Region) -> unravel_program::FunctionId {
        self.graph.threads[region.thread.0 as usize].start
    }

    fn region(&self, region: &Region) -> CoreRegion {
        let place = |point: Point| steps::place(self.program, point.site(self.graph));
        let iteration = |point: Point| self.graph.step(point.step).moment.turn(self.program);
        let iterations = iteration(region.first).zip(iteration(region.last));
        CoreRegion {
            thread_name: start_name(self.program, self.graph, region.thread),
            first: place(region.first),
            last: place(region.last),
            iterations: iterations.filter(|(first, last)| first != last),
        }
    }

    fn point(&self, point: Point) -> CorePoint {
        let step = self.graph.step(point.step);
        CorePoint {
            thread_name: start_name(self.program, self.graph, step.thread),
            place: steps::place(self.program, point.site(self.graph)),
            deed: step.sync.map(SyncOp::deed),
        }
    }
}

/// Whether two regions are the same lines of the text.
fn is_same_text(a: &CoreRegion, b: &CoreRegion) -> bool {
    let lines = |it: &CoreRegion| {
        let line = |place: &Option<model::Place>| {
            place.as_ref().map(|it| (it.span.file, it.span.line, it.function.clone()))
        };
        (line(&it.first), line(&it.last), it.thread_name.clone(), it.iterations)
    };
    lines(a) == lines(b)
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
