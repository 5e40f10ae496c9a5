//! What each thread of a run executes, instruction by instruction, with the segment of the schedule
//! that it belongs to.

use unravel_interp::choice::Script;
use unravel_interp::layout;
use unravel_interp::run::{Divergence, hang_at};
use unravel_interp::schedule::Decision;
use unravel_interp::state::Status;
use unravel_interp::value::Value;
use unravel_interp::{Machine, Notes, Property, State, StepEnd, ThreadId, Violation};
use unravel_program::Program;
use unravel_span::Span;

pub use crate::entry::{Access, Entry, Fate, What};
use crate::entry::{entry, settle, span};
use crate::tracer::{Question, Tracer};

/// A run of one thread without others in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The thread.
    pub thread: ThreadId,
    /// The first decision.
    pub first: usize,
}

/// A comparison of where two objects lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Who asked.
    pub thread: ThreadId,
    /// The place in the source.
    pub span: Option<Span>,
    /// What it gave.
    pub holds: bool,
}

impl Comparison {
    fn of(question: Question, state: &State) -> Option<Comparison> {
        let Question { thread, span, op, objects: (first, second) } = question;
        let below = state.layout.is_below(first, second)?;
        Some(Comparison { thread, span, holds: layout::answer(op, below) })
    }
}

/// All threads of a run.
#[derive(Debug)]
pub struct Trace {
    /// For each thread, what it executes.
    pub threads: Vec<Vec<Entry>>,
    /// The segments, in order.
    pub segments: Vec<Segment>,
    /// What the run ends in.
    pub violation: Option<Violation>,
    /// The state in the end.
    pub state: State,
    /// The address that the failing instruction accesses or frees.
    pub address: Option<Value>,
    /// Comparisons of where objects lie, those of each thread in order, with what they gave.
    pub comparisons: Vec<Comparison>,
}

impl Trace {
    /// Carries out the decisions and takes note of everything.
    ///
    /// # Errors
    /// The decision that does not fit.
    pub fn record(machine: &Machine<'_>, decisions: &[Decision]) -> Result<Trace, Divergence> {
        let mut state = machine.initial();
        let mut recorder = Tracer {
            program: machine.program,
            decision: 0,
            by: ThreadId(0),
            threads: Vec::new(),
            address: None,
            questions: Vec::new(),
        };
        let mut notes = Notes::new();
        let mut violation = None;
        for (at, decision) in decisions.iter().enumerate() {
            (recorder.decision, recorder.by) = (at, decision.thread);
            let mut script = Script::new(decision.choices.clone());
            let end =
                machine.step(&mut state, decision.thread, &mut script, &mut recorder, &mut notes);
            violation = match end {
                StepEnd::Done(soft) => soft.into_iter().next(),
                StepEnd::Violated(violation) => Some(violation),
                StepEnd::Open(choice) => {
                    let why = format!("it has no decision for {:?}", choice.kind);
                    return Err(Divergence { at, why });
                }
            };
            violation = violation.or_else(|| machine.deadlock(&state));
        }
        let violation = violation.or_else(|| hang_at(machine, &state));
        let address = recorder.address;
        let last = decisions.len().saturating_sub(1);
        let mut threads = recorder.threads;
        finish(machine.program, &state, &mut threads, violation.as_ref());
        if let Some(violation) = violation.as_ref().filter(|it| it.property() == Property::Ub) {
            mark_arithmetic(machine.program, &mut threads, violation, last);
        }
        let segments = segments(decisions);
        let asked = recorder.questions.into_iter();
        let comparisons = asked.filter_map(|it| Comparison::of(it, &state)).collect();
        Ok(Trace { threads, segments, violation, state, address, comparisons })
    }

    /// Whether an atomic operation changes a pointer.
    #[must_use]
    pub fn updates_pointer(&self) -> bool {
        let is_pointer = |it: &Entry| it.written.is_some_and(|it| it.provenance.is_some());
        self.threads.iter().flatten().any(|it| it.what == What::Update && is_pointer(it))
    }

    /// The segment that a decision belongs to.
    #[must_use]
    pub fn segment(&self, decision: usize) -> usize {
        self.segments.partition_point(|segment| segment.first <= decision).saturating_sub(1)
    }
}

fn segments(decisions: &[Decision]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for (first, decision) in decisions.iter().enumerate() {
        if segments.last().is_none_or(|last| last.thread != decision.thread) {
            segments.push(Segment { thread: decision.thread, first });
        }
    }
    segments
}

/// Marks what the run ends before, or in.
fn finish(
    program: &Program,
    state: &State,
    threads: &mut Vec<Vec<Entry>>,
    violation: Option<&Violation>,
) {
    threads.resize_with(state.threads.len(), Vec::new);
    for id in state.thread_ids() {
        let (thread, entries) = (state.thread(id), &mut threads[id.0 as usize]);
        let stopped = entries.last().is_some_and(|it| it.fate == Fate::Failing);
        let fails = |it: &Violation| it.thread == id && it.property() != Property::Deadlock;
        let running = thread.status == Status::Running;
        let hard = stopped && running && violation.is_some_and(fails);
        if thread.status == Status::Running && !hard {
            if let Some(last) = entries.last_mut() {
                last.fate = Fate::Done;
            }
            let Some(top) = thread.frames.last() else { continue };
            settle(entries, top, thread.frames.len());
            entries.push(entry(program, &thread.frames, usize::MAX, false, Fate::Pending));
        } else if !hard && let Some(last) = entries.last_mut() {
            last.fate = if matches!(last.what, What::Library(_)) && thread.status != Status::Ended {
                Fate::Pending
            } else {
                Fate::Done
            };
        }
    }
}

/// A run goes on after arithmetic without a meaning, up to the end of the step; what is written ends
/// with it.
fn mark_arithmetic(
    program: &Program,
    threads: &mut [Vec<Entry>],
    violation: &Violation,
    last: usize,
) {
    let Some(entries) = threads.get_mut(violation.thread.0 as usize) else { return };
    let place = span(program, violation.site);
    let is_it = |it: &Entry| it.decision == last && it.span == place && it.what == What::Other;
    if entries.iter().all(|it| it.fate != Fate::Failing)
        && let Some(at) = entries.iter().position(is_it)
    {
        entries.truncate(at + 1);
        entries[at].fate = Fate::Failing;
    }
}
