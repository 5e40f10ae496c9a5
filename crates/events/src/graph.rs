//! The event graph: everything that can happen up to the bound, as plain data.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use unravel_kinds::{Cut, Unmodelled};

use unravel_interp::Property;
use unravel_interp::moment::Moment;
use unravel_program::library::sync::{Class, SyncOp};
use unravel_program::loops::Purpose;
use unravel_program::{BlockId, FunctionId, SiteId};
use unravel_term::{Term, Terms};

use crate::object::{ObjectId, Objects};
use crate::points_to::{Stride, Target};
use crate::relax::{Alternative, Use};
use crate::symmetry::SymmetryClass;
use crate::value::Value;

/// A thread instance: 0 is `main`, then one per executed creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub u32);

/// A step: a node of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u32);

/// A lock or a successful trylock: the begin of a critical section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LockId(pub u32);

/// A loop, or a function that calls itself: what a bound cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LoopId {
    /// A loop, by its head.
    Head(FunctionId, BlockId),
    /// Nested calls of a function.
    Recursion(FunctionId),
    /// The number of threads, or the size of the graph: no bound to raise.
    Size,
}

/// All that can happen up to a bound.
#[derive(Debug)]
pub struct EventGraph {
    /// The terms that everything else refers to.
    pub terms: Terms,
    /// Thread instances.
    pub threads: Vec<Thread>,
    /// Steps, those of one thread in program order.
    pub steps: Vec<Step>,
    /// The end of the run: after all steps of all threads, and of no thread.
    pub end: StepId,
    /// Accesses to shared memory.
    pub accesses: Vec<Access>,
    /// Fences, if races are checked.
    pub fences: Vec<Fence>,
    /// Initializations of synchronization objects.
    pub init_writes: Vec<InitWrite>,
    /// Critical sections.
    pub locks: Vec<Lock>,
    /// Attempts that found the lock taken.
    pub refusals: Vec<Refusal>,
    /// Initializations and destructions of locks.
    pub lifetimes: Vec<Lifetime>,
    /// Ranges of private objects that were written as data: a lock there begins anew.
    pub private_writes: BTreeSet<(ObjectId, u64, u64)>,
    /// Uses of locks and other synchronization objects.
    pub lock_uses: Vec<LockUse>,
    /// Waits on condition variables.
    pub cond_waits: Vec<CondWait>,
    /// Signals and broadcasts.
    pub signals: Vec<Signal>,
    /// Destructions of condition variables.
    pub cond_ends: Vec<CondEnd>,
    /// Waits that begin, each with whether others wait with another mutex.
    pub cond_clashes: Vec<CondClash>,
    /// Semaphore waits, where a thread may stand.
    pub sem_waits: Vec<SemWait>,
    /// Destructions of semaphores.
    pub sem_ends: Vec<SemEnd>,
    /// The joins of all threads.
    pub joins: Vec<Join>,
    /// Conditions under which the process ends.
    pub exits: Vec<Term>,
    /// Threads that are detached: the handle, and the step.
    pub detached: Vec<(Term, StepId)>,
    /// The objects of the program.
    pub objects: Objects,
    /// Places where something goes wrong or no further.
    pub findings: Vec<Finding>,
    /// What an access to memory that is not known yet was taken to satisfy.
    pub checks: Vec<Check>,
    /// Choices, by place.
    pub inputs: Vec<Input>,
    /// Branches whose way depends on the run.
    pub branches: Vec<Branch>,
    /// What is executed without being a step, in that order; repetitions in a row are left out.
    pub visits: Vec<Visit>,
    /// Variables for bytes that were copied from where nothing was ever written.
    pub undefined_copies: Vec<Term>,
    /// Terms that hold in every run.
    pub constraints: Vec<Term>,
    /// Atomic sections that may not be completed: step, and the condition under which they are.
    pub completions: BTreeMap<StepId, Term>,
    /// Threads that nothing tells apart.
    pub symmetry: Vec<SymmetryClass>,
    /// Other values that marked copies may have.
    pub alternatives: Vec<Alternative>,
    /// Executions of marked copies.
    pub relaxed_uses: Vec<Use>,
}

/// A thread instance.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its start function.
    pub start: FunctionId,
    /// What it is given.
    pub argument: Value,
    /// The step that creates it; `None` for `main`.
    pub created_by: Option<StepId>,
    /// Whether it exists.
    pub guard: Term,
    /// Its steps, in program order; the last is its end.
    pub steps: Vec<StepId>,
    /// Whether it ends, so that a join goes on.
    pub ended: Term,
    /// What it returns.
    pub result: Value,
    /// Straight pieces of code in the order they are executed, to count instructions.
    pub segments: Vec<Segment>,
    /// Where it may wait.
    pub waits: Vec<Wait>,
    /// Whether it stands somewhere for good in a way that is no deadlock: a failed assume, an atomic
    /// section that cannot be completed.
    pub stuck: Vec<Term>,
    /// Whether it stands at a bound, or at something that is not modelled: it could go on.
    pub cut: Vec<Term>,
    /// Whether it stops although it could go on, which is no harm where only the past of a step
    /// matters.
    pub idle: Vec<Term>,
    /// Whether it turns a loop and changes nothing, for ever or until others do.
    pub spins: Vec<Spin>,
    /// It is created so that nobody can join it.
    pub detached: bool,
    /// It asks who it is, or it is not known what it runs.
    pub has_identity: bool,
    /// Variables for memory of its own that was never written.
    pub unwritten: Vec<Term>,
}

/// A turn of a loop that changed nothing, after which the thread stands.
#[derive(Clone, Debug)]
pub struct Spin {
    /// The loop.
    pub id: LoopId,
    /// Whether the thread stands there.
    pub guard: Term,
    /// What it read in that turn: indices of accesses.
    pub reads: Vec<usize>,
    /// Locks that it was refused in that turn, by index.
    pub refusals: Vec<usize>,
    /// Waits that ended in that turn, without a signal, by index.
    pub cond_waits: Vec<usize>,
    /// Values that it took from outside in that turn, by index.
    pub inputs: Vec<usize>,
    /// Addresses of locks that it gave back for a while in that turn, if it did.
    pub given_back: Vec<(Value, Term)>,
    /// What the loop is for.
    pub purpose: Purpose,
}

/// A piece of code without calls: executed as a whole, or up to where its thread stops.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Whether it is executed.
    pub guard: Term,
    /// Number of instructions.
    pub length: u32,
}

/// Local code that a thread comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Place in user code.
    pub site: SiteId,
    /// Whether it does.
    pub guard: Term,
}

/// A place in the execution of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Index of the segment.
    pub segment: u32,
    /// Instructions executed before it in the segment.
    pub index: u32,
    /// Bytes copied before it, for `memcpy` and its kind.
    pub progress: u32,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The thread that takes this step.
    pub thread: ThreadId,
    /// Whether the thread comes to it.
    pub guard: Term,
    /// Whether it gets past it: not if it waits there for ever, or fails.
    pub passed: Term,
    /// Where in the thread's execution.
    pub position: Position,
    /// Place in user code.
    pub site: SiteId,
    /// Which execution of its instruction it is.
    pub moment: Moment,
    /// The operation on a synchronization object that it is, if it is one.
    pub sync: Option<SyncOp>,
    /// Every way through the rest of the thread passes here.
    pub sole: bool,
    /// It is made by a function that wraps it, as `spin_lock` does a test-and-set.
    pub wrapped: bool,
    /// Events in it so far; their positions are their order.
    pub events: u32,
}

/// What kind of memory an access goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The bytes of an object.
    Data,
    /// Whether an object exists: one bit per object, addressed by provenance.
    Life,
    /// The state of the synchronization object at an address, as one value of any width; all
    /// zero before it is initialized.
    Sync,
}

/// A read or a write of shared memory.
#[derive(Clone, Debug)]
pub struct Access {
    /// Its step.
    pub step: StepId,
    /// Its place among the events of the step.
    pub position: u32,
    /// Place in user code.
    pub site: SiteId,
    /// Whether it is executed.
    pub guard: Term,
    /// Which memory.
    pub space: Space,
    /// A write; else a read.
    pub writes: bool,
    /// The address.
    pub address: Value,
    /// Number of bytes.
    pub bytes: u64,
    /// What is written, or the variable that stands for what is read.
    pub value: Value,
    /// Where it may go.
    pub may: Rc<MayAccess>,
    /// How it takes part in synchronization.
    pub mode: Mode,
}

/// How an access takes part in synchronization: what races with it, and what it orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// It races with nothing that is atomic, too.
    pub atomic: bool,
    /// Who reads this learns what the thread did before.
    pub releases: bool,
    /// The thread learns what the writer of this did before.
    pub acquires: bool,
    /// It races with nothing, and is nothing that the program does: the end of a local variable,
    /// what `realloc` copies.
    pub silent: bool,
}

/// A fence.
#[derive(Clone, Copy, Debug)]
pub struct Fence {
    /// Its step.
    pub step: StepId,
    /// Whether it is executed.
    pub guard: Term,
    /// Reads before it acquire.
    pub acquires: bool,
    /// Writes after it release.
    pub releases: bool,
}

/// An initialization of a synchronization object, which races like a write.
#[derive(Clone, Debug)]
pub struct InitWrite {
    /// Its step.
    pub step: StepId,
    /// Whether it is executed.
    pub guard: Term,
    /// The object.
    pub address: Value,
    /// Number of bytes.
    pub bytes: u64,
    /// Where it may lie.
    pub may: Rc<MayAccess>,
}

/// Objects that an address may lie in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MayAccess {
    /// Known instances.
    pub objects: Vec<ObjectId>,
    /// All shared instances made there, since the pointer was read from shared memory, with the
    /// offsets that it may have.
    pub anywhere_in: Vec<(Target, Stride)>,
}

/// A critical section: where it begins and where it may end.
#[derive(Clone, Debug)]
pub struct Lock {
    /// The step that takes the lock.
    pub step: StepId,
    /// Whether it is taken.
    pub guard: Term,
    /// The lock.
    pub address: Value,
    /// The unlocks that may end the section, each with its condition.
    pub unlocks: Vec<(StepId, Term)>,
    /// Other sections that share may overlap with it: it was taken for reading.
    pub shared: bool,
}

/// A trylock or timed lock that fails: it lies inside another's section.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Its step.
    pub step: StepId,
    /// Whether it is executed and fails because another thread holds the lock.
    pub guard: Term,
    /// The lock.
    pub address: Value,
    /// It was wanted for reading, so only a writer stands in the way.
    pub shared: bool,
}

/// An initialization or destruction of a lock.
#[derive(Clone, Debug)]
pub struct Lifetime {
    /// Its step.
    pub step: StepId,
    /// Whether it is executed.
    pub guard: Term,
    /// The lock.
    pub address: Value,
    /// Whether it is executed and succeeds.
    pub done: Term,
    /// Destroys; else initializes.
    pub ends: bool,
    /// The variable that says that another thread holds the lock at that moment.
    pub in_use: Term,
}

/// A use of a lock, which must exist at that moment.
#[derive(Clone, Debug)]
pub struct LockUse {
    /// Its step.
    pub step: StepId,
    /// Whether it is executed or waits.
    pub guard: Term,
    /// The lock.
    pub address: Value,
    /// Where it may lie.
    pub may: Rc<MayAccess>,
    /// Zeroed memory is a valid lock.
    pub static_initializer: bool,
    /// Its memory was written by then, in the thread's own memory.
    pub written: bool,
    /// Its state tells whether it exists ([`Space::Sync`]).
    pub has_state: bool,
    /// What it is.
    pub class: Class,
}

/// A wait on a condition variable: three steps, the second only if it times out.
#[derive(Clone, Debug)]
pub struct CondWait {
    /// The condition variable.
    pub address: Value,
    /// The mutex.
    pub mutex: Value,
    /// The step that releases the mutex and begins to wait.
    pub begin: StepId,
    /// Whether that is executed.
    pub begun: Term,
    /// The step in which a timed wait gives up, and whether it does.
    pub timeout: Option<(StepId, Term)>,
    /// The step that takes the mutex again.
    pub wake: StepId,
    /// Whether that is executed.
    pub woken: Term,
    /// The variable that says that a signal or broadcast ended the wait; if not, it may have ended
    /// without one.
    pub signaled: Term,
}

/// A signal or broadcast.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Its step.
    pub step: StepId,
    /// Whether it is executed.
    pub guard: Term,
    /// The condition variable.
    pub address: Value,
    /// It wakes all who wait.
    pub all: bool,
    /// For a signal: the waits that it may end, by index, each with the variable that says so.
    pub picks: Vec<(usize, Term)>,
}

/// A destruction of a condition variable, which waits until all who were woken are gone.
#[derive(Clone, Debug)]
pub struct CondEnd {
    /// Its step.
    pub step: StepId,
    /// Whether a thread comes to it.
    pub guard: Term,
    /// Whether it gets past it.
    pub done: Term,
    /// The condition variable.
    pub address: Value,
    /// The variable that says that somebody waits there who was not woken.
    pub in_use: Term,
}

/// A wait at a condition variable that begins.
#[derive(Clone, Debug)]
pub struct CondClash {
    /// Its step.
    pub step: StepId,
    /// Whether a thread comes to it.
    pub guard: Term,
    /// The condition variable.
    pub address: Value,
    /// The mutex.
    pub mutex: Value,
    /// The variable that says that somebody waits there with another mutex.
    pub clash: Term,
}

/// A wait at a semaphore.
#[derive(Clone, Debug)]
pub struct SemWait {
    /// Its step.
    pub step: StepId,
    /// Whether a thread comes to it.
    pub guard: Term,
    /// Whether it gets past it.
    pub done: Term,
    /// The semaphore.
    pub address: Value,
}

/// A destruction of a semaphore, or another initialization.
#[derive(Clone, Debug)]
pub struct SemEnd {
    /// Its step.
    pub step: StepId,
    /// Whether it is executed.
    pub guard: Term,
    /// The semaphore.
    pub address: Value,
    /// The variable that says that another thread stands before a wait on it.
    pub in_use: Term,
}

/// A join.
#[derive(Clone, Debug)]
pub struct Join {
    /// Its step.
    pub step: StepId,
    /// Whether it is executed.
    pub guard: Term,
    /// The handle.
    pub handle: Term,
    /// The variable for the joined thread's result.
    pub result: Value,
}

/// A place where a thread may wait for ever.
#[derive(Clone, Debug)]
pub struct Wait {
    /// Whether it stands there in the end.
    pub guard: Term,
    /// For what.
    pub on: WaitOn,
    /// Where it stands in the execution of the thread.
    pub position: Position,
    /// Place in user code.
    pub site: SiteId,
}

/// What a thread waits for.
#[derive(Clone, Debug)]
pub enum WaitOn {
    /// A lock that another holds; for reading, one that another holds for writing.
    Lock {
        /// The lock.
        address: Value,
        /// It is wanted for reading.
        shared: bool,
    },
    /// A lock that it holds itself.
    Itself,
    /// A synchronization object in a state, at the end of the run, that lets nobody on.
    State {
        /// Whether the object is in such a state.
        blocked: Term,
    },
    /// A signal, or the mutex of the wait with this index.
    Wakeup(usize),
    /// Those who were woken and have not left the condition variable, which is to be destroyed.
    Leaving(Value),
    /// The end of the thread with this handle.
    Thread(Term),
}

/// Something that is reached.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was found.
    pub kind: FindingKind,
    /// Whether it is reached.
    pub guard: Term,
    /// In which thread.
    pub thread: ThreadId,
    /// Where in the thread's execution.
    pub position: Position,
    /// Place in user code.
    pub site: SiteId,
}

/// Kinds of finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// A violation of a checked property.
    Violation(Property),
    /// A bound, after so many iterations: the thread could go on.
    Bound(LoopId, u32, Cut),
    /// Something that is not modelled here.
    Unsupported(Unmodelled),
    /// A library function that only the exploration knows yet.
    Primitive(&'static str),
}

/// A condition that is defined once all objects are known: the access lies in one of them.
#[derive(Clone, Debug)]
pub struct Check {
    /// The variable that stands for it.
    pub ok: Term,
    /// Where it matters.
    pub guard: Term,
    /// The address.
    pub address: Value,
    /// Number of bytes.
    pub bytes: u64,
    /// Constant objects are no good.
    pub writes: bool,
    /// Must be the start of a heap block (`free`).
    pub whole_block: bool,
    /// Whether the object exists at that moment, where it may not.
    pub life: Option<Term>,
    /// The objects it may lie in.
    pub may: Rc<MayAccess>,
}

/// A choice: what the interpreter will ask for at that place.
#[derive(Clone, Debug)]
pub struct Input {
    /// In which thread.
    pub thread: ThreadId,
    /// Where in its execution.
    pub position: Position,
    /// Place in user code.
    pub site: SiteId,
    /// Which execution of its instruction it is.
    pub moment: Moment,
    /// Whether it is reached.
    pub guard: Term,
    /// The answer.
    pub value: Term,
    /// What is asked for.
    pub kind: InputKind,
}

/// A branch: which way it goes depends on a value.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// In which thread.
    pub thread: ThreadId,
    /// Where in its execution.
    pub position: Position,
    /// Place in user code.
    pub site: SiteId,
    /// Whether it is reached.
    pub guard: Term,
    /// What it depends on.
    pub value: Term,
}

/// Kinds of choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A value from outside.
    Value,
    /// One of several ways.
    Pick,
    /// How a timed wait ends, which is a matter of the schedule.
    Wakeup,
    /// What memory holds, in case it was never written.
    Memory,
}

impl InputKind {
    /// Whether it is a choice between ways, not a value.
    #[must_use]
    pub fn is_pick(self) -> bool {
        matches!(self, InputKind::Pick | InputKind::Wakeup)
    }
}

impl MayAccess {
    /// Offsets into objects made there, where the instance is not known.
    #[must_use]
    pub fn stride(&self, target: Target) -> Option<Stride> {
        let found = self.anywhere_in.iter().find(|(it, _)| *it == target);
        found.map(|(_, stride)| *stride)
    }
}

impl EventGraph {
    /// A step.
    #[must_use]
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }

    /// The shared objects that an access may go to.
    #[must_use]
    pub fn candidates(&self, may: &MayAccess) -> Vec<ObjectId> {
        let mut found = may.objects.clone();
        if !may.anywhere_in.is_empty() {
            let all = self.objects.iter();
            found.extend(
                all.filter(|(_, it)| (it.shared || it.constant) && may.stride(it.target).is_some())
                    .map(|(id, _)| id),
            );
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
