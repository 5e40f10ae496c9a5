//! Why a run fails, or why that is not known, as data.

use unravel_kinds::{Deed, Unmodelled};

use super::Place;

/// What happens in the runs of a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CauseShape {
    /// A region of one thread should be one step, and another thread gets in between.
    Torn {
        /// The region.
        region: CoreRegion,
        /// What lies inside it, or overlaps it.
        by: CoreRegion,
        /// Both threads have the same start function.
        same_function: bool,
        /// The variables of the orders.
        variables: Vec<String>,
    },
    /// Threads wait for each other in a circle.
    Circle {
        /// Where each of them is; places that several threads share come once.
        regions: Vec<CoreRegion>,
        /// How many threads there are.
        threads: usize,
    },
    /// A step comes too early.
    Early {
        /// The step that comes first, and should not.
        first: CorePoint,
        /// The step that should have come before it.
        second: CorePoint,
        /// How many more such pairs there are.
        more: usize,
    },
    /// Two accesses that nothing orders.
    Race {
        /// The access that came first in this run.
        first: RaceAccess,
        /// The access that came second.
        second: RaceAccess,
    },
    /// Nothing more is known than the name of the pattern.
    Unknown,
}

/// Steps of one thread, from the first to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreRegion {
    /// The start function of the thread.
    pub thread_name: String,
    /// Where the region begins.
    pub first: Option<Place>,
    /// Where it ends.
    pub last: Option<Place>,
    /// The iterations of the loop in which it begins and ends, if these differ.
    pub iterations: Option<(u32, u32)>,
}

/// A step of a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorePoint {
    /// The start function of its thread.
    pub thread_name: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// What it does to a synchronization object, if it does something.
    pub deed: Option<Deed>,
}

/// One of the two accesses of a data race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceAccess {
    /// Its thread.
    pub thread: u32,
    /// Where it stands.
    pub place: Option<Place>,
    /// The locks that the thread holds there.
    pub locks: Vec<String>,
}

/// Why something that was asked for is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The exploration was asked, and only the symbolic engine can tell.
    NeedsSymbolicEngine,
    /// The symbolic engine does not get far enough.
    HandedOver(HandOver),
    /// The search was stopped.
    Stopped,
    /// It fails only by a race, for which no other order is to blame, or the search was stopped.
    RaceOrStopped,
    /// No value is to blame for a data race.
    Race,
    /// The symbolic engine does not model all of the program.
    NotAllModelled,
    /// The loops of the failing run have too many iterations.
    ManyIterations(u32),
    /// No failing run lies within the bounds up to which values are changed.
    NoFailingRunInBounds,
    /// The run that was given does not lie within the bounds of the symbolic engine.
    GivenRunNotInBounds {
        /// The most iterations of a loop of that run.
        iterations: u32,
    },
    /// Every failing run may meet something that is not modelled.
    EveryFailingRunMeets {
        /// What that is, if it is known, with its line.
        what: Option<(Unmodelled, Option<u32>)>,
    },
    /// No run with the same inputs passes.
    NonePasses,
    /// Whatever does not fail comes to a bound, or meets something that is not modelled.
    NoPassingRunKnown,
}

/// Why the symbolic engine left an answer to the exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandOver {
    /// It does not know this.
    Unmodelled(Unmodelled),
    /// A question takes the solver long.
    HardQuestion,
    /// A loop has many iterations.
    LongLoop,
}

/// Something else to say about why a program fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagnosisRemark {
    /// Which orders make it fail is not known.
    NotKnown(Obstacle),
    /// With these inputs the schedule does not matter.
    WithInputs {
        /// The inputs; none if that is so with all inputs.
        inputs: Vec<GivenInput>,
        /// What becomes of all runs.
        outcome: InputOutcome,
    },
    /// A run with the same steps in the same order comes to a bound, or meets something that is
    /// not modelled.
    SameOrderCut,
    /// A run with the same steps in the same order passes.
    SameOrderPasses,
    /// The search for other causes ended: for long there was none.
    NothingNew,
}

/// An input that a remark names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenInput {
    /// Its value.
    pub value: String,
    /// The line that asks for it, if it is known.
    pub line: Option<u32>,
}

/// What becomes of all runs with some inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputOutcome {
    /// Every run fails.
    EveryRunFails,
    /// No run passes; some are stopped by an `assume` or a bound.
    NoRunPasses,
}

/// Something that limits the list of faulty values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocalizationRemark {
    /// Which values would let it pass is not known.
    NotKnown(Obstacle),
    /// The same order of the same steps can pass without a change.
    PassesUnchanged,
    /// There may be more sets of values.
    MoreSets,
    /// It fails in every order, so the order of the run was not kept.
    FailsInEveryOrder,
}

/// What kind of value is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultSite {
    /// What is assigned to a variable.
    Assignment,
    /// What a variable holds at first.
    InitialValue,
    /// What an atomic update combines with what is there.
    UpdateOperand,
    /// An argument of a call, from 1.
    Argument(usize),
    /// What a function returns.
    ReturnedValue,
    /// Whether a branch is taken.
    Condition,
}

/// How the closest passing run was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The closest of all.
    Exact {
        /// Data flows, segments and switches count alike; else data flows come first.
        equal_weights: bool,
        /// A bound on loops was reached, so a closer run may lie behind it.
        is_cut: bool,
    },
    /// The closest that differs near the failure only.
    Progressive {
        /// As for the exact search.
        equal_weights: bool,
    },
    /// One pair of steps swapped.
    Swap,
}
