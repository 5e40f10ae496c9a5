//! What a step does, for those who record it.

use unravel_program::library::sync::SyncOp;
use unravel_program::{SiteId, Type};

use crate::choice::Choice;
use crate::memory::ObjectId;
use crate::state::{State, ThreadId};
use crate::value::Value;

/// Part of a step that others can notice.
#[derive(Clone, Debug)]
pub struct Event {
    /// The thread.
    pub thread: ThreadId,
    /// The place in user code (the call, where a library function does it).
    pub site: SiteId,
    /// What it is.
    pub kind: EventKind,
    /// The memory it concerns: object, offset, bytes.
    pub place: Option<(ObjectId, u64, u64)>,
    /// The value read or written, with its type.
    pub value: Option<(Value, Type)>,
}

/// Kinds of event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A read.
    Read,
    /// A write.
    Write,
    /// An atomic read-modify-write; the value is the new one.
    Update,
    /// A compare-and-swap that found another value, which is the value.
    FailedUpdate,
    /// A block was freed.
    Free,
    /// An operation on a synchronization object, with its error code if it completed.
    Sync(SyncOp, Option<i32>),
    /// A thread was created.
    Create(ThreadId),
    /// A thread was joined.
    Join(ThreadId),
    /// The thread ended.
    End,
    /// The process ended with this code.
    Exit(i32),
    /// An input was chosen.
    Input(Choice),
    /// An `assume` failed.
    AssumeFailed,
    /// A part of what is printed.
    Printed(Printed),
    /// A local variable got a value.
    Variable(String),
}

/// A part of what a call prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// A byte of a text that may be padded.
    Byte(u8),
    /// The text ends, and is padded to this width.
    Padding {
        /// How wide it is at least.
        width: usize,
        /// Whether it begins at the left.
        is_left: bool,
    },
    /// Something that was rendered.
    Text(Vec<u8>),
    /// The call ends.
    End {
        /// Whether it wrote to the standard output.
        is_stdout: bool,
    },
}

/// Takes note of events.
pub trait Recorder {
    /// Whether events are wanted at all; building them costs.
    fn wants_events(&self) -> bool;

    /// An event, with the state right after it.
    fn record(&mut self, state: &State, event: Event);

    /// A thread is about to execute an instruction (or the end of a block).
    fn executing(&mut self, _state: &State, _thread: ThreadId) {}

    /// A thread comes to the head of a loop. `same`: it turns back there, with the values that it began
    /// the turn with.
    fn turned(&mut self, _thread: ThreadId, _same: bool) {}

    /// A thread has executed an instruction (or the end of a block), whoever can notice.
    fn executed(&mut self, _thread: ThreadId) {}
}

/// Takes note of nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecorder;

impl Recorder for NoRecorder {
    fn wants_events(&self) -> bool {
        false
    }

    fn record(&mut self, _state: &State, _event: Event) {}
}
