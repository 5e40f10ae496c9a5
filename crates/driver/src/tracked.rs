//! Cores and comparisons in terms that mean the same in every run, so that the oracle of the tests can
//! hold them against other runs.

use unravel_compare::Distance;
use unravel_diagnose::{Core, Diagnosis, Explained, Member, Reason};
use unravel_events::{Access, EventGraph, Space, StepId, ThreadId};
use unravel_explore::outcomes::{self, Tracked};
use unravel_findings::comparison::Compared;
use unravel_interp::moment::Moment;
use unravel_interp::{Decision, Property};

/// Cores, with steps by where they stand in the program.
#[derive(Clone, Debug, Default)]
pub struct TrackedCores {
    /// All cores.
    pub cores: Vec<Tracked>,
    /// For each, whether it is one with other inputs, too.
    pub other_inputs: Vec<bool>,
    /// For each, whether a thread in its failing run waits for ever: then no run passes that needs a
    /// wakeup without a signal.
    pub waits_for_ever: Vec<bool>,
    /// For each, whether a run without any one of its orders is known to pass.
    pub has_passing: Vec<bool>,
    /// Every failing run has all orders of one of them.
    pub is_complete: bool,
    /// Some run fails whatever the orders, and has no core.
    pub has_other_reasons: bool,
    /// Nothing was cut by a bound.
    pub is_unbounded: bool,
}

/// A comparison, with steps by where they stand in the program.
#[derive(Clone, Debug)]
pub struct TrackedComparison {
    /// All operations of the program up to the bounds, those of one thread in program order.
    pub operations: Vec<Operation>,
    /// The failing run, as indices of operations.
    pub failing: Vec<usize>,
    /// What determines the passing run.
    pub passing: Vec<Decision>,
    /// How far it is.
    pub distance: Distance,
    /// No passing run is closer: that is proved.
    pub is_optimal: bool,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The step.
    pub point: outcomes::Point,
    /// Its thread, as the engine numbers them.
    pub thread: u32,
    /// Its accesses to shared memory, in order: first byte, number of bytes, and whether it writes.
    /// `None` if an address depends on the run.
    pub accesses: Option<Vec<(u128, u64, bool)>>,
}

impl TrackedComparison {
    /// A comparison, with steps by where they are in the program.
    pub(crate) fn of(compared: &Compared<'_>) -> TrackedComparison {
        let Compared { graph, trace, comparison, .. } = *compared;
        let (steps, operations): (Vec<_>, Vec<_>) =
            Tracker { graph }.operations().into_iter().unzip();
        let place = |step| steps.iter().position(|it| it == step);
        TrackedComparison {
            operations,
            failing: trace.steps.iter().filter_map(place).collect(),
            passing: comparison.passing.decisions.clone(),
            distance: comparison.distance,
            is_optimal: comparison.is_optimal,
        }
    }
}

/// Makes them.
pub struct Tracker<'a> {
    /// What the steps of the program are.
    pub graph: &'a EventGraph,
}

impl Tracker<'_> {
    /// All cores of a diagnosis. `is_unbounded`: nothing was cut by a bound.
    pub fn cores(&self, diagnosis: &Diagnosis, is_unbounded: bool) -> TrackedCores {
        let runs = &diagnosis.runs;
        let with_core = || runs.iter().filter(|it| core_of(it).is_some());
        TrackedCores {
            cores: runs.iter().filter_map(core_of).map(|core| self.tracked_core(core)).collect(),
            other_inputs: runs.iter().filter_map(core_of).map(|it| it.other_inputs > 0).collect(),
            waits_for_ever: with_core().map(waits_for_ever).collect(),
            has_passing: runs.iter().filter_map(core_of).map(has_passing).collect(),
            is_complete: diagnosis.is_complete,
            has_other_reasons: runs.iter().any(|run| core_of(run).is_none()),
            is_unbounded,
        }
    }

    fn tracked_core(&self, core: &Core) -> Tracked {
        let order = |it: &Member| (self.point(it.order.before), self.point(it.order.after));
        let inputs = core.inputs.iter().map(|&(index, value)| {
            let input = &self.graph.inputs[index];
            let thread = self.thread_path(input.thread);
            (outcomes::Point { thread, moment: input.moment.clone() }, value)
        });
        Tracked { orders: core.members.iter().map(order).collect(), inputs: inputs.collect() }
    }

    /// All operations, with the step that each is.
    pub fn operations(&self) -> Vec<(StepId, Operation)> {
        let threads = (0u32..).zip(&self.graph.threads);
        let steps = threads.flat_map(|(id, thread)| thread.steps.iter().map(move |&it| (id, it)));
        let operation = |(thread, step): (u32, StepId)| {
            let data = |it: &&Access| it.step == step && it.space == Space::Data;
            let accesses = self.graph.accesses.iter().filter(data).map(|it| {
                let address = self.graph.terms.as_const(it.address.bits)?;
                Some((address, it.bytes, it.writes))
            });
            (step, Operation { point: self.point(step), thread, accesses: accesses.collect() })
        };
        steps.map(operation).collect()
    }

    fn point(&self, step: StepId) -> outcomes::Point {
        let step = self.graph.step(step);
        outcomes::Point { thread: self.thread_path(step.thread), moment: step.moment.clone() }
    }

    /// The creations that lead to a thread.
    fn thread_path(&self, thread: ThreadId) -> Vec<Moment> {
        let mut path = Vec::new();
        let mut creator = self.graph.threads[thread.0 as usize].created_by;
        while let Some(step) = creator.map(|step| self.graph.step(step)) {
            path.push(step.moment.clone());
            creator = self.graph.threads[step.thread.0 as usize].created_by;
        }
        path.reverse();
        path
    }
}

fn has_passing(core: &Core) -> bool {
    core.members.iter().all(|member| member.passing.is_some())
}

fn waits_for_ever(failing: &Explained) -> bool {
    failing.run.violation().property() == Property::Deadlock
}

/// The core of a failing run, if it has one.
pub fn core_of(failing: &Explained) -> Option<&Core> {
    match &failing.reason {
        Reason::Core(core) => Some(core),
        _ => None,
    }
}
