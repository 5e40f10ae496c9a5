//! A run as data, and how far two are apart.

use std::collections::{BTreeMap, BTreeSet};

use unravel_encode::{Encoding, Flow, Part};
use unravel_events::{EventGraph, Space, StepId};
use unravel_solver::Model;

/// A run: its operations in order, where its reads take their values from, and which way its
/// branches go.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The steps, in order.
    pub steps: Vec<StepId>,
    /// Per part of a read, the part of a write that it sees, or what memory held at first.
    pub flows: BTreeMap<Part, Option<Part>>,
    /// Per branch, by index, the value that it depended on.
    pub branches: BTreeMap<usize, u128>,
    /// Per branch, by index, how many of the steps come before it.
    pub places: BTreeMap<usize, usize>,
}

/// How far a passing run is from a failing one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance {
    /// Branches that go another way.
    pub flips: usize,
    /// Data flows of the failing run that the passing one has otherwise (DF).
    pub flows: usize,
    /// Segments that are interrupted (BS).
    pub segments: usize,
    /// Context switches that do not occur (CTX).
    pub switches: usize,
    /// Operations in the projection: those at either end of a data flow, or of a context switch,
    /// that only one of the runs has, and those that another thread comes between (OP).
    pub operations: usize,
}

impl Trace {
    /// What happens in the run of a model that executes these steps, in this order.
    #[must_use]
    pub fn of(encoding: &Encoding, model: &Model, steps: Vec<StepId>) -> Trace {
        let graph = encoding.graph();
        let executed: BTreeSet<StepId> = steps.iter().copied().collect();
        let place: BTreeMap<StepId, usize> =
            steps.iter().enumerate().map(|(at, &step)| (step, at)).collect();
        let (reads, branches, places) = encoding.valuation(model).with(|value| {
            let mut reads = BTreeSet::new();
            for (index, access) in graph.accesses.iter().enumerate() {
                let counts = !access.writes && access.space == Space::Data;
                if counts && executed.contains(&access.step) && value(access.guard) == 1 {
                    reads.insert(index);
                }
            }
            let (mut branches, mut places) = (BTreeMap::new(), BTreeMap::new());
            for (index, branch) in graph.branches.iter().enumerate() {
                let after = encoding.last_step(branch.thread, branch.position, value);
                let is_reached = after.is_none_or(|step| executed.contains(&step));
                if is_reached && value(branch.guard) == 1 {
                    branches.insert(index, value(branch.value));
                    let before = after.and_then(|step| place.get(&step)).map_or(0, |at| at + 1);
                    places.insert(index, before);
                }
            }
            (reads, branches, places)
        });
        let taken = |flow: &&Flow| reads.contains(&flow.read.0) && model.value(flow.taken);
        let flows = encoding.flows().iter().filter(taken).map(|it| (it.read, it.source)).collect();
        Trace { steps, flows, branches, places }
    }

    /// Maximal pieces that one thread executes.
    #[must_use]
    pub fn segments<'a>(&'a self, graph: &EventGraph) -> Vec<&'a [StepId]> {
        self.steps.chunk_by(|a, b| graph.step(*a).thread == graph.step(*b).thread).collect()
    }

    /// Pairs of steps of different threads that follow each other.
    #[must_use]
    pub fn switches(&self, graph: &EventGraph) -> Vec<(StepId, StepId)> {
        let pairs = self.steps.windows(2).map(|pair| (pair[0], pair[1]));
        pairs.filter(|(a, b)| graph.step(*a).thread != graph.step(*b).thread).collect()
    }

    /// How far another run is from this one, of which only the steps count that this one has.
    #[must_use]
    pub fn distance(&self, graph: &EventGraph, other: &Trace) -> Distance {
        let ours: BTreeSet<StepId> = self.steps.iter().copied().collect();
        let common: Vec<StepId> =
            other.steps.iter().copied().filter(|step| ours.contains(step)).collect();
        let place: BTreeMap<StepId, usize> =
            common.iter().enumerate().map(|(at, &step)| (step, at)).collect();
        let broken = |segment: &&[StepId]| {
            let places: Vec<usize> =
                segment.iter().filter_map(|step| place.get(step).copied()).collect();
            let (first, last) = (places.iter().min(), places.iter().max());
            first.zip(last).is_some_and(|(first, last)| last - first + 1 > places.len())
        };
        let moved = |(a, b): &(StepId, StepId)| match (place.get(a), place.get(b)) {
            (Some(a), Some(b)) => a + 1 != *b,
            _ => false,
        };
        Distance {
            flips: self.flips(other),
            flows: self.changed_reads(graph, other).len(),
            segments: self.segments(graph).into_iter().filter(|it| broken(it)).count(),
            switches: self.switches(graph).iter().filter(|it| moved(it)).count(),
            operations: self.projection(graph, other).len(),
        }
    }

    fn flips(&self, other: &Trace) -> usize {
        let flipped = |(index, value): &(&usize, &u128)| {
            other.branches.get(index).is_some_and(|it| it != *value)
        };
        self.branches.iter().filter(flipped).count()
    }

    /// Reads that both runs execute and that take their value from elsewhere in the other, although
    /// the write that this run reads is executed there, too.
    #[must_use]
    pub fn changed_flows(&self, graph: &EventGraph, other: &Trace) -> Vec<Part> {
        let executed: BTreeSet<StepId> = other.steps.iter().copied().collect();
        let is_there = |source: &Option<Part>| {
            source.is_none_or(|(write, _)| executed.contains(&graph.accesses[write].step))
        };
        let changed = |(read, source): &(&Part, &Option<Part>)| {
            other.flows.get(read).is_some_and(|it| it != *source) && is_there(source)
        };
        self.flows.iter().filter(changed).map(|(read, _)| *read).collect()
    }

    /// The reads of these: one that is cut into parts counts once.
    fn changed_reads(&self, graph: &EventGraph, other: &Trace) -> BTreeSet<usize> {
        self.changed_flows(graph, other).into_iter().map(|(access, _)| access).collect()
    }

    /// The operations of both runs that differ: those at the ends of data flows and of context
    /// switches that only one of them has, and those between which another thread gets in the other
    /// run. The last matter where only steps get in that this run did not come to, as when it
    /// deadlocks: without them nothing would differ.
    #[must_use]
    pub fn projection(&self, graph: &EventGraph, other: &Trace) -> BTreeSet<StepId> {
        let ours: BTreeSet<StepId> = self.steps.iter().copied().collect();
        let step = |part: Part| graph.accesses[part.0].step;
        let mut found = BTreeSet::new();
        for read in self.changed_flows(graph, other) {
            let sources = [self.flows.get(&read), other.flows.get(&read)];
            let writes = sources.into_iter().flatten().flatten().map(|&part| step(part));
            found.extend(writes);
            found.insert(step(read));
        }
        let (mine, theirs) = (self.switches(graph), other.switches(graph));
        let only = |a: &[(StepId, StepId)], b: &[(StepId, StepId)]| -> Vec<(StepId, StepId)> {
            a.iter().filter(|pair| !b.contains(pair)).copied().collect()
        };
        for (a, b) in only(&mine, &theirs).into_iter().chain(only(&theirs, &mine)) {
            if ours.contains(&a) && ours.contains(&b) {
                found.extend([a, b]);
            }
        }
        found.extend(self.torn(graph, other));
        found
    }

    /// Steps of one thread that follow each other in this run, and between which another thread gets
    /// in the other run.
    fn torn(&self, graph: &EventGraph, other: &Trace) -> Vec<StepId> {
        let place: BTreeMap<StepId, usize> =
            other.steps.iter().enumerate().map(|(at, &step)| (step, at)).collect();
        let thread = |step: StepId| graph.step(step).thread;
        let is_torn = |pair: &&[StepId]| {
            let ends = place.get(&pair[0]).zip(place.get(&pair[1]));
            let between = ends.and_then(|(&from, &to)| other.steps.get(from..to));
            let mut between = between.into_iter().flatten();
            thread(pair[0]) == thread(pair[1])
                && between.any(|&step| thread(step) != thread(pair[0]))
        };
        self.steps.windows(2).filter(is_torn).flatten().copied().collect()
    }
}
