//! Watches some pairs of steps.
//!
//! A step is executed when its instruction is; one that copies memory word by word, when that word
//! is (its data event). The return that ends the process is executed, too: its variables are gone.
//! An atomic section is executed where it begins, since nobody gets in between.

use std::collections::BTreeMap;

use unravel_interp::choice::{Choice, ChoiceKind, Pick};
use unravel_interp::event::{Event, EventKind, Printed};
use unravel_interp::moment::Moment;
use unravel_interp::{State, ThreadId};
use unravel_program::library::sync::Deed;
use unravel_program::{BlockId, FunctionId};

use super::product::{Earlier, Known, Observer};
use super::{Facts, Point, Tracked};

/// A place in a thread: its number, and the innermost call's instruction.
type Place = (u32, FunctionId, BlockId, u32);

/// Something watched.
#[derive(Clone, Copy, Debug)]
enum What {
    /// The first or second step of an order.
    Step(usize, Earlier),
    /// An input.
    Input(usize),
}

/// Watches pairs of steps and inputs.
pub struct Tracker<'t> {
    tracked: &'t Tracked,
    /// Threads of interest, by the creations that lead to them.
    threads: Vec<&'t [Moment]>,
    /// What is watched, by place.
    watched: BTreeMap<Place, Vec<(&'t Moment, What)>>,
    /// What is watched of the end of threads, which no instruction is.
    ends: BTreeMap<u32, Vec<What>>,
    known: Known,
    /// Per thread, what is watched of the instruction that it executes.
    current: Vec<Vec<What>>,
}

/// What a run with this knowledge shows.
pub fn facts(known: &Known) -> Facts {
    Facts {
        orders: known.orders.iter().map(|&first| first == Earlier::First).collect(),
        inputs: known.differs.iter().map(|differs| !differs).collect(),
        spurious: known.spurious,
        idles: known.idles,
    }
}

impl<'t> Tracker<'t> {
    pub fn new(tracked: &'t Tracked) -> Tracker<'t> {
        let mut tracker = Tracker {
            tracked,
            threads: threads(tracked),
            watched: BTreeMap::new(),
            ends: BTreeMap::new(),
            known: Known::default(),
            current: Vec::new(),
        };
        for (index, (before, after)) in tracked.orders.iter().enumerate() {
            tracker.watch(before, What::Step(index, Earlier::First));
            tracker.watch(after, What::Step(index, Earlier::Second));
        }
        for (index, (input, _)) in tracked.inputs.iter().enumerate() {
            tracker.watch(input, What::Input(index));
        }
        tracker
    }

    fn watch(&mut self, point: &'t Point, what: What) {
        let Some(thread) = self.number(&point.thread) else { return };
        let Some(call) = point.moment.calls.last() else {
            return self.ends.entry(thread).or_default().push(what);
        };
        let place = (thread, call.function, call.block, call.index);
        self.watched.entry(place).or_default().push((&point.moment, what));
    }

    fn number(&self, thread: &[Moment]) -> Option<u32> {
        let index = self.threads.iter().position(|it| *it == thread)?;
        u32::try_from(index).ok()
    }

    /// Which of the threads of interest a thread is.
    fn thread(&self, id: ThreadId) -> Option<u32> {
        self.known.threads.get(id.0 as usize).copied().flatten()
    }

    /// What is watched of the place where a thread stands.
    fn standing(&self, state: &State, id: ThreadId) -> Vec<What> {
        let frames = &state.thread(id).frames;
        let (Some(thread), Some(frame)) = (self.thread(id), frames.last()) else {
            return Vec::new();
        };
        let index = u32::try_from(frame.index).unwrap_or(u32::MAX);
        let here = self.watched.get(&(thread, frame.function, frame.block, index));
        let here = here.into_iter().flatten().filter(|(moment, _)| moment.is_at(frames));
        here.map(|(_, what)| *what).collect()
    }

    /// Steps were executed.
    fn commit(&mut self, steps: &[What]) {
        for what in steps {
            if let What::Step(order, which) = *what {
                let first = &mut self.known.orders[order];
                if *first == Earlier::Neither {
                    *first = which;
                }
            }
        }
    }

    /// A thread was created: by the instruction where its creator stands.
    fn created(&mut self, state: &State, creator: ThreadId) {
        let parent = self.thread(creator).map(|number| self.threads[number as usize]);
        let frames = &state.thread(creator).frames;
        let is_it = |thread: &&[Moment]| match (parent, thread.split_last()) {
            (Some(parent), Some((moment, rest))) => rest == parent && moment.is_at(frames),
            _ => false,
        };
        let number = self.threads.iter().position(is_it);
        self.known.threads.push(number.and_then(|number| u32::try_from(number).ok()));
    }

    fn busy(&mut self, thread: ThreadId) -> &mut bool {
        let (busy, thread) = (&mut self.known.busy, thread.0 as usize);
        if busy.len() <= thread {
            busy.resize(thread + 1, false);
        }
        &mut busy[thread]
    }

    fn current(&mut self, thread: ThreadId) -> &mut Vec<What> {
        let thread = thread.0 as usize;
        if self.current.len() <= thread {
            self.current.resize(thread + 1, Vec::new());
        }
        &mut self.current[thread]
    }
}

/// Whether something lasts beyond a turn of a loop that does it. Locks are taken and given back; a
/// write may be of what was there, but that is not asked.
fn lasts(kind: &EventKind) -> bool {
    match kind {
        EventKind::Write
        | EventKind::Update
        | EventKind::Free
        | EventKind::Create(_)
        | EventKind::Join(_)
        | EventKind::Printed(Printed::End { is_stdout: true }) => true,
        EventKind::Sync(op, code) => match op.deed() {
            Deed::Lock | Deed::TryLock | Deed::TimedLock | Deed::Unlock => false,
            Deed::ReadLock | Deed::TryReadLock | Deed::TimedReadLock | Deed::WriteLock => false,
            Deed::Wait | Deed::Wake | Deed::TimedOut => false,
            Deed::SemTryWait | Deed::SemTimedWait => *code == Some(0),
            _ => true,
        },
        _ => false,
    }
}

/// All threads on the way to those of the points, `main` first.
fn threads(tracked: &Tracked) -> Vec<&[Moment]> {
    let steps = tracked.orders.iter().flat_map(|(before, after)| [before, after]);
    let points = steps.chain(tracked.inputs.iter().map(|(input, _)| input));
    let mut threads: Vec<&[Moment]> =
        points.flat_map(|point| (0..=point.thread.len()).map(|end| &point.thread[..end])).collect();
    threads.push(&[]);
    threads.sort_unstable();
    threads.dedup();
    threads
}

impl Observer for Tracker<'_> {
    fn resume(&mut self, known: Option<&Known>) {
        self.current.clear();
        self.known = known.cloned().unwrap_or_else(|| Known {
            threads: vec![Some(0)],
            orders: vec![Earlier::Neither; self.tracked.orders.len()],
            differs: vec![false; self.tracked.inputs.len()],
            ..Known::default()
        });
    }

    fn known(&self) -> Known {
        self.known.clone()
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        *self.current(thread) = self.standing(state, thread);
    }

    fn executed(&mut self, thread: ThreadId) {
        let steps = std::mem::take(self.current(thread));
        self.commit(&steps);
    }

    fn event(&mut self, state: &State, event: &Event) {
        if lasts(&event.kind) {
            *self.busy(event.thread) = true;
        }
        match event.kind {
            // That the handle is stored may be another step.
            EventKind::Create(_) => {
                self.created(state, event.thread);
                self.executed(event.thread);
            }
            EventKind::Exit(_) => self.executed(event.thread),
            EventKind::End => {
                let ends = self.thread(event.thread).and_then(|thread| self.ends.get(&thread));
                let ends = ends.cloned().unwrap_or_default();
                self.commit(&ends);
            }
            // The first part of a wait; the rest is another step.
            EventKind::Sync(_, None) => {
                let steps = self.standing(state, event.thread);
                self.commit(&steps);
            }
            EventKind::Read | EventKind::Write | EventKind::Update | EventKind::FailedUpdate => {
                let steps = self.standing(state, event.thread);
                self.commit(&steps);
            }
            _ => {}
        }
    }

    fn turned(&mut self, thread: ThreadId, same: bool) {
        let was_busy = std::mem::replace(self.busy(thread), false);
        self.known.idles |= same && !was_busy;
    }

    /// A signal ends the wait, so it is not asked how it ends; but it does not end by its time.
    fn woken(&mut self, state: &State, thread: ThreadId) {
        *self.busy(thread) = true;
        for what in self.standing(state, thread) {
            if let What::Input(index) = what {
                self.known.differs[index] |= self.tracked.inputs[index].1 == 0;
            }
        }
    }

    fn fails_in_operation(&mut self, thread: ThreadId) {
        let steps = std::mem::take(self.current(thread));
        self.commit(&steps);
    }

    fn decided(&mut self, choice: &Choice, value: u128) {
        let wakes = matches!(choice.kind, ChoiceKind::Pick { what: Pick::Wakeup, .. });
        self.known.spurious |= wakes && value == 1;
        for what in self.current(choice.thread).clone() {
            if let What::Input(index) = what {
                let expected = self.tracked.inputs[index].1;
                self.known.differs[index] |= expected != value;
            }
        }
    }
}
