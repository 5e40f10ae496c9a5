//! The walk over states together with what is known about the watched steps.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

use unravel_interp::choice::{Choice, ChoiceKind, Chooser, InputSource, Script};
use unravel_interp::event::{Event, Recorder};
use unravel_interp::fingerprint::fingerprint;
use unravel_interp::state::{Pending, Status, Stuck};
use unravel_interp::{
    Config, Hangs, Machine, Notes, Property, Readiness, State, StepEnd, ThreadId, Violation,
};
use unravel_program::library::Action;
use unravel_program::{Op, Program};

use crate::{Counts, Limits, Watch, domain};

/// States between two looks at the watch.
const WATCH_INTERVAL: usize = 256;

/// Steps per state, on average, beyond which there are too many: a step may ask for several inputs.
const MOST_STEPS: usize = 10;

/// What an observer knows about the run so far. Equal states with equal knowledge have the same
/// future, for the program and for the observer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Known {
    /// Which thread each thread of the interpreter is, as the observer numbers them.
    pub threads: Vec<Option<u32>>,
    /// Per order, which of its steps came first.
    pub orders: Vec<Earlier>,
    /// Per input, whether it was answered otherwise.
    pub differs: Vec<bool>,
    /// Somebody woke without a signal.
    pub spurious: bool,
    /// Per thread, whether it did something in the current turn of a loop that lasts.
    pub busy: Vec<bool>,
    /// Some turn of a loop changed nothing: the run is longer than it needs to be.
    pub idles: bool,
}

/// Which of two steps came first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Earlier {
    /// Neither was executed.
    #[default]
    Neither,
    /// The first.
    First,
    /// The second.
    Second,
}

/// Watches runs.
pub trait Observer {
    /// Goes on from here: the state's run, or at first that of no step at all.
    fn resume(&mut self, known: Option<&Known>);
    /// What is known now.
    fn known(&self) -> Known;
    /// A thread is about to execute an instruction.
    fn executing(&mut self, state: &State, thread: ThreadId);
    /// It has.
    fn executed(&mut self, thread: ThreadId);
    /// Something happened in the instruction that is being executed.
    fn event(&mut self, state: &State, event: &Event);
    /// A thread comes to the head of a loop, perhaps as it began the turn before.
    fn turned(&mut self, _thread: ThreadId, _same: bool) {}
    /// A thread is woken by a signal.
    fn woken(&mut self, _state: &State, _thread: ThreadId) {}
    /// Something was decided in it.
    fn decided(&mut self, choice: &Choice, value: u128);
    /// The run fails in the operation on a synchronization object that a thread executes.
    fn fails_in_operation(&mut self, thread: ThreadId);
}

/// How runs end.
#[derive(Debug, Default)]
pub struct Ends {
    /// Those that pass.
    pub passing: BTreeSet<Known>,
    /// Those that fail.
    pub failing: BTreeSet<Known>,
    /// All were seen.
    pub is_exhaustive: bool,
    /// Some asked what memory holds that was never written.
    pub reads_undefined: bool,
}

/// A walk over all runs, depth first.
pub struct Product<'p> {
    machine: Machine<'p>,
    /// Most states.
    limit: usize,
    constants: BTreeSet<u128>,
    visited: HashSet<(u128, Known)>,
    hangs: Hangs,
    steps: usize,
    /// To be stepped.
    open: Vec<(State, Known)>,
    notes: Notes,
    /// Some input did not take every value.
    is_sampled: bool,
    ends: Ends,
}

impl<'p> Product<'p> {
    pub fn new(program: &'p Program, config: Config, limit: usize) -> Product<'p> {
        Product {
            machine: Machine::new(program, config),
            limit,
            constants: domain::constants(program),
            visited: HashSet::new(),
            hangs: Hangs::default(),
            steps: 0,
            open: Vec::new(),
            notes: Notes::new(),
            is_sampled: false,
            ends: Ends::default(),
        }
    }

    pub fn run<O: Observer>(&mut self, observer: O, watch: &mut dyn Watch) -> (Ends, O) {
        let observer = RefCell::new(observer);
        observer.borrow_mut().resume(None);
        let known = observer.borrow().known();
        self.arrive(self.machine.initial(), known);
        let mut is_over = false;
        while !is_over && let Some((state, known)) = self.open.pop() {
            for thread in state.thread_ids() {
                if self.can_step(&state, thread) {
                    self.expand(&state, &known, thread, &observer);
                }
            }
            is_over = self.is_full() || self.is_stopped(watch);
        }
        let mut ends = std::mem::take(&mut self.ends);
        let is_cut = self.is_sampled || !self.notes.is_empty();
        ends.is_exhaustive = !is_over && !is_cut;
        (ends, observer.into_inner())
    }

    fn is_full(&self) -> bool {
        self.visited.len() > self.limit || self.steps / MOST_STEPS > self.limit
    }

    fn is_stopped(&self, watch: &mut dyn Watch) -> bool {
        let states = self.visited.len();
        let looks = states.is_multiple_of(WATCH_INTERVAL);
        looks && watch.check(&Counts { states, ..Counts::default() }).is_some()
    }

    fn can_step(&self, state: &State, thread: ThreadId) -> bool {
        matches!(self.machine.readiness(state, thread), Readiness::Ready | Readiness::Spurious)
    }

    /// Steps a thread, once for each way its choices can go.
    fn expand<O: Observer>(
        &mut self,
        state: &State,
        known: &Known,
        thread: ThreadId,
        observer: &RefCell<O>,
    ) {
        let mut open = vec![Vec::new()];
        while !self.is_full()
            && let Some(choices) = open.pop()
        {
            self.steps += 1;
            let mut next = state.clone();
            observer.borrow_mut().resume(Some(known));
            if is_signaled(state, thread) {
                observer.borrow_mut().woken(state, thread);
            }
            let mut chooser = Decider { script: Script::new(choices.clone()), observer };
            let mut recorder = Watched(observer);
            let notes = &mut self.notes;
            let end = self.machine.step(&mut next, thread, &mut chooser, &mut recorder, notes);
            if matches!(end, StepEnd::Violated(_)) && self.stands_at_operation(&next, thread) {
                observer.borrow_mut().fails_in_operation(thread);
            }
            let mut known = observer.borrow().known();
            known.spurious |= self.machine.readiness(state, thread) == Readiness::Spurious;
            match end {
                StepEnd::Done(soft) if soft.iter().all(is_race) => self.arrive(next, known),
                StepEnd::Done(_) | StepEnd::Violated(_) => {
                    self.ends.failing.insert(known);
                }
                StepEnd::Open(choice) => {
                    let longer = |value| [&choices[..], &[value]].concat();
                    open.extend(self.values(&choice).into_iter().map(longer));
                }
            }
        }
    }

    /// Whether the instruction of a thread is an operation on a synchronization object.
    fn stands_at_operation(&self, state: &State, thread: ThreadId) -> bool {
        let Some(frame) = state.thread(thread).frames.last() else { return false };
        let block = self.machine.program.function(frame.function).block(frame.block);
        let instruction = block.instructions.get(frame.index).map(|it| &it.op);
        matches!(instruction, Some(Op::Library { primitive, .. })
            if matches!(primitive.action(), Action::Sync(..)))
    }

    /// The ways a choice can go.
    fn values(&mut self, choice: &Choice) -> Vec<u128> {
        if let ChoiceKind::Input { source: InputSource::Uninitialized, .. } = choice.kind {
            self.ends.reads_undefined = true;
        }
        match choice.kind {
            ChoiceKind::Pick { options, .. } => (0..u128::from(options)).collect(),
            ChoiceKind::Input { width, .. } if width <= Limits::default().input_bits => {
                domain::all(width)
            }
            ChoiceKind::Input { width, .. } => {
                self.is_sampled = true;
                domain::samples(width, &self.constants)
            }
        }
    }

    fn arrive(&mut self, state: State, known: Known) {
        let pointer_bytes = u64::from(self.machine.program.target.pointer_bytes);
        let key = (fingerprint(&state, pointer_bytes), known.clone());
        if !self.visited.insert(key) {
            return;
        }
        let hang = self.machine.hang(&state, &mut self.hangs);
        let hangs = hang.is_some_and(|hang| hang.way.is_empty());
        if hangs || self.machine.deadlock(&state).is_some() {
            self.ends.failing.insert(known);
            return;
        }
        if self.passes(&state) {
            self.ends.passing.insert(known.clone());
        }
        self.open.push((state, known));
    }

    /// Whether a run may end here and passes: nobody has to go on, and nobody was stopped.
    fn passes(&self, state: &State) -> bool {
        let is_ready = |id| self.machine.readiness(state, id) == Readiness::Ready;
        let is_fine = |id| match state.thread(id).status {
            Status::Running | Status::Ended => true,
            Status::Stuck(reason) => reason == Stuck::Exited,
        };
        // Who sleeps on something that is gone may have been woken, which nobody can tell any more.
        let is_orphan = |id| match &state.thread(id).pending {
            Pending::Sync(request) => state.object(request.place.0).is_none(),
            _ => false,
        };
        let mut threads = state.thread_ids();
        !state.dead && threads.all(|id| is_fine(id) && !is_ready(id) && !is_orphan(id))
    }
}

/// Whether a thread stands at a wait that a signal has ended.
fn is_signaled(state: &State, thread: ThreadId) -> bool {
    let Pending::Sync(request) = &state.thread(thread).pending else { return false };
    let object = state.sync.get(&request.place);
    object.is_some_and(|object| object.released.contains(&thread))
}

/// Whether a violation is a race: a matter of its own, which keeps no run from passing.
fn is_race(violation: &Violation) -> bool {
    violation.property() == Property::Race
}

/// Tells the observer what is decided.
struct Decider<'a, O> {
    script: Script,
    observer: &'a RefCell<O>,
}

impl<O: Observer> Chooser for Decider<'_, O> {
    fn choose(&mut self, choice: &Choice) -> Option<u128> {
        let value = self.script.choose(choice)?;
        self.observer.borrow_mut().decided(choice, value);
        Some(value)
    }
}

/// Tells the observer what is done.
struct Watched<'a, O>(&'a RefCell<O>);

impl<O: Observer> Recorder for Watched<'_, O> {
    fn wants_events(&self) -> bool {
        true
    }

    fn record(&mut self, state: &State, event: Event) {
        self.0.borrow_mut().event(state, &event);
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        self.0.borrow_mut().executing(state, thread);
    }

    fn executed(&mut self, thread: ThreadId) {
        self.0.borrow_mut().executed(thread);
    }

    fn turned(&mut self, thread: ThreadId, same: bool) {
        self.0.borrow_mut().turned(thread, same);
    }
}
