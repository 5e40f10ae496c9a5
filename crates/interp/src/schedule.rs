//! A run as data: who stepped when, with which decisions, and what each step did.

use std::collections::BTreeMap;

pub use unravel_kinds::StepKind;
use unravel_kinds::Variable;
use unravel_program::{Program, SiteId};

use crate::choice::{Choice, ChoiceKind, InputSource};
use crate::describe;
use crate::event::{Event, EventKind, Printed, Recorder};
use crate::memory::{ObjectId, Origin};
use crate::property::Violation;
use crate::state::{State, ThreadId};

/// Who steps, and what is decided on the way. A list of these determines a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The thread.
    pub thread: ThreadId,
    /// Answers to the choices of its step, in order.
    pub choices: Vec<u128>,
}

/// A run as the decisions that determine it, and what it ends in: a `Run<Violation>` fails, a
/// `Run<Passed>` passes.
///
/// This is what engines hand on. Carried out by [`crate::run::replay`] it becomes a [`Schedule`],
/// which says what happens in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<E> {
    /// Who steps when, with what is decided on the way.
    pub decisions: Vec<Decision>,
    /// What it ends in.
    pub end: E,
}

impl<E> Run<E> {
    /// How often another thread steps than before.
    #[must_use]
    pub fn context_switches(&self) -> u32 {
        switches(&self.decisions)
    }
}

impl Run<Violation> {
    /// What is violated in the end.
    #[must_use]
    pub fn violation(&self) -> &Violation {
        &self.end
    }

    /// Whether another run ends in a violation of the same property and kind at the same place.
    #[must_use]
    pub fn fails_like(&self, other: &Run<Violation>) -> bool {
        self.end.is_same(&other.end)
    }
}

/// Every thread went as far as it can, and nothing was violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed;

fn switches(decisions: &[Decision]) -> u32 {
    let switches = decisions.windows(2).filter(|pair| pair[0].thread != pair[1].thread);
    u32::try_from(switches.count()).unwrap_or(u32::MAX)
}

/// A run that was carried out: what happened in it, step by step.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// What determines it.
    pub decisions: Vec<Decision>,
    /// Threads, in order of their ids.
    pub threads: Vec<ThreadInfo>,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// What was chosen other than who steps next.
    pub inputs: Vec<Input>,
    /// What it printed, one character per byte.
    pub output: String,
    /// Locks that are held in the end, by whom.
    pub held: Vec<(ThreadId, Variable)>,
    /// How it ended.
    pub end: End,
}

/// A thread of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadInfo {
    /// Its id.
    pub id: ThreadId,
    /// Its start function.
    pub name: String,
    /// The call that created it; `None` for `main`.
    pub created_at: Option<SiteId>,
}

/// An input of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// In which thread.
    pub thread: ThreadId,
    /// Where it was asked for.
    pub site: SiteId,
    /// Where it comes from.
    pub source: InputSource,
    /// Its value, as a signed number of its width.
    pub value: String,
}

/// Something a thread did that others can notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Index of the decision it belongs to.
    pub decision: usize,
    /// The thread that took the step.
    pub thread: ThreadId,
    /// The place in user code.
    pub site: SiteId,
    /// What it did.
    pub kind: StepKind,
    /// The memory that it read, wrote or synchronized on.
    pub variable: Option<Variable>,
    /// The value read or written.
    pub value: Option<String>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// In a violation.
    Violation(Violation),
    /// Complete: the process ended with this code, or all threads ended (0).
    Complete(i32),
    /// Some thread went no further (a bound, an assume, something unsupported), or the decisions
    /// were used up.
    Incomplete,
}

impl Schedule {
    /// How often another thread steps than before.
    #[must_use]
    pub fn context_switches(&self) -> u32 {
        switches(&self.decisions)
    }
}

/// Turns events into steps.
pub struct RunRecorder<'p> {
    program: &'p Program,
    /// Index of the decision being carried out.
    pub decision: usize,
    /// Steps so far.
    pub steps: Vec<Step>,
    /// Inputs so far.
    pub inputs: Vec<Input>,
    /// Output so far.
    pub output: String,
    /// What calls that are not done yet have printed, by thread.
    lines: BTreeMap<ThreadId, Line>,
}

/// What a call has printed so far.
#[derive(Debug, Default)]
struct Line {
    bytes: Vec<u8>,
    /// A text that is not padded yet.
    text: Vec<u8>,
}

impl<'p> RunRecorder<'p> {
    /// Nothing recorded yet.
    #[must_use]
    pub fn new(program: &'p Program) -> RunRecorder<'p> {
        RunRecorder {
            program,
            decision: 0,
            steps: Vec::new(),
            inputs: Vec::new(),
            output: String::new(),
            lines: BTreeMap::new(),
        }
    }

    /// Takes a part of what a call prints.
    fn printed(&mut self, event: &Event, part: &Printed) {
        let line = self.lines.entry(event.thread).or_default();
        match part {
            Printed::Byte(byte) => line.text.push(*byte),
            Printed::Padding { width, is_left } => {
                let text = std::mem::take(&mut line.text);
                let blanks = vec![b' '; width.saturating_sub(text.len())];
                line.bytes.extend(if *is_left { [text, blanks] } else { [blanks, text] }.concat());
            }
            Printed::Text(text) => line.bytes.extend(text),
            Printed::End { is_stdout } => {
                let Line { mut bytes, text } = self.lines.remove(&event.thread).unwrap_or_default();
                bytes.extend(text);
                // One character per byte: the text need not be UTF-8, and is written back as bytes.
                let text: String = bytes.into_iter().map(char::from).collect();
                if *is_stdout {
                    self.output.push_str(&text);
                    self.push(event, StepKind::Output, None, Some(text));
                }
            }
        }
    }

    fn push(
        &mut self,
        event: &Event,
        kind: StepKind,
        variable: Option<Variable>,
        value: Option<String>,
    ) {
        let (thread, site) = (event.thread, event.site);
        let decision = self.decision;
        self.steps.push(Step { decision, thread, site, kind, variable, value });
    }

    /// Whether a variable is one that the model of a library function keeps: nothing to be shown.
    fn is_of_a_model(&self, state: &State, id: ObjectId) -> bool {
        match state.object(id).map(|object| &object.origin) {
            Some(Origin::Global(id)) => self.program.global(*id).name.contains("__unravel_"),
            _ => false,
        }
    }

    /// Two objects in the order in which they lie.
    fn order(&self, state: &State, event: &Event, objects: [ObjectId; 2]) -> String {
        let mut names = objects.map(|id| describe::address(self.program, state, id));
        if event.value.is_some_and(|(value, _)| value.bits != 0) {
            names.reverse();
        }
        names.join(" below ")
    }

    fn input(&mut self, event: &Event, choice: &Choice, value: Option<String>) {
        if let ChoiceKind::Input { source, .. } = &choice.kind {
            self.inputs.push(Input {
                thread: event.thread,
                site: event.site,
                source: source.clone(),
                value: value.clone().unwrap_or_default(),
            });
        }
        self.push(event, StepKind::Input, None, value);
    }
}

impl Recorder for RunRecorder<'_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn record(&mut self, state: &State, event: Event) {
        if event.place.is_some_and(|(id, ..)| self.is_of_a_model(state, id)) {
            return;
        }
        let named = event.place.map(|(id, offset, bytes)| {
            describe::named_place(self.program, state, id, offset, bytes)
        });
        let (variable, debug) = named.map_or((None, None), |(name, ty)| (Some(name), ty));
        let value =
            event.value.map(|(value, ty)| describe::value(self.program, state, value, ty, debug));
        let kind = match &event.kind {
            EventKind::Read => StepKind::Read,
            EventKind::Write => StepKind::Write,
            EventKind::Update => StepKind::Update,
            EventKind::FailedUpdate => StepKind::FailedUpdate,
            EventKind::Free => StepKind::Free,
            EventKind::Sync(op, code) => StepKind::Sync { deed: op.deed(), code: *code },
            EventKind::Create(thread) => StepKind::Create(thread.0),
            EventKind::Join(thread) => StepKind::Join(thread.0),
            EventKind::End => StepKind::End,
            EventKind::Exit(code) => StepKind::Exit(*code),
            EventKind::AssumeFailed => StepKind::AssumeFailed,
            EventKind::Input(choice) => {
                let order = match choice.kind {
                    ChoiceKind::Input { source: InputSource::Layout(first, second), .. } => {
                        Some(self.order(state, &event, [first, second]))
                    }
                    _ => None,
                };
                return self.input(&event, choice, order.or(value));
            }
            EventKind::Printed(part) => return self.printed(&event, part),
            EventKind::Variable(name) => {
                let variable = Some(Variable::Named(name.clone()));
                return self.push(&event, StepKind::Local, variable, value);
            }
        };
        self.push(&event, kind, variable, value);
    }
}
