//! Carries out a run on the interpreter.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};

use unravel_events::{StepId, ThreadId as Instance};
use unravel_interp::choice::{Choice, ChoiceKind, Chooser, Pick};
use unravel_interp::event::{Event, EventKind, Recorder};
use unravel_interp::fingerprint::fingerprint;
use unravel_interp::schedule::Decision;
use unravel_interp::state::{Frame, Pending, State, Status, Stuck, ThreadId};
use unravel_interp::{
    Hang, Hangs, Machine, Notes, Passed, Property, Readiness, Run, StepEnd, Violation,
};
use unravel_solver::Model;

use crate::GraphRun;
use crate::past::{Inputs, Past, Target};

/// Most steps that may be left when the steps of a model are done: what is private to the model, a
/// few for each thread. A thread that goes on beyond will not come to an end.
const MOST_LEFT: usize = 1 << 20;

/// Most instructions of a thread beyond the one that it should come to: a step goes on with local
/// work, and an end has some before it. A thread that goes on beyond will not come there, and may
/// poll for ever.
const MOST_BEYOND: u64 = 1 << 16;

/// Where a failing run ends that has several violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// In the first.
    First,
    /// In the one that is asked for: races before it are a matter of their own, and the program
    /// goes on after them.
    TheOne,
}

/// Most steps of threads that turn loops, until they come back to where they were.
const MOST_TURNED: usize = 1 << 10;

/// A model that the interpreter cannot follow: a bug of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Steps of the interpreter before it.
    pub at: usize,
    /// What is wrong, as a clause.
    pub why: String,
    /// The model says that threads turn loops for ever, and the interpreter sees a way on. That is no
    /// bug: the formula does not look into what other threads do in a turn.
    pub is_no_hang: bool,
}

/// A run that the interpreter has carried out.
pub struct Followed<E> {
    run: Run<E>,
    steps: Vec<StepId>,
    threads: Vec<Instance>,
}

impl<E> Followed<E> {
    /// With the model that it was made from.
    pub fn in_model(self, model: Model) -> GraphRun<E> {
        let Followed { run, steps, threads } = self;
        GraphRun { run, steps, threads, model }
    }
}

/// What the interpreter has done, as the model counts it.
struct Tracker {
    /// Instructions executed, by thread of the interpreter.
    executed: Vec<u64>,
    /// The thread of the model that each is.
    instances: Vec<Instance>,
    /// How many threads each has created.
    created: Vec<usize>,
    /// Threads that each thread of the model creates.
    children: Vec<Vec<Instance>>,
    inputs: BTreeMap<(Instance, u64), Inputs>,
    /// Whom signals wake, by thread and instruction.
    wakes: BTreeMap<(Instance, u64), Instance>,
    /// Which of those who wait the signal of the current step wakes.
    waiter: u128,
    /// What was decided in the current step.
    choices: Vec<u128>,
}

impl Tracker {
    fn add(&mut self, instance: Instance) {
        self.executed.push(0);
        self.instances.push(instance);
        self.created.push(0);
    }

    fn thread_of(&self, instance: Instance) -> Option<ThreadId> {
        let index = self.instances.iter().position(|&it| it == instance)?;
        u32::try_from(index).ok().map(ThreadId)
    }

    fn decide(&mut self, choice: &Choice) -> u128 {
        let thread = choice.thread.0 as usize;
        let key = (self.instances[thread], self.executed[thread]);
        let inputs = self.inputs.entry(key).or_default();
        let waiter = self.waiter;
        let value = match choice.kind {
            ChoiceKind::Input { width, .. } => {
                inputs.values.pop_front().unwrap_or(0) & unravel_interp::value::mask(width)
            }
            ChoiceKind::Pick { what: Pick::Waiter, .. } => waiter,
            ChoiceKind::Pick { options, .. } => {
                let most = u128::from(options.saturating_sub(1));
                inputs.picks.pop_front().unwrap_or(0).min(most)
            }
        };
        self.choices.push(value);
        value
    }
}

struct Watcher<'a>(&'a RefCell<Tracker>);

impl Chooser for Watcher<'_> {
    fn choose(&mut self, choice: &Choice) -> Option<u128> {
        Some(self.0.borrow_mut().decide(choice))
    }
}

impl Recorder for Watcher<'_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn record(&mut self, _state: &State, event: Event) {
        if let EventKind::Create(_) = event.kind {
            let mut tracker = self.0.borrow_mut();
            let creator = event.thread.0 as usize;
            let nth = tracker.created[creator];
            tracker.created[creator] += 1;
            let parent = tracker.instances[creator];
            let child = tracker.children[parent.0 as usize].get(nth).copied();
            tracker.add(child.unwrap_or(Instance(u32::MAX)));
        }
    }

    fn executed(&mut self, thread: ThreadId) {
        self.0.borrow_mut().executed[thread.0 as usize] += 1;
    }
}

/// A run in progress.
struct Follower<'a, 'p> {
    machine: &'a Machine<'p>,
    tracker: &'a RefCell<Tracker>,
    state: State,
    decisions: Vec<Decision>,
    notes: Notes,
    /// Races do not end the run.
    passes_races: bool,
    /// But this one does: its thread, and the instructions of it before.
    race: Option<(Instance, u64)>,
}

impl Tracker {
    fn of(past: &Past<'_>) -> RefCell<Tracker> {
        let mut tracker = Tracker {
            executed: Vec::new(),
            instances: Vec::new(),
            created: Vec::new(),
            children: past.children.clone(),
            inputs: past.inputs.clone(),
            wakes: past.wakes.clone(),
            waiter: 0,
            choices: Vec::new(),
        };
        tracker.add(Instance(0));
        RefCell::new(tracker)
    }
}

/// Carries out the steps in the given order, then the violating thread until it violates.
pub fn follow(
    machine: &Machine<'_>,
    past: &Past<'_>,
    order: &[Target],
    until: Until,
) -> Result<Followed<Violation>, Divergence> {
    let tracker = Tracker::of(past);
    let mut follower = Follower::new(machine, &tracker);
    follower.passes_races = until == Until::TheOne;
    follower.race = past.violates.filter(|_| past.is_race);
    for (at, target) in order.iter().enumerate() {
        if let Some(violation) = follower.reach(target)? {
            // Where another thread violates first, the rest has not been executed; but a thread
            // that is alone may have gone on in the same step.
            let expected = past.violates.and_then(|it| follower.thread(it.0).ok());
            let is_expected = expected == Some(violation.thread);
            let executed = |(index, target): &(usize, &Target)| {
                is_expected || *index <= at || follower.was_carried_out(target)
            };
            let executed = order.iter().enumerate().filter(executed).map(|(_, it)| *it).collect();
            return Ok(follower.finish(violation, executed));
        }
    }
    let violation = match past.violates {
        Some((instance, instructions)) => {
            follower.passes_races &= !past.is_race;
            follower.violate(instance, instructions)?
        }
        None => follower.come_to_wait(past)?,
    };
    Ok(follower.finish(violation, order.to_vec()))
}

/// Carries out the steps in the given order, then lets every thread go on as far as it can. Races
/// are a matter of their own and do not keep a run from passing.
pub fn follow_to_the_end(
    machine: &Machine<'_>,
    past: &Past<'_>,
    order: &[Target],
) -> Result<Followed<Passed>, Divergence> {
    let tracker = Tracker::of(past);
    let mut follower = Follower::new(machine, &tracker);
    follower.passes_races = true;
    for target in order {
        if let Some(violation) = follower.reach(target)? {
            return follower.diverged(format!("it violates something: {}", violation.kind.code()));
        }
    }
    follower.run_out()?;
    Ok(follower.finish(Passed, order.to_vec()))
}

impl<'a, 'p> Follower<'a, 'p> {
    fn new(machine: &'a Machine<'p>, tracker: &'a RefCell<Tracker>) -> Follower<'a, 'p> {
        let state = machine.initial();
        let (decisions, notes) = (Vec::new(), Notes::new());
        Follower { machine, tracker, state, decisions, notes, passes_races: false, race: None }
    }

    fn finish<E>(self, end: E, executed: Vec<Target>) -> Followed<E> {
        let steps = executed.iter().map(|target| target.step).collect();
        let threads = self.tracker.borrow().instances.clone();
        Followed { run: Run { decisions: self.decisions, end }, steps, threads }
    }

    /// Lets every thread go on as far as it can. None may be stopped by anything but waiting and
    /// the end of the process.
    fn run_out(&mut self) -> Result<(), Divergence> {
        let mut threads = self.state.thread_ids();
        let most = self.decisions.len() + MOST_LEFT;
        while let Some(thread) = threads.next() {
            let mut stepped = false;
            while self.machine.readiness(&self.state, thread) == Readiness::Ready {
                stepped = true;
                if self.decisions.len() > most {
                    return self.diverged(format!("thread T{} comes to no end", thread.0));
                }
                if let Some(violation) = self.step(thread)? {
                    return self
                        .diverged(format!("it violates something: {}", violation.kind.code()));
                }
            }
            if stepped {
                threads = self.state.thread_ids();
            }
        }
        for thread in self.state.thread_ids() {
            let status = &self.state.thread(thread).status;
            if matches!(status, Status::Stuck(reason) if *reason != Stuck::Exited) {
                return self.diverged(format!("thread T{} goes no further", thread.0));
            }
        }
        Ok(())
    }

    fn diverged<T>(&self, why: impl Into<String>) -> Result<T, Divergence> {
        let at = self.decisions.len();
        Err(Divergence { at, why: why.into(), is_no_hang: false })
    }

    fn thread(&self, instance: Instance) -> Result<ThreadId, Divergence> {
        match self.tracker.borrow().thread_of(instance) {
            Some(thread) => Ok(thread),
            None => self.diverged(format!("thread {} does not exist yet", instance.0)),
        }
    }

    /// Whether a step has been carried out.
    fn is_done(&self, thread: ThreadId, target: &Target) -> bool {
        // A return that ends the process is never counted, as nothing comes after it.
        let is_over = !self.state.thread(thread).is_running();
        if target.is_end || is_over {
            return is_over;
        }
        let executed = self.tracker.borrow().executed[thread.0 as usize];
        let progress = self.state.thread(thread).frames.last().map_or(0, Frame::progress);
        executed > target.instructions
            || executed == target.instructions && progress > target.progress
    }

    /// Whether a step has been carried out, by a thread that may not exist.
    fn was_carried_out(&self, target: &Target) -> bool {
        self.thread(target.thread).is_ok_and(|thread| self.is_done(thread, target))
    }

    /// That a thread has not gone far beyond an instruction.
    fn is_near(&self, thread: ThreadId, instructions: u64) -> Result<(), Divergence> {
        let executed = self.tracker.borrow().executed[thread.0 as usize];
        if executed <= instructions.saturating_add(MOST_BEYOND) {
            return Ok(());
        }
        self.diverged(format!("thread T{} goes beyond its instruction {instructions}", thread.0))
    }

    /// Steps a thread until it has carried out a step, or something is violated.
    fn reach(&mut self, target: &Target) -> Result<Option<Violation>, Divergence> {
        let thread = self.thread(target.thread)?;
        while !self.is_done(thread, target) {
            self.is_near(thread, target.instructions)?;
            if let Some(violation) = self.step(thread)? {
                return Ok(Some(violation));
            }
        }
        Ok(None)
    }

    /// Steps the violating thread until it violates.
    fn violate(&mut self, instance: Instance, at: u64) -> Result<Violation, Divergence> {
        let thread = self.thread(instance)?;
        loop {
            self.is_near(thread, at)?;
            if let Some(violation) = self.step(thread)? {
                return Ok(violation);
            }
        }
    }

    /// Steps the waiting threads up to where they wait: what is private to the model may take the
    /// interpreter a few steps.
    fn come_to_wait(&mut self, past: &Past<'_>) -> Result<Violation, Divergence> {
        for &instance in &past.waiting {
            let thread = self.thread(instance)?;
            let most = self.decisions.len() + MOST_LEFT;
            while self.machine.readiness(&self.state, thread) == Readiness::Ready {
                if self.decisions.len() > most {
                    return self.diverged(format!("thread T{} comes to no end", thread.0));
                }
                if let Some(violation) = self.step(thread)? {
                    return Ok(violation);
                }
            }
        }
        if past.spinning.is_empty() {
            return self.diverged("no deadlock at the end");
        }
        self.come_to_hang(&past.spinning)
    }

    /// Lets the threads that turn loops go on until they have come back to where they were.
    fn come_to_hang(&mut self, spinning: &[Instance]) -> Result<Violation, Divergence> {
        let mut hangs = Hangs::default();
        let mut seen = HashSet::new();
        let most = self.decisions.len() + MOST_TURNED;
        while self.decisions.len() <= most {
            let key =
                fingerprint(&self.state, u64::from(self.machine.program.target.pointer_bytes));
            let hang = self.machine.hang(&self.state, &mut hangs);
            if let Some(Hang { way, violation }) = hang {
                self.decisions.extend(way);
                return Ok(violation);
            }
            if !seen.insert(key) {
                break;
            }
            for &instance in spinning {
                let thread = self.thread(instance)?;
                if self.machine.readiness(&self.state, thread) == Readiness::Ready
                    && let Some(violation) = self.step(thread)?
                {
                    return Ok(violation);
                }
            }
        }
        let (at, why) = (self.decisions.len(), "the threads that spin go on".to_owned());
        Err(Divergence { at, why, is_no_hang: true })
    }

    /// Which of those who wait a signal wakes, if the thread is about to give one: as the
    /// interpreter numbers them.
    fn waiter(&self, thread: ThreadId) -> u128 {
        let Pending::Sync(request) = &self.state.thread(thread).pending else { return 0 };
        let Some(object) = self.state.sync.get(&request.place) else { return 0 };
        let tracker = self.tracker.borrow();
        let index = thread.0 as usize;
        let key = (tracker.instances[index], tracker.executed[index]);
        let woken = tracker.wakes.get(&key).and_then(|&instance| tracker.thread_of(instance));
        let mut waiting = object.waiting.clone();
        waiting.sort();
        let at = waiting.iter().position(|it| Some(*it) == woken);
        at.map_or(0, |at| at as u128)
    }

    /// Whether the run ends in a violation that it could go on from. A thread that goes on alone may
    /// come to the race that is asked for in a step that is only to lead there.
    fn ends_in(&self, violation: &Violation) -> bool {
        if violation.property() != Property::Race {
            return true;
        }
        let tracker = self.tracker.borrow();
        let thread = violation.thread.0 as usize;
        let is_asked_for = self.race.is_some_and(|(instance, instructions)| {
            tracker.instances[thread] == instance && tracker.executed[thread] > instructions
        });
        !self.passes_races || is_asked_for
    }

    fn step(&mut self, thread: ThreadId) -> Result<Option<Violation>, Divergence> {
        match self.machine.readiness(&self.state, thread) {
            Readiness::Ready | Readiness::Spurious => {}
            Readiness::Blocked => return self.diverged(format!("thread T{} waits", thread.0)),
            Readiness::Gone => {
                return self.diverged(format!("thread T{} goes no further", thread.0));
            }
        }
        self.tracker.borrow_mut().waiter = self.waiter(thread);
        let (mut chooser, mut recorder) = (Watcher(self.tracker), Watcher(self.tracker));
        let end = self.machine.step(
            &mut self.state,
            thread,
            &mut chooser,
            &mut recorder,
            &mut self.notes,
        );
        let choices = std::mem::take(&mut self.tracker.borrow_mut().choices);
        self.decisions.push(Decision { thread, choices });
        let soft = match end {
            StepEnd::Violated(violation) => return Ok(Some(violation)),
            StepEnd::Done(soft) => soft,
            StepEnd::Open(choice) => {
                return self.diverged(format!("no decision for {:?}", choice.kind));
            }
        };
        let mut soft = soft.into_iter().filter(|it| self.ends_in(it));
        Ok(soft.next().or_else(|| self.machine.deadlock(&self.state)))
    }
}
