//! What happens in a run, in words that mean the same in every run.
//!
//! The interpreter tells which instructions are executed and what they read and write. Which of
//! them are operations is all that is taken from the symbolic engine.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use unravel_driver::Operation;
use unravel_explore::outcomes::Point;
use unravel_interp::choice::{Choice, ChoiceKind, Chooser, InputSource, Pick, Script};
use unravel_interp::event::{Event, EventKind, Recorder};
use unravel_interp::memory::{ObjectId, ObjectKind};
use unravel_interp::moment::Moment;
use unravel_interp::state::Frame;
use unravel_interp::{State, ThreadId};
use unravel_program::{BlockId, FunctionId, Operand, Program, SiteId, Terminator};

use super::loops::Loops;

/// An execution of an instruction, or a thread: a fingerprint of all that tells it from others.
pub type Instant = u64;

/// A read or write: its operation, the execution of an instruction, and the number in it.
pub type Access = (usize, Instant, u32);

/// A write that no read of the failing run sees.
pub const OTHER: Access = (usize::MAX, 0, 0);

/// Something that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// An operation is executed.
    Step(usize),
    /// A read sees a write, or what memory held at first.
    Read(Access, Option<Access>),
    /// A branch depends on a value.
    Branch(Branch),
}

/// An execution of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    pub at: Instant,
    pub site: SiteId,
    pub value: u128,
    /// The last operation of its thread before it.
    pub after: Option<usize>,
}

/// A choice: the execution of the instruction that asks, and the number in it.
pub type Asked = (Instant, u32);

/// An instruction of a thread: its number, function, block and index.
type Place = (u32, FunctionId, BlockId, u32);

/// What is watched.
pub struct Words<'w> {
    program: &'w Program,
    /// Threads of interest, by the creations that lead to them.
    threads: Vec<&'w [Moment]>,
    /// Operations, by place.
    places: BTreeMap<Place, Vec<(&'w Moment, usize)>>,
    /// Ends of threads, which no instruction is.
    ends: BTreeMap<u32, Vec<usize>>,
    loops: Loops,
    /// How each place was accessed: first byte and number of bytes.
    extents: RefCell<BTreeMap<(ObjectId, u64), u64>>,
    /// Some read sees what was in memory before others knew of it. Who wrote that is not shown.
    pub sees_private: Cell<bool>,
}

impl<'w> Words<'w> {
    pub fn new(program: &'w Program, operations: &'w [Operation]) -> Words<'w> {
        let points = || operations.iter().map(|it| &it.point);
        let paths = points().flat_map(|it| (0..=it.thread.len()).map(|end| &it.thread[..end]));
        let threads: BTreeSet<&[Moment]> = paths.chain([&[][..]]).collect();
        let mut words = Words {
            program,
            threads: threads.into_iter().collect(),
            places: BTreeMap::new(),
            ends: BTreeMap::new(),
            loops: Loops::of(program),
            extents: RefCell::default(),
            sees_private: Cell::default(),
        };
        for (index, point) in points().enumerate() {
            words.enter(index, point);
        }
        words
    }

    fn enter(&mut self, index: usize, point: &'w Point) {
        let thread = self.threads.iter().position(|it| *it == point.thread).expect("entered");
        let thread = u32::try_from(thread).expect("few threads");
        match point.moment.calls.last() {
            None => self.ends.entry(thread).or_default().push(index),
            Some(call) => {
                let place = (thread, call.function, call.block, call.index);
                self.places.entry(place).or_default().push((&point.moment, index));
            }
        }
    }

    /// Which execution of its instruction a thread stands at.
    fn instant(&self, thread: Instant, frames: &[Frame]) -> Instant {
        let mut hasher = DefaultHasher::new();
        thread.hash(&mut hasher);
        for frame in frames {
            (frame.function, frame.block, frame.index, frame.progress()).hash(&mut hasher);
            for head in self.loops.around(frame.function, frame.block) {
                frame.turns.get(head).copied().unwrap_or(0).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// Whether all accesses so far that overlap are of the same bytes: then each is one part.
    pub fn is_plain(&self) -> bool {
        let extents = self.extents.borrow();
        let pairs = extents.iter().zip(extents.iter().skip(1));
        pairs.into_iter().all(|((a, bytes), (b, _))| a.0 != b.0 || a.1 + bytes <= b.1)
            && extents.values().all(|&bytes| bytes > 0)
    }
}

/// What must be known of the past.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Known {
    /// Who each thread is, and its number if it is of interest.
    threads: Vec<(Instant, Option<u32>)>,
    /// The last write to each place.
    pub writers: BTreeMap<(ObjectId, u64), Access>,
    /// The last operation of each thread, at first the one that creates it: what is accessed in an
    /// atomic section belongs to it.
    latest: Vec<Option<usize>>,
    /// Per thread, operations that nobody has noticed yet: they may as well come later, before
    /// others of the thread.
    pub unnoticed: BTreeMap<u32, Vec<usize>>,
    /// Per thread, who creates it and by which operation, while nobody has noticed that either:
    /// threads that another one creates before it may end in between.
    births: BTreeMap<u32, (u32, usize)>,
}

impl Known {
    /// Whether the operation that creates a thread has yet to be noticed.
    pub fn is_unborn(&self, thread: u32) -> bool {
        let birth = self.births.get(&thread);
        birth.is_some_and(|(creator, operation)| {
            self.unnoticed.get(creator).is_some_and(|it| it.contains(operation))
        })
    }

    /// Forgets what was noticed, so that equal pasts are equal.
    pub fn forget_births(&mut self) {
        let born: Vec<u32> =
            self.births.keys().copied().filter(|&thread| !self.is_unborn(thread)).collect();
        for thread in born {
            self.births.remove(&thread);
        }
    }
}

/// Watches one step.
pub struct Watcher<'w> {
    pub words: &'w Words<'w>,
    pub known: Known,
    /// What has happened.
    pub seen: Vec<Happening>,
    /// Inputs that were asked for.
    pub answers: Vec<(Asked, u128)>,
    /// Answers that are given.
    pub given: &'w BTreeMap<Asked, u128>,
    pub script: Script,
    /// Something asked for what memory holds that was never written.
    pub reads_undefined: bool,
    /// Somebody wakes without a signal.
    pub spurious: bool,
    /// Somebody's time is up.
    pub gives_up: bool,
    /// The thread whose visible operation is being executed.
    due: Option<ThreadId>,
    is_begun: bool,
    /// Per thread, what it executes: when, operations, and numbers of questions and accesses.
    now: Vec<(Instant, Vec<usize>, u32, u32)>,
}

impl<'w> Watcher<'w> {
    pub fn new(
        words: &'w Words<'w>,
        known: Known,
        given: &'w BTreeMap<Asked, u128>,
        (thread, choices): (ThreadId, Vec<u128>),
    ) -> RefCell<Watcher<'w>> {
        let mut watcher = Watcher {
            words,
            known,
            seen: Vec::new(),
            answers: Vec::new(),
            given,
            script: Script::new(choices),
            reads_undefined: false,
            spurious: false,
            gives_up: false,
            due: Some(thread),
            is_begun: false,
            now: Vec::new(),
        };
        watcher.notice(thread.0);
        RefCell::new(watcher)
    }

    /// Before the first step.
    pub fn at_first() -> Known {
        Known { threads: vec![(0, Some(0))], latest: vec![None], ..Known::default() }
    }

    fn now(&mut self, thread: ThreadId) -> &mut (Instant, Vec<usize>, u32, u32) {
        let thread = thread.0 as usize;
        if self.now.len() <= thread {
            self.now.resize(thread + 1, Default::default());
        }
        &mut self.now[thread]
    }

    fn standing(&self, frames: &[Frame], thread: ThreadId) -> Vec<usize> {
        let number = self.known.threads.get(thread.0 as usize).and_then(|it| it.1);
        let (Some(number), Some(frame)) = (number, frames.last()) else { return Vec::new() };
        let index = u32::try_from(frame.index).expect("few instructions");
        let here = self.words.places.get(&(number, frame.function, frame.block, index));
        let here = here.into_iter().flatten().filter(|(moment, _)| moment.is_at(frames));
        here.map(|(_, operation)| *operation).collect()
    }

    fn commit(&mut self, thread: ThreadId, operations: &[usize]) {
        for &operation in operations {
            self.known.latest[thread.0 as usize] = Some(operation);
            if self.due == Some(thread) {
                self.seen.push(Happening::Step(operation));
            } else {
                self.known.unnoticed.entry(thread.0).or_default().push(operation);
            }
        }
    }

    /// After its first instruction, or its atomic section, a thread does local work.
    fn begin(&mut self, thread: ThreadId, inside: bool) {
        if self.due == Some(thread) {
            self.due = self.due.filter(|_| inside || !self.is_begun);
            self.is_begun = true;
        }
    }

    /// The operations that a thread executes are executed.
    fn finish(&mut self, thread: ThreadId) {
        let operations = std::mem::take(&mut self.now(thread).1);
        self.commit(thread, &operations);
    }

    /// What a thread has done is noticed, and before it that it was created.
    pub fn notice(&mut self, thread: u32) {
        self.notice_birth(thread);
        let operations = self.known.unnoticed.remove(&thread).unwrap_or_default();
        self.seen.extend(operations.into_iter().map(Happening::Step));
    }

    fn notice_birth(&mut self, thread: u32) {
        let Some((creator, birth)) = self.known.births.remove(&thread) else { return };
        self.notice_birth(creator);
        let Some(operations) = self.known.unnoticed.get_mut(&creator) else { return };
        let until = operations.iter().position(|it| *it == birth).map_or(0, |at| at + 1);
        self.seen.extend(operations.drain(..until).map(Happening::Step));
    }

    fn created(&mut self, state: &State, creator: ThreadId) {
        if let Some(&birth) = self.known.unnoticed.get(&creator.0).and_then(|it| it.last()) {
            let child = u32::try_from(self.known.threads.len()).expect("few threads");
            self.known.births.insert(child, (creator.0, birth));
        }
        let frames = &state.thread(creator).frames;
        let (parent, number) = self.known.threads[creator.0 as usize];
        let path = number.map(|number| self.words.threads[number as usize]);
        let is_it = |thread: &&[Moment]| match (path, thread.split_last()) {
            (Some(path), Some((moment, rest))) => rest == path && moment.is_at(frames),
            _ => false,
        };
        let number = self.words.threads.iter().position(is_it);
        let number = number.and_then(|number| u32::try_from(number).ok());
        self.known.threads.push((self.words.instant(parent, frames), number));
        self.known.latest.push(self.known.latest[creator.0 as usize]);
    }

    /// The value that the end of a block depends on.
    fn branch(&mut self, frames: &[Frame], at: Instant, thread: ThreadId) {
        let Some(frame) = frames.last() else { return };
        let block = self.words.program.function(frame.function).block(frame.block);
        let (value, width) = match &block.end {
            _ if frame.index < block.instructions.len() => return,
            Terminator::Branch { condition, .. } => (*condition, 1),
            Terminator::Switch { value, width, .. } => (*value, *width),
            _ => return,
        };
        if let Operand::Reg(reg) = value {
            let value = frame.registers[reg.0 as usize];
            self.reads_undefined |= !value.is_defined();
            let value = value.bits & unravel_interp::value::mask(width);
            let (site, after) = (self.site(frames), self.known.latest[thread.0 as usize]);
            self.seen.push(Happening::Branch(Branch { at, site, value, after }));
        }
    }

    /// The place in the user's code.
    fn site(&self, frames: &[Frame]) -> SiteId {
        let program = self.words.program;
        let user = frames.iter().rev().find(|frame| !program.function(frame.function).library);
        user.map_or(SiteId(0), |frame| {
            let block = program.function(frame.function).block(frame.block);
            block.instructions.get(frame.index).map_or(block.end_site, |it| it.site)
        })
    }

    fn access(&mut self, state: &State, event: &Event) {
        let Some((object, offset, bytes)) = event.place else { return };
        let frames = &state.thread(event.thread).frames;
        let operations = self.standing(frames, event.thread);
        self.commit(event.thread, &operations);
        let inside = state.thread(event.thread).atomic_depth > 0;
        let latest = self.known.latest[event.thread.0 as usize].filter(|_| inside);
        let operation = operations.first().copied().or(latest);
        let instant = self.words.instant(self.known.threads[event.thread.0 as usize].0, frames);
        // A copy goes on to its next part within one step while nobody else gets in between.
        // Its parts are told apart by how far it is, so each begins to count anew.
        if self.now(event.thread).0 != instant {
            *self.now(event.thread) = (instant, operations, 0, 0);
        }
        let (_, _, _, count) = self.now(event.thread);
        let number = *count;
        *count += 2;
        let extent = (object, offset);
        let known = *self.words.extents.borrow_mut().entry(extent).or_insert(bytes);
        if known != bytes {
            self.words.extents.borrow_mut().insert(extent, 0);
        }
        if !matches!(event.kind, EventKind::Write)
            && let Some(operation) = operation
        {
            let source = self.known.writers.get(&extent).copied();
            if source.is_none() && object.kind != ObjectKind::Global {
                self.words.sees_private.set(true);
            }
            self.seen.push(Happening::Read((operation, instant, number), source));
        }
        if matches!(event.kind, EventKind::Write | EventKind::Update) {
            match operation {
                Some(operation) => {
                    self.known.writers.insert(extent, (operation, instant, number + 1))
                }
                None => self.known.writers.remove(&extent),
            };
        }
    }
}

/// Whether a choice is a matter of the schedule, not of the inputs.
fn is_free(choice: &Choice) -> bool {
    let what = match choice.kind {
        ChoiceKind::Pick { what, .. } => what,
        ChoiceKind::Input { .. } => return false,
    };
    matches!(what, Pick::Waiter | Pick::Wakeup | Pick::Address | Pick::Destructor)
}

/// A watcher that the interpreter sees twice, as its chooser and as its recorder.
pub struct SharedWatcher<'a, 'w>(pub &'a RefCell<Watcher<'w>>);

impl Chooser for SharedWatcher<'_, '_> {
    fn choose(&mut self, choice: &Choice) -> Option<u128> {
        let mut it = self.0.borrow_mut();
        let source = InputSource::Uninitialized;
        it.reads_undefined |=
            matches!(&choice.kind, ChoiceKind::Input { source: it, .. } if *it == source);
        let (instant, _, asked, _) = it.now(choice.thread);
        let key = (*instant, *asked);
        *asked += 1;
        let given = it.given.get(&key).copied().filter(|_| !is_free(choice));
        let value = match given {
            Some(value) => value,
            None => it.script.choose(choice)?,
        };
        if !is_free(choice) {
            it.answers.push((key, value));
        }
        let wakes = matches!(choice.kind, ChoiceKind::Pick { what: Pick::Wakeup, .. });
        it.spurious |= wakes && value == 1;
        it.gives_up |= wakes && value == 0;
        Some(value)
    }
}

impl Recorder for SharedWatcher<'_, '_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        let mut it = self.0.borrow_mut();
        let frames = &state.thread(thread).frames;
        it.begin(thread, state.thread(thread).atomic_depth > 0);
        let instant = it.words.instant(it.known.threads[thread.0 as usize].0, frames);
        let operations = it.standing(frames, thread);
        *it.now(thread) = (instant, operations, 0, 0);
        it.branch(frames, instant, thread);
    }

    fn executed(&mut self, thread: ThreadId) {
        self.0.borrow_mut().finish(thread);
    }

    fn record(&mut self, state: &State, event: Event) {
        let thread = event.thread;
        let mut it = self.0.borrow_mut();
        match event.kind {
            EventKind::Create(_) => {
                it.finish(thread);
                it.created(state, thread);
            }
            EventKind::Exit(_) => it.finish(thread),
            EventKind::Join(other) => it.notice(other.0),
            EventKind::End => {
                let number = it.known.threads[thread.0 as usize].1;
                let ends = number.and_then(|number| it.words.ends.get(&number));
                let ends = ends.cloned().unwrap_or_default();
                it.due = None;
                it.commit(thread, &ends);
            }
            // The first part of a wait; the rest is another step.
            EventKind::Sync(_, None) => {
                let operations = it.standing(&state.thread(thread).frames, thread);
                it.commit(thread, &operations);
            }
            EventKind::Read | EventKind::Write | EventKind::Update | EventKind::FailedUpdate => {
                it.access(state, &event);
            }
            _ => {}
        }
    }
}
