//! The walk over the graph of states.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use unravel_interp::choice::{Choice, ChoiceKind, Script};
use unravel_interp::event::NoRecorder;
use unravel_interp::fingerprint::fingerprint;
use unravel_interp::run;
use unravel_interp::schedule::ThreadInfo;
use unravel_interp::{
    Config, Decision, Hangs, Machine, Notes, Readiness, Run, State, StepEnd, ThreadId, Violation,
};
use unravel_program::{Program, SiteId};

use unravel_watch::{Counts, Stopped, Watch};

use crate::{Exploration, Limits, domain};

/// Steps between two looks at the watch.
const WATCH_INTERVAL: usize = 32;

/// How a state was reached.
struct Node {
    parent: u32,
    thread: ThreadId,
    choices: Box<[u128]>,
}

/// A state with the way to it.
#[derive(Clone)]
struct Reached {
    state: Rc<State>,
    key: u128,
    node: u32,
}

/// A thread to be stepped from a state.
struct Due {
    reached: Reached,
    thread: ThreadId,
    /// A stretch begins here: what a thread does from a state without a switch.
    begins: bool,
}

/// What is known of a state that was seen.
#[derive(Default)]
struct Visited {
    /// The threads that have been stepped from it.
    stepped: u64,
    /// The stretch that last stepped from it.
    stretch: u32,
}

/// Fingerprints are uniform already.
#[derive(Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // A `u128` arrives as its bytes; any eight of them are a hash.
        for (index, &byte) in bytes.iter().take(8).enumerate() {
            self.0 |= u64::from(byte) << (8 * index);
        }
    }
}

pub(crate) struct Walk<'p> {
    machine: Machine<'p>,
    limits: Limits,
    constants: BTreeSet<u128>,
    nodes: Vec<Node>,
    visited: HashMap<u128, Visited, BuildHasherDefault<Identity>>,
    /// To be stepped on this level.
    now: Vec<Due>,
    /// Number of the stretch that is walked now.
    stretch: u32,
    hangs: Hangs,
    /// States of this level, whose other threads step on the next.
    later: Vec<Reached>,
    level: u32,
    found: Vec<Run<Violation>>,
    notes: Notes,
    sampled: BTreeSet<SiteId>,
    threads: Vec<ThreadInfo>,
    counts: Counts,
    /// A thread could have woken without a signal, and was not stepped.
    leaves_out_wakeups: bool,
}

impl<'p> Walk<'p> {
    pub fn new(program: &'p Program, config: Config, limits: Limits) -> Walk<'p> {
        Walk {
            machine: Machine::new(program, config),
            limits,
            constants: domain::constants(program),
            nodes: Vec::new(),
            visited: HashMap::default(),
            now: Vec::new(),
            stretch: 0,
            hangs: Hangs::default(),
            later: Vec::new(),
            level: 0,
            found: Vec::new(),
            notes: Notes::new(),
            sampled: BTreeSet::new(),
            threads: Vec::new(),
            counts: Counts::default(),
            leaves_out_wakeups: false,
        }
    }

    pub fn run(mut self, watch: &mut dyn Watch) -> Exploration {
        self.arrive(self.machine.initial(), u32::MAX, ThreadId(0), &[]);
        let mut levels = 0;
        let stopped = loop {
            if let Some(stopped) = self.level(watch) {
                break Some(stopped);
            }
            levels = self.level + 1;
            if self.later.is_empty() {
                levels = u32::MAX;
                break None;
            }
            if self.level >= self.limits.switches {
                break Some(Stopped::States);
            }
            if !self.next_level() {
                break watch.check(&self.counts).map(Stopped::Asked).or(Some(Stopped::States));
            }
        };
        if self.machine.config.alarm.rings() {
            // The process ends soon; to take millions of states apart would take longer.
            let states = (self.nodes, self.visited, self.now, self.later);
            std::mem::forget(states);
        }
        Exploration {
            levels: if self.leaves_out_wakeups { 0 } else { levels },
            found: self.found,
            notes: self.notes,
            sampled: self.sampled,
            stopped,
            threads: self.threads,
            counts: self.counts,
        }
    }

    /// Whether all that is left goes on with another thread; not if the alarm rang meanwhile.
    fn next_level(&mut self) -> bool {
        self.level += 1;
        let alarm = self.machine.config.alarm.clone();
        for reached in alarm.until(std::mem::take(&mut self.later).into_iter().rev()) {
            for thread in reached.state.thread_ids() {
                if self.can_step(&reached.state, thread) {
                    let reached = reached.clone();
                    self.now.push(Due { reached, thread, begins: true });
                }
            }
        }
        !alarm.rings()
    }

    fn can_step(&mut self, state: &State, thread: ThreadId) -> bool {
        let is_meant = self.limits.threads & (1 << (thread.0 % 64)) != 0;
        match self.machine.readiness(state, thread) {
            Readiness::Ready => is_meant,
            Readiness::Spurious => {
                self.leaves_out_wakeups |= !self.limits.spurious;
                is_meant && self.limits.spurious
            }
            Readiness::Blocked | Readiness::Gone => false,
        }
    }

    /// Everything that this many switches reach.
    fn level(&mut self, watch: &mut dyn Watch) -> Option<Stopped> {
        while let Some(Due { reached, thread, begins }) = self.now.pop() {
            self.stretch = self.stretch.wrapping_add(u32::from(begins));
            if let Some(stopped) = self.expand(&reached, thread, watch) {
                return Some(stopped);
            }
        }
        None
    }

    /// Whether to go on after a step.
    fn stop(&self, watch: &mut dyn Watch) -> Option<Stopped> {
        if self.limits.first_only && !self.found.is_empty() {
            return Some(Stopped::FirstViolation);
        }
        let sampled = !self.sampled.is_empty() && self.counts.steps > self.limits.steps_if_sampled;
        if self.counts.states >= self.limits.states || sampled {
            return Some(Stopped::States);
        }
        let is_due = self.counts.steps.is_multiple_of(WATCH_INTERVAL);
        if !is_due && !self.machine.config.alarm.rings() {
            return None;
        }
        watch.check(&self.counts).map(Stopped::Asked)
    }

    /// Steps a thread from a state, once for each way its choices can go.
    fn expand(
        &mut self,
        reached: &Reached,
        thread: ThreadId,
        watch: &mut dyn Watch,
    ) -> Option<Stopped> {
        let mark = 1u64 << (thread.0 % 64);
        match self.visited.get_mut(&reached.key) {
            Some(seen) if seen.stepped & mark != 0 => return None,
            Some(seen) => (seen.stepped, seen.stretch) = (seen.stepped | mark, self.stretch),
            None => {}
        }
        let mut open = vec![Vec::new()];
        while let Some(choices) = open.pop() {
            if let Some(stopped) = self.stop(watch) {
                return Some(stopped);
            }
            self.counts.steps += 1;
            let mut state = (*reached.state).clone();
            let mut script = Script::new(choices.clone());
            let end = self.machine.step(
                &mut state,
                thread,
                &mut script,
                &mut NoRecorder,
                &mut self.notes,
            );
            match end {
                StepEnd::Done(soft) => {
                    // A run ends with its first violation.
                    for violation in soft.into_iter().take(1) {
                        self.violation(violation, reached.node, thread, &choices);
                    }
                    self.arrive(state, reached.node, thread, &choices);
                }
                StepEnd::Violated(violation) => {
                    self.violation(violation, reached.node, thread, &choices);
                }
                StepEnd::Open(choice) => {
                    let values = self.values(&choice);
                    open.extend(values.into_iter().rev().map(|value| {
                        let mut longer = choices.clone();
                        longer.push(value);
                        longer
                    }));
                }
            }
        }
        self.stop(watch)
    }

    fn key(&self, state: &State) -> u128 {
        fingerprint(state, u64::from(self.machine.program.target.pointer_bytes))
    }

    /// The ways a choice can go, the most ordinary first.
    fn values(&mut self, choice: &Choice) -> Vec<u128> {
        match choice.kind {
            ChoiceKind::Pick { options, .. } => (0..u128::from(options)).collect(),
            ChoiceKind::Input { width, .. } if width <= self.limits.input_bits => {
                domain::all(width)
            }
            ChoiceKind::Input { width, .. } => {
                self.sampled.insert(choice.site);
                domain::samples(width, &self.constants)
            }
        }
    }

    /// Enters a state reached by a step of `thread`, who goes on without a switch.
    fn arrive(&mut self, state: State, parent: u32, thread: ThreadId, choices: &[u128]) {
        let mark = 1u64 << (thread.0 % 64);
        let key = self.key(&state);
        let is_new = match self.visited.entry(key) {
            Entry::Occupied(seen) if seen.get().stepped & mark != 0 => {
                if seen.get().stretch == self.stretch {
                    self.comes_back(&state, parent, thread, choices);
                }
                return;
            }
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(Visited::default());
                true
            }
        };
        let node = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(Node { parent, thread, choices: choices.into() });
        let reached = Reached { state: Rc::new(state), key, node };
        if is_new {
            self.count(&reached.state);
            if let Some(violation) = self.machine.deadlock(&reached.state) {
                let decisions = self.path(node);
                self.enter_violation(violation, decisions);
            }
            self.later.push(reached.clone());
        }
        if self.can_step(&reached.state, thread) {
            self.now.push(Due { reached, thread, begins: false });
        }
    }

    /// A thread has come back, without a switch, to a state that it went on from: it may turn a loop
    /// for ever. Every hang has such a thread, and each of its circles is closed once.
    fn comes_back(&mut self, state: &State, parent: u32, thread: ThreadId, choices: &[u128]) {
        if let Some(hang) = self.machine.hang(state, &mut self.hangs) {
            let mut decisions = self.path(parent);
            decisions.push(Decision { thread, choices: choices.to_vec() });
            decisions.extend(hang.way);
            self.enter_violation(hang.violation, decisions);
        } else if self.hangs.is_undecided() {
            self.notes.insert(self.machine.undecided_hang(state, thread));
        }
    }

    fn count(&mut self, state: &State) {
        self.counts.states += 1;
        self.counts.complete += usize::from(state.is_complete());
        self.counts.context_switches = self.level;
        if state.threads.len() > self.threads.len() {
            self.threads = run::threads(&self.machine, state);
            self.counts.threads = self.threads.len();
        }
    }

    fn violation(&mut self, violation: Violation, node: u32, thread: ThreadId, choices: &[u128]) {
        let mut decisions = self.path(node);
        decisions.push(Decision { thread, choices: choices.to_vec() });
        self.enter_violation(violation, decisions);
    }

    /// Keeps the first run to each violation.
    fn enter_violation(&mut self, violation: Violation, decisions: Vec<Decision>) {
        let run = Run { decisions, end: violation };
        if !self.found.iter().any(|known| known.fails_like(&run)) {
            self.found.push(run);
        }
    }

    /// The decisions that lead to a node.
    fn path(&self, node: u32) -> Vec<Decision> {
        let mut decisions = Vec::new();
        let mut at = node;
        // The root is its own step: the first state is reached by no decision.
        while let Some(node) = self.nodes.get(at as usize).filter(|node| node.parent != u32::MAX) {
            decisions.push(Decision { thread: node.thread, choices: node.choices.to_vec() });
            at = node.parent;
        }
        decisions.reverse();
        decisions
    }
}
