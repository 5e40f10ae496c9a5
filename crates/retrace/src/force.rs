//! A run of the interpreter as a schedule for the binary: what `check` computes can be forced there.
//!
//! The run is written down as the records that the binary would make of it, as far as a schedule needs
//! them: the events before which a thread is asked whether it may go on. Then it becomes a schedule in the
//! same way as a recorded run.

use std::collections::BTreeMap;

use unravel_interp::choice::{Choice, ChoiceKind, Chooser, InputSource, Pick, Script};
use unravel_interp::event::{Event, EventKind, Recorder};
use unravel_interp::run::Divergence;
use unravel_interp::state::Pending;
use unravel_interp::{Decision, Machine, Notes, Readiness, State, StepEnd, ThreadId, Violation};
use unravel_program::library::sync::{Deed, SyncOp, codes};
use unravel_program::library::{Action, Thread, Verifier};
use unravel_program::{Op, Program};
use unravel_trace::repeat::{EXPIRED, Repeat, is_point, schedule};
use unravel_wire::record::{END, EXIT};
use unravel_wire::{Kind, Record};

use crate::retrace::waiting;
use crate::watch::site_of;

/// A schedule for the binary, and what the interpreter says that it ends in.
#[derive(Clone, Debug)]
pub struct Forced {
    /// The schedule.
    pub repeat: Repeat,
    /// `None` if the run passes.
    pub violation: Option<Violation>,
}

/// Carries out a run on the interpreter and writes it down for the binary.
///
/// # Errors
/// The decision that does not fit: the binary was built from another source.
pub fn force(machine: &Machine<'_>, decisions: &[Decision]) -> Result<Forced, Divergence> {
    let mut state = machine.initial();
    let mut writer = Writer::new(machine.program);
    let mut notes = Notes::new();
    let mut violation = machine.deadlock(&state);
    for (at, decision) in decisions.iter().enumerate() {
        let thread = decision.thread;
        check_ready(machine, &state, thread, at)?;
        writer.begin(machine, &state, decision);
        let mut answers = Answers::new(&state, decision);
        violation = match machine.step(&mut state, thread, &mut answers, &mut writer, &mut notes) {
            StepEnd::Done(soft) => soft.into_iter().next(),
            StepEnd::Violated(violation) => Some(violation),
            StepEnd::Open(choice) => {
                let why = format!("it has no decision for {:?}", choice.kind);
                return Err(Divergence { at, why });
            }
        };
        writer.records.extend(answers.records());
        violation = violation.or_else(|| machine.deadlock(&state));
    }
    let records = writer.finish(&state);
    Ok(Forced { repeat: schedule(&records), violation })
}

fn check_ready(
    machine: &Machine<'_>,
    state: &State,
    thread: ThreadId,
    at: usize,
) -> Result<(), Divergence> {
    let exists = (thread.0 as usize) < state.threads.len();
    let ready = |it| matches!(it, Readiness::Ready | Readiness::Spurious);
    if exists && ready(machine.readiness(state, thread)) {
        return Ok(());
    }
    Err(Divergence { at, why: format!("thread T{} cannot step", thread.0) })
}

/// Writes down what the binary would record.
struct Writer<'p> {
    program: &'p Program,
    records: Vec<Record>,
    /// What threads do before their first turn.
    early: BTreeMap<ThreadId, Vec<Record>>,
    /// Where each thread begins to be somebody else's turn: an index into `records`.
    switches: Vec<usize>,
    last: Option<ThreadId>,
    /// The user's instruction that the thread executes.
    site: u64,
    /// The step ends a wait without a signal.
    expired: bool,
    /// Threads whose call of `pthread_create` has still to store the handle, which is a step of its own.
    creating: BTreeMap<ThreadId, u64>,
    /// Who has begun to end the process.
    exited: Option<ThreadId>,
}

impl<'p> Writer<'p> {
    fn new(program: &'p Program) -> Writer<'p> {
        Writer {
            program,
            records: vec![Record::new(Kind::Start, 0, 0)],
            early: BTreeMap::new(),
            switches: Vec::new(),
            last: None,
            site: 0,
            expired: false,
            creating: BTreeMap::new(),
            exited: None,
        }
    }

    fn begin(&mut self, machine: &Machine<'_>, state: &State, decision: &Decision) {
        let thread = decision.thread;
        if self.last.is_some_and(|it| it != thread) {
            self.switches.push(self.records.len());
        }
        let is_new = !self.records.iter().any(|it| u32::from(it.thread()) == thread.0);
        if is_new {
            self.records.push(Record::new(Kind::Start, thread.0 as u16, 0));
            self.records.extend(self.early.remove(&thread).into_iter().flatten());
        }
        self.last = Some(thread);
        self.expired = ends_wait(machine, state, decision);
    }

    fn push(&mut self, kind: Kind, thread: ThreadId, site: u64) {
        self.put(Record::new(kind, thread.0 as u16, site));
    }

    /// A new thread's first instructions, up to the first that others can notice, belong to the step that
    /// creates it. In the binary it does them when it is its turn.
    fn put(&mut self, record: Record) {
        let thread = ThreadId(record.thread().into());
        if self.last == Some(thread) {
            self.records.push(record);
        } else {
            self.early.entry(thread).or_default().push(record);
        }
    }

    /// Says at each switch where the thread stands that gives way.
    fn finish(mut self, state: &State) -> Vec<Record> {
        let mut out: Vec<Record> = Vec::new();
        let switches = std::mem::take(&mut self.switches);
        let mut rest = switches.iter().copied().peekable();
        for at in 0..=self.records.len() {
            while rest.next_if_eq(&at).is_some() {
                let before = self.records[..at].last().map_or(0, |it| it.thread());
                let next =
                    self.records[at..].iter().find(|it| it.thread() == before && is_point(it));
                let site = next.map(|it| it.site).or_else(|| self.stands(state, before.into()));
                out.extend(site.map(|site| Record::new(Kind::Stands, before, site)));
            }
            out.extend(self.records.get(at));
        }
        out
    }

    /// Where a thread stands in the end, if it stands before an event.
    fn stands(&self, state: &State, thread: u32) -> Option<u64> {
        let thread = ThreadId(thread);
        if self.exited == Some(thread) {
            return Some(EXIT);
        }
        if let Some(&site) = self.creating.get(&thread) {
            return Some(site);
        }
        let is_waiting = !matches!(state.thread(thread).pending, Pending::Ready);
        let op = instruction(self.program, state, thread);
        let is_before = is_waiting
            || returns(self.program, state, thread)
            || op.is_some_and(|op| plain(op).is_some());
        site_of(self.program, state, thread).filter(|_| is_before)
    }
}

/// Whether the step ends a wait of the thread without a signal, or because its time is over.
fn ends_wait(machine: &Machine<'_>, state: &State, decision: &Decision) -> bool {
    let Pending::Sync(request) = &state.thread(decision.thread).pending else { return false };
    let is_open = request.op == SyncOp::CondTimedWake && !decision.choices.is_empty();
    is_open || machine.readiness(state, decision.thread) == Readiness::Spurious
}

/// The instruction that a thread is about to execute, if it is the user's.
fn instruction<'p>(program: &'p Program, state: &State, thread: ThreadId) -> Option<&'p Op> {
    let frame = state.thread(thread).frames.last()?;
    let function = program.function(frame.function);
    if function.library {
        return None;
    }
    function.block(frame.block).instructions.get(frame.index).map(|it| &it.op)
}

/// Whether a thread stands at the end of a block of the user's.
fn returns(program: &Program, state: &State, thread: ThreadId) -> bool {
    let Some(frame) = state.thread(thread).frames.last() else { return false };
    let function = program.function(frame.function);
    !function.library && frame.index >= function.block(frame.block).instructions.len()
}

/// What an instruction is recorded as that is one event of the binary, whatever happens in it.
fn plain(op: &Op) -> Option<Kind> {
    Some(match op {
        Op::Load { .. } | Op::MemoryCopy { .. } => Kind::Read,
        Op::Store { .. } | Op::MemorySet { .. } => Kind::Write,
        Op::ReadModifyWrite { .. } | Op::CompareExchange { .. } => Kind::Update,
        Op::Library { primitive, .. } => match primitive.action() {
            Action::Verifier(Verifier::AtomicBegin) => Kind::Atomic,
            Action::Thread(Thread::Detach, _) => Kind::Outside,
            _ => return None,
        },
        _ => return None,
    })
}

/// Calls that let others go first; whether they wait.
fn yields(program: &Program, op: &Op) -> Option<u64> {
    let Op::Call { callee, .. } = op else { return None };
    match program.function(*callee).name.as_str() {
        "sched_yield" | "pthread_yield" | "thrd_yield" => Some(0),
        "sleep" | "usleep" | "nanosleep" | "clock_nanosleep" | "thrd_sleep" => Some(1),
        _ => None,
    }
}

impl Recorder for Writer<'_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        if let Some(site) = self.creating.remove(&thread) {
            self.push(Kind::Write, thread, site);
        }
        self.site = site_of(self.program, state, thread).unwrap_or(0);
        if returns(self.program, state, thread) && self.site != 0 {
            self.push(Kind::Leave, thread, self.site);
        }
        let Some(op) = instruction(self.program, state, thread) else { return };
        if self.site == 0 {
            return;
        }
        if let Some(kind) = plain(op) {
            self.push(kind, thread, self.site);
        } else if let Some(waits) = yields(self.program, op) {
            let record = Record::new(Kind::Yield, thread.0 as u16, self.site);
            self.put(record.with(waits, 0));
        }
    }

    fn record(&mut self, _state: &State, event: Event) {
        let (thread, site) = (event.thread, self.site);
        match event.kind {
            EventKind::Sync(op, code) => {
                let expired =
                    self.expired || code == Some(codes::ETIMEDOUT) && op.deed() != Deed::Wake;
                let mark = if expired { EXPIRED } else { 0 };
                let record = Record::new(Kind::Sync, thread.0 as u16, site);
                self.put(record.numbered(op as u32 | mark));
                self.expired = false;
            }
            EventKind::Create(_) => {
                self.push(Kind::Create, thread, site);
                self.creating.insert(thread, site);
            }
            EventKind::Join(_) => self.push(Kind::Join, thread, site),
            EventKind::Free => self.push(Kind::Free, thread, site),
            EventKind::Exit(_) => self.exited = Some(thread),
            EventKind::End => self.push(Kind::End, thread, END),
            _ => {}
        }
    }
}

/// Gives the decisions, and takes note of those that the binary has to take, too.
struct Answers {
    script: Script,
    thread: ThreadId,
    /// Who waits where the thread signals.
    waiting: Vec<ThreadId>,
    woken: Option<ThreadId>,
    inputs: Vec<u64>,
}

impl Answers {
    fn new(state: &State, decision: &Decision) -> Answers {
        let thread = decision.thread;
        let signals = match &state.thread(thread).pending {
            Pending::Sync(request) => request.op.deed() == Deed::Signal,
            _ => false,
        };
        let waiting = if signals { waiting(state, thread) } else { Vec::new() };
        let woken = waiting.first().copied();
        let script = Script::new(decision.choices.clone());
        Answers { script, thread, waiting, woken, inputs: Vec::new() }
    }

    fn records(&self) -> Vec<Record> {
        let record = |kind| Record::new(kind, self.thread.0 as u16, 0);
        let woken = self.woken.map(|it| record(Kind::Woken).with(0, it.0.into()));
        let inputs = self.inputs.iter().map(|&it| record(Kind::Nondet).with(it, 0));
        woken.into_iter().chain(inputs).collect()
    }
}

impl Chooser for Answers {
    fn choose(&mut self, choice: &Choice) -> Option<u128> {
        let answer = self.script.choose(choice)?;
        match &choice.kind {
            ChoiceKind::Pick { what: Pick::Waiter, .. } => {
                self.woken =
                    usize::try_from(answer).ok().and_then(|at| self.waiting.get(at)).copied();
            }
            ChoiceKind::Input { source: InputSource::Call(name), .. }
                if name.starts_with("__VERIFIER_nondet") =>
            {
                self.inputs.push(answer as u64);
            }
            _ => {}
        }
        Some(answer)
    }
}
