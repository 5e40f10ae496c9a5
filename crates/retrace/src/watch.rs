//! Compares each event of the interpreter with its record.

use std::cell::RefCell;
use std::rc::Rc;

use unravel_interp::choice::{Choice, ChoiceKind, Chooser, InputSource, Pick};
use unravel_interp::event::{Event, EventKind, Recorder};
use unravel_interp::{State, ThreadId};
use unravel_program::{Op, Program, Site};
use unravel_wire::{Kind, Record};

use crate::line::Line;
use crate::names::Names;

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The interpreter does something that was not recorded.
    NotRecorded,
    /// It is at another place in memory.
    Place(Record),
    /// The value is another one: the interpreter's, the recorded one.
    Value(u64, Record),
    /// An operation ended in another way: the interpreter's result code, the record.
    Code(Option<i32>, Record),
}

/// A difference, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The thread.
    pub thread: ThreadId,
    /// The instruction.
    pub site: u64,
    /// What the interpreter does there.
    pub event: EventKind,
    /// What differs.
    pub difference: Difference,
}

/// The records of all threads, for those who follow them and those who answer from them.
pub type Lines = Rc<RefCell<Vec<Line>>>;

/// Follows the interpreter along the records.
pub struct Watch<'p> {
    program: &'p Program,
    /// The threads' records.
    pub lines: Lines,
    /// Which object is which memory.
    pub names: Rc<RefCell<Names>>,
    /// The site that is being executed.
    site: Option<u64>,
    /// A function of the C library is being executed.
    by_library: bool,
    /// Events that were compared.
    pub compared: usize,
    /// The first difference.
    pub difference: Option<At>,
}

/// The site of the instruction that a thread is about to execute: that of the innermost function of the
/// user, since the models of library functions have no counterpart in the binary.
#[must_use]
pub fn site_of(program: &Program, state: &State, thread: ThreadId) -> Option<u64> {
    let frames = &state.thread(thread).frames;
    let frame = frames.iter().rev().find(|it| !program.function(it.function).library)?;
    let block = program.function(frame.function).block(frame.block);
    let site = block.instructions.get(frame.index).map_or(block.end_site, |it| it.site);
    let Site { hook, .. } = program.site(site);
    *hook
}

/// Whether the thread begins its instruction, and does not go on with it.
#[must_use]
pub fn is_fresh(state: &State, thread: ThreadId) -> bool {
    let thread = state.thread(thread);
    thread.creating.is_none() && thread.frames.last().is_none_or(|frame| frame.progress == 0)
}

/// Whether the instruction that a thread is about to execute is a call of a library function that the
/// interpreter knows.
fn calls_library(program: &Program, state: &State, thread: ThreadId) -> bool {
    let Some(frame) = state.thread(thread).frames.last() else { return false };
    let block = program.function(frame.function).block(frame.block);
    block.instructions.get(frame.index).is_some_and(|it| matches!(it.op, Op::Library { .. }))
}

impl<'p> Watch<'p> {
    /// At the beginning of a run.
    #[must_use]
    pub fn new(program: &'p Program, records: &[Record]) -> Watch<'p> {
        Watch {
            program,
            lines: Rc::new(RefCell::new(Line::of_run(records))),
            names: Rc::default(),
            site: None,
            by_library: false,
            compared: 0,
            difference: None,
        }
    }

    /// Does something with the records of a thread.
    pub fn line<T>(&self, thread: ThreadId, work: impl FnOnce(&mut Line) -> T) -> T {
        let (index, mut lines) = (thread.0 as usize, self.lines.borrow_mut());
        if lines.len() <= index {
            lines.resize_with(index + 1, Line::default);
        }
        work(&mut lines[index])
    }

    fn compare(&mut self, state: &State, event: &Event, site: u64) -> Option<Difference> {
        let kinds = kinds(&event.kind)?;
        let Some(record) = self.line(event.thread, |line| line.take(site, kinds)) else {
            // What the C library reads and writes for a call has no hooks in the binary.
            let is_access = matches!(event.kind, EventKind::Read | EventKind::Write);
            return (!(is_access && self.by_library)).then_some(Difference::NotRecorded);
        };
        self.compared += 1;
        if let EventKind::Sync(_, code) = event.kind {
            let recorded = (record.number() >> 16) as i16;
            if code.is_some_and(|it| it as i16 != recorded) {
                return Some(Difference::Code(code, record));
            }
        }
        if let Some((object, offset, _)) = event.place
            && !self.names.borrow_mut().place(object, offset, record.a)
        {
            return Some(Difference::Place(record));
        }
        let (value, ty) = event.value?;
        if !has_value(&record) {
            return None;
        }
        let base = value.provenance.and_then(|id| state.object(id)).map(|it| it.base);
        let bits = u32::from(ty.bits(self.program.target)).next_multiple_of(8);
        let recorded = match event.kind {
            EventKind::Update => {
                self.line(event.thread, |line| line.take(site, &[Kind::New])).map_or(0, |it| it.b)
            }
            _ => record.b,
        };
        let width = bits.min(u32::from(record.size()) * 8);
        let same = self.names.borrow_mut().value(value, base, width, recorded);
        (!same).then_some(Difference::Value(value.bits as u64, record))
    }
}

/// Ranges are recorded without values.
fn has_value(record: &Record) -> bool {
    record.size() > 0
}

/// What an event may be recorded as; `None` if it is not recorded, or not to be compared.
fn kinds(event: &EventKind) -> Option<&'static [Kind]> {
    use Kind as K;
    Some(match event {
        EventKind::Read => &[K::Read, K::AtomicRead, K::ReadRange],
        EventKind::Write => &[K::Write, K::AtomicWrite, K::WriteRange],
        EventKind::Update => &[K::Update],
        EventKind::FailedUpdate => &[K::FailedUpdate],
        EventKind::Free => &[K::Free],
        EventKind::Sync(..) => &[K::Sync],
        EventKind::Create(_) => &[K::Create],
        EventKind::Join(_) => &[K::Join],
        _ => return None,
    })
}

impl Recorder for Watch<'_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        self.site = site_of(self.program, state, thread);
        let in_library = state
            .thread(thread)
            .frames
            .last()
            .is_some_and(|it| self.program.function(it.function).library);
        self.by_library = in_library || calls_library(self.program, state, thread);
        if let Some(site) = self.site
            && !in_library
        {
            self.line(thread, |line| line.execute(site, is_fresh(state, thread)));
        }
    }

    fn record(&mut self, state: &State, event: Event) {
        let Some(site) = self.site.filter(|_| self.difference.is_none()) else { return };
        if let Some(difference) = self.compare(state, &event, site) {
            let Event { thread, kind, .. } = event;
            self.difference = Some(At { thread, site, event: kind, difference });
        }
    }
}

/// Answers what a step asks from the records of its thread.
pub struct Answers<'l> {
    /// The program.
    pub program: &'l Program,
    /// The threads' records.
    pub lines: Lines,
    /// Who waits where the thread signals, in the interpreter's order.
    pub waiting: &'l [ThreadId],
    /// Which object is which memory.
    pub names: Rc<RefCell<Names>>,
    /// The answers that were given.
    pub given: Vec<u128>,
}

impl Chooser for Answers<'_> {
    fn choose(&mut self, choice: &Choice) -> Option<u128> {
        let answer = self.answer(choice);
        self.given.push(answer);
        Some(answer)
    }
}

impl Answers<'_> {
    /// The next record of the instruction that asks.
    fn take(&self, choice: &Choice, site: u64, kinds: &[Kind]) -> Option<Record> {
        let mut lines = self.lines.borrow_mut();
        lines.get_mut(choice.thread.0 as usize)?.take(site, kinds)
    }

    fn answer(&mut self, choice: &Choice) -> u128 {
        let Site { hook, .. } = self.program.site(choice.site);
        let site = hook.unwrap_or(0);
        match &choice.kind {
            ChoiceKind::Pick { what: Pick::Waiter, .. } => {
                let woken = self.take(choice, site, &[Kind::Woken]);
                let is_woken =
                    |it: &ThreadId| woken.is_some_and(|woken| u64::from(it.0) == woken.b);
                self.waiting.iter().position(is_woken).unwrap_or(0) as u128
            }
            // The ordinary one: nothing fails, nothing is used again, a wait that ends by itself has
            // timed out.
            ChoiceKind::Pick { .. } => 0,
            // The order of two objects in memory.
            ChoiceKind::Input { source: InputSource::Layout(first, second), .. } => {
                u128::from(!self.names.borrow().lies_below(*first, *second))
            }
            ChoiceKind::Input { .. } => {
                let kinds = [Kind::Nondet, Kind::Result, Kind::Read, Kind::AtomicRead, Kind::Value];
                let record = self.take(choice, site, &kinds);
                record.map_or(0, |it| value_of(&it).into())
            }
        }
    }
}

fn value_of(record: &Record) -> u64 {
    match record.kind() {
        Some(Kind::Read | Kind::AtomicRead) => record.b,
        _ => record.a,
    }
}
