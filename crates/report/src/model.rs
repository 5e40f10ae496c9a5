//! What is reported, as plain data: kinds, places, names and numbers, and no sentence.
//!
//! `unravel-findings` and the driver fill it in, the renderers only read it. Nothing here knows a
//! solver, an interpreter state or a program's inside. Sentences are made from it by `words`.

pub use unravel_kinds::ReasonKind;
use unravel_kinds::{
    Cut, Deed, InputSource, Mistake, Pattern, Properties, Property, Related, StepKind, StopReason,
    Unmodelled, ViolationKind,
};
use unravel_span::{Files, Span};

mod explanation;
mod repairs;

pub use explanation::{
    CauseShape, CorePoint, CoreRegion, DiagnosisRemark, FaultSite, GivenInput, HandOver,
    InputOutcome, LocalizationRemark, Method, Obstacle, RaceAccess,
};
pub use repairs::{CoverRow, Covers, Forbids, Refused, Repair, Repairs, VerifiedFor};

/// The result of one command.
#[derive(Clone, Debug)]
pub struct Report {
    /// The command that was run.
    pub command: Command,
    /// The answer.
    pub verdict: Verdict,
    /// Why the answer is *inconclusive*; empty otherwise.
    pub reasons: Vec<Reason>,
    /// Which limit, or who, ended the search before it was complete.
    pub stopped: Option<StopReason>,
    /// Bounds in force and what they cut.
    pub bounds: Bounds,
    /// What is not modelled, whether or not it limits the answer.
    pub unsupported: Vec<Remark<Unmodelled>>,
    /// What the symbolic engine does not know, where the states were explored instead.
    pub handed_over: Vec<Remark<Unmodelled>>,
    /// The properties that were checked.
    pub properties: Properties,
    /// Threads of the first finding's run, or all that were ever created.
    pub threads: Vec<ThreadRow>,
    /// The violations that were found.
    pub findings: Vec<Finding>,
    /// Changes of the source that remove all of them, where that was asked.
    pub repairs: Option<Repairs>,
    /// States that were visited, if the answer comes from the exploration.
    pub explored_states: Option<u64>,
    /// Numbers on what was done, in the order to show them: name and value.
    pub stats: Vec<(&'static str, u64)>,
    /// Wall time.
    pub time_ms: u64,
    /// Files that places point into, with their text where it could be read.
    pub files: Files,
}

impl Report {
    /// Whether it says *safe* of a program in which no second thread ever starts: no proof about
    /// threads.
    #[must_use]
    pub fn is_about_one_thread(&self) -> bool {
        self.verdict == Verdict::Safe && self.threads.len() == 1
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No violation in any run; nothing was cut.
    Safe,
    /// A violation was found and replayed.
    Unsafe,
    /// Neither is known.
    Inconclusive,
}

impl Verdict {
    /// The word in JSON and on the terminal.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

/// A command of Unravel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those on the command line")]
pub enum Command {
    Check,
    Run,
    Diagnose,
    Compare,
    Localize,
    Repair,
    Sequentialize,
}

impl Command {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Command::Check => "check",
            Command::Run => "run",
            Command::Diagnose => "diagnose",
            Command::Compare => "compare",
            Command::Localize => "localize",
            Command::Repair => "repair",
            Command::Sequentialize => "sequentialize",
        }
    }
}

/// A reason for *inconclusive*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What stands between this answer and a sure one.
    pub kind: ReasonKind,
    /// Where, if it has a place.
    pub place: Option<Place>,
}

/// Bounds in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// `--unwind`, if given.
    pub unwind: Option<u32>,
    /// What the program is called with, if it looks.
    pub called: Option<CommandLine>,
    /// Calls that the outside can let fail were taken to succeed.
    pub calls_succeed: bool,
    /// Loops, calls and creations that were cut.
    pub cut_loops: Vec<Remark<Cut>>,
}

/// What a program is called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// Its name, and the words behind it.
    pub words: Vec<String>,
    /// It looks at its environment, too, which is empty.
    pub has_environment: bool,
}

/// Something that belongs to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark<T> {
    /// The place, if known.
    pub place: Option<Place>,
    /// What belongs there.
    pub what: T,
}

/// Something that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelatedKind {
    /// A step or a waiting thread.
    Step(Related),
    /// There is no passing run beside the failing one, for this reason.
    NoPassingRun(Obstacle),
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The point.
    pub span: Span,
    /// The C function it stands in.
    pub function: String,
}

/// A block of the heap with its name in a run: that of the first variable that held it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectRow {
    /// Its name.
    pub name: String,
    /// The line that allocates it.
    pub line: u32,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadRow {
    /// 0 for `main`.
    pub id: u32,
    /// Its start function.
    pub name: String,
    /// The call that created it.
    pub created_at: Option<Place>,
}

/// A violation.
#[derive(Clone, Debug)]
pub struct Finding {
    /// From 1.
    pub id: u32,
    /// What goes wrong.
    pub kind: ViolationKind,
    /// Where it happens, if debug information says so.
    pub place: Option<Place>,
    /// The thread that takes the violating step (for a deadlock, one that cannot).
    pub thread: u32,
    /// Other places that belong to it.
    pub related: Vec<Remark<RelatedKind>>,
    /// Inputs of the run, in order.
    pub inputs: Vec<InputRow>,
    /// Threads of the run.
    pub threads: Vec<ThreadRow>,
    /// Blocks of the heap that the run names.
    pub objects: Vec<ObjectRow>,
    /// The run, in order.
    pub schedule: Vec<StepRow>,
    /// How often another thread steps than before.
    pub context_switches: u32,
    /// Whether no failing run has fewer.
    pub fewest_switches: bool,
    /// What the program had printed.
    pub output: String,
    /// What was done wrong, and where, as far as the runs show it.
    pub mistake: Option<Mistake<End>>,
    /// Why it fails, where that was asked.
    pub diagnosis: Option<Diagnosis>,
    /// A passing run that is close to it, where that was asked.
    pub comparison: Option<Comparison>,
    /// The values that would have to be different for it to pass, where that was asked.
    pub localization: Option<Localization>,
}

impl Finding {
    /// The property that is violated.
    #[must_use]
    pub fn property(&self) -> Property {
        self.kind.property()
    }
}

impl Finding {
    /// What was done wrong, where it was asked why the finding fails.
    #[must_use]
    pub fn explained_mistake(&self) -> Option<&Mistake<End>> {
        self.mistake.as_ref().filter(|_| self.diagnosis.is_some())
    }
}

/// Values that would let a failing run pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Localization {
    /// Sets of values none of which can be left out, best first.
    pub faults: Vec<Fault>,
    /// Not a value is at fault but an order: the orders are in the finding's diagnosis. Either no value
    /// is right in every schedule, or all are right with the threads one after the other.
    pub is_order: bool,
    /// What limits the list.
    pub remarks: Vec<LocalizationRemark>,
}

/// Values that would have to be different together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The values, in the order of the source.
    pub lines: Vec<FaultLine>,
    /// What becomes of the program with the other values.
    pub schedules: Schedules,
    /// It only says that the assertion should be another.
    pub restates_assertion: bool,
    /// The check that fails is not made any more.
    pub avoids_check: bool,
}

/// What becomes of a changed program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedules {
    /// It passes under all schedules.
    All,
    /// It passes with the order of the failing run; some other schedule fails.
    ThisOnly,
    /// It passes with the order of the failing run; whether under all is not known.
    Unknown,
}

/// A value that would have to be different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultLine {
    /// Where it stands.
    pub place: Option<Place>,
    /// What kind of value it is.
    pub site: FaultSite,
    /// The variable, or the function that is called.
    pub name: Option<String>,
    /// Which execution of the line in its thread, from 1; `None`: all of them.
    pub iteration: Option<u32>,
    /// A thread may execute the line several times.
    pub is_repeated: bool,
    /// The value in the failing run, the last if there are several.
    pub original: Option<String>,
    /// The value with which it passes.
    pub value: String,
}

/// The passing run closest to a failing one, and how they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The passing run.
    pub passing: PassingRun,
    /// Operations that differ (OP).
    pub operations: usize,
    /// Branches that go another way.
    pub branches: usize,
    /// Data flows that differ (DF).
    pub flows: usize,
    /// Segments that are interrupted (BS).
    pub segments: usize,
    /// Context switches that do not occur (CTX).
    pub switches: usize,
    /// No passing run is closer: that is proved.
    pub is_optimal: bool,
    /// How it was searched.
    pub method: Method,
    /// The data flows that differ.
    pub differences: Vec<Difference>,
}

/// A read that sees another write in the passing run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A letter: `A`.
    pub id: String,
    /// The read, in the failing run.
    pub read: End,
    /// The write that it sees in the failing run; `None` if it is the initial value.
    pub failing: Option<End>,
    /// The write that it sees in the passing run, likewise.
    pub passing: Option<End>,
    /// What it reads there.
    pub passing_value: Option<String>,
}

/// Why the runs that end in a finding fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The name of what goes wrong, of the first cause.
    pub pattern: Option<Pattern>,
    /// With these inputs it fails whatever the schedule: not a concurrency bug.
    pub sequential: bool,
    /// What else there is to say about why it fails.
    pub remarks: Vec<DiagnosisRemark>,
    /// Causes, best first.
    pub causes: Vec<Cause>,
    /// Cores. The run of the finding is that of the first core of the first cause.
    pub cores: Vec<Core>,
    /// Every failing run, up to the bounds, has all orders of one of the cores of some finding.
    pub is_complete: bool,
}

/// Whether two mistakes are of one kind at one line, so that one change mends both.
#[must_use]
pub fn is_same_mistake(one: Option<&Mistake<End>>, other: Option<&Mistake<End>>) -> bool {
    let key = |it: Option<&Mistake<End>>| {
        let mistake = it?;
        let span = mistake.at()?.place.as_ref()?.span;
        Some((mistake.code(), span.file, span.line))
    };
    key(one).is_some() && key(one) == key(other)
}

/// Cores that the same change of the program would make impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The name of what goes wrong.
    pub pattern: Pattern,
    /// What happens.
    pub shape: CauseShape,
    /// What was done wrong, and where.
    pub mistake: Option<Mistake<End>>,
    /// Its cores, as indices, the one with the fewest orders first.
    pub cores: Vec<usize>,
}

/// A minimal set of orders with which every run fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// The orders, in the order in which they happen.
    pub orders: Vec<Order>,
    /// Inputs that it needs; all others do not matter.
    pub inputs: Vec<InputRow>,
    /// Other values of these inputs do as well.
    pub other_inputs: bool,
    /// Each order is proved to be needed; not so only if the search was stopped on the way.
    pub is_minimal: bool,
}

/// One step before another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// A letter: `A`.
    pub id: String,
    /// What comes first.
    pub before: End,
    /// What comes later, or not at all.
    pub after: End,
    /// A run that passes, in which all other orders of the core hold. None if the only ones are
    /// beyond the bound.
    pub passing: Option<PassingRun>,
}

/// One end of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The thread that takes the step.
    pub thread: u32,
    /// The start function of that thread.
    pub thread_name: String,
    /// Where the step stands.
    pub place: Option<Place>,
    /// What it does there.
    pub kind: EndKind,
    /// The variable or object, in the user's words.
    pub variable: Option<String>,
    /// The value read or written in the failing run, if it happens there.
    pub value: Option<String>,
    /// The iteration of the loop around it, from 1, if there is a loop.
    pub iteration: Option<u32>,
    /// The number of the step in the finding's run, if it happens there.
    pub step: Option<u32>,
}

/// What one end of an order does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndKind {
    /// It reads the memory that the other end writes.
    Read,
    /// It writes the memory that the other end accesses.
    Write,
    /// It reads and writes that memory in one step.
    Update,
    /// It gives the memory back.
    Free,
    /// It uses an object that the other end makes or ends.
    Use,
    /// It is an operation on a synchronization object.
    Sync(Deed),
}

impl EndKind {
    /// The word for it in JSON.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            EndKind::Read => "read",
            EndKind::Write => "write",
            EndKind::Update => "update",
            EndKind::Free => "free",
            EndKind::Use => "use",
            EndKind::Sync(deed) => deed.code(),
        }
    }
}

/// A run that passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassingRun {
    /// Its threads.
    pub threads: Vec<ThreadRow>,
    /// The run, in order.
    pub schedule: Vec<StepRow>,
    /// How often another thread steps than before.
    pub context_switches: u32,
}

/// An input of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRow {
    /// The thread that asked for it.
    pub thread: u32,
    /// Where it was asked for.
    pub place: Option<Place>,
    /// Where it comes from.
    pub source: InputSource,
    /// Its value.
    pub value: String,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRow {
    /// From 1.
    pub step: u32,
    /// The thread that takes the step.
    pub thread: u32,
    /// Where the step stands.
    pub place: Option<Place>,
    /// What the thread does.
    pub kind: StepKind,
    /// The variable or object, in the user's words.
    pub variable: Option<String>,
    /// The value read or written.
    pub value: Option<String>,
}
