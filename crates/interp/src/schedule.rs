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
    /// It is about the next character of a text that an earlier step began, and is shown with that.
    pub continues: bool,
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
    /// Texts that the last steps read or wrote, character by character.
    texts: Texts,
}

/// What a call has printed so far.
#[derive(Debug, Default)]
struct Line {
    bytes: Vec<u8>,
    /// A text that is not padded yet.
    text: Vec<u8>,
}

/// Texts that one call reads or writes.
#[derive(Debug, Default)]
struct Texts {
    /// The thread and the place of the call.
    call: Option<(ThreadId, SiteId)>,
    texts: Vec<Text>,
}

/// A text, as far as it was read or written.
#[derive(Debug)]
struct Text {
    /// Its first step.
    step: usize,
    writes: bool,
    object: ObjectId,
    from: u64,
    bytes: Vec<u8>,
}

impl Texts {
    /// The text that goes on with a byte.
    fn next(&mut self, event: &Event, (object, at, byte): (ObjectId, u64, u8)) -> Option<&Text> {
        if self.call != Some((event.thread, event.site)) {
            return None;
        }
        let writes = event.kind == EventKind::Write;
        let mut texts = self.texts.iter_mut();
        let text = texts.find(|text| {
            let end = text.from + text.bytes.len() as u64;
            text.writes == writes && text.object == object && end == at
        })?;
        text.bytes.push(byte);
        Some(text)
    }

    fn begin(&mut self, event: &Event, step: usize, (object, at, byte): (ObjectId, u64, u8)) {
        let call = Some((event.thread, event.site));
        if self.call != call {
            *self = Texts { call, texts: Vec::new() };
        }
        let writes = event.kind == EventKind::Write;
        self.texts.push(Text { step, writes, object, from: at, bytes: vec![byte] });
    }
}

impl Text {
    /// As C writes it, up to its end.
    fn shown(&self) -> String {
        let end = self.bytes.iter().position(|&byte| byte == 0).unwrap_or(self.bytes.len());
        format!("{:?}", String::from_utf8_lossy(&self.bytes[..end]))
    }
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
            texts: Texts::default(),
        }
    }

    /// Whether an access is one of a library function to a character.
    fn is_of_a_text(&self, state: &State, event: &Event) -> bool {
        let is_access = matches!(event.kind, EventKind::Read | EventKind::Write);
        let innermost = state.thread(event.thread).frames.last();
        is_access
            && event.place.is_some_and(|(.., bytes)| bytes == 1)
            && innermost.is_some_and(|frame| self.program.function(frame.function).library)
    }

    /// Takes note of an access to a character: a new text, or the next one of a text.
    fn character(&mut self, state: &State, event: &Event) {
        let Some(step) = self.steps.len().checked_sub(1) else { return };
        let Some((object, at, _)) = event.place else { return };
        let byte = event.value.filter(|(value, _)| value.is_defined());
        let byte = byte.map_or(b'?', |(value, _)| value.bits as u8);
        let Some(text) = self.texts.next(event, (object, at, byte)) else {
            return self.texts.begin(event, step, (object, at, byte));
        };
        let (name, _) =
            describe::named_place(self.program, state, object, text.from, text.bytes.len() as u64);
        let shown = text.shown();
        self.steps[step].continues = true;
        if let Some(head) = self.steps.get_mut(text.step) {
            (head.variable, head.value) = (Some(name), Some(shown));
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
        let (decision, continues) = (self.decision, false);
        self.steps.push(Step { decision, thread, site, kind, variable, value, continues });
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
        let is_of_a_text = self.is_of_a_text(state, &event);
        if !is_of_a_text || self.texts.call != Some((event.thread, event.site)) {
            self.texts = Texts::default();
        }
        self.push(&event, kind, variable, value);
        if is_of_a_text {
            self.character(state, &event);
        }
    }
}
