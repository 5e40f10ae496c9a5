//! The cheapest passing run, by uniform-cost search over the states of the interpreter together
//! with what the cost of a run depends on.
//!
//! States are taken by increasing cost, so the first complete one that passes is the cheapest. Equal
//! states with equal knowledge cost the same from there on, so each is visited once.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use unravel_explore::{Limits, domain};
use unravel_interp::choice::{Choice, ChoiceKind};
use unravel_interp::fingerprint::fingerprint;
use unravel_interp::memory::ObjectKind;
use unravel_interp::run::hang_at;
use unravel_interp::state::{Status, Stuck};
use unravel_interp::{Machine, Notes, Readiness, State, StepEnd, ThreadId};

use super::cost::{Cost, Failing, Progress, Rank, advanced, distance};
use super::watch::{Access, Asked, Happening, Known, OTHER, SharedWatcher, Watcher, Words};

/// Most states, and steps, of a search.
const STATES: usize = 100_000;
const STEPS: usize = 1_000_000;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cheapest {
    /// No passing run costs less.
    Run(Cost),
    /// No run passes.
    NonePasses,
    /// Not all runs could be seen, and why.
    Unknown(&'static str),
}

/// A step of a run, with those before it.
struct Link {
    before: Option<Rc<Link>>,
    seen: Vec<Happening>,
}

struct Node {
    state: State,
    known: Known,
    progress: Progress,
    cost: Cost,
    run: Option<Rc<Link>>,
}

pub struct Search<'s> {
    machine: &'s Machine<'s>,
    words: &'s Words<'s>,
    failing: &'s Failing,
    /// The inputs of the failing run.
    inputs: &'s BTreeMap<Asked, u128>,
    equal_weights: bool,
    nodes: Vec<Option<Node>>,
    open: BinaryHeap<(Reverse<Rank>, usize)>,
    visited: HashMap<(u128, u64, u64), Rank>,
    /// Writes that some read of the failing run sees.
    sources: BTreeSet<Access>,
    steps: usize,
    notes: Notes,
    problem: Option<&'static str>,
}

impl<'s> Search<'s> {
    pub fn new(
        machine: &'s Machine<'s>,
        words: &'s Words<'s>,
        failing: &'s Failing,
        inputs: &'s BTreeMap<Asked, u128>,
        equal_weights: bool,
    ) -> Search<'s> {
        Search {
            machine,
            words,
            failing,
            inputs,
            equal_weights,
            nodes: Vec::new(),
            open: BinaryHeap::new(),
            visited: HashMap::new(),
            sources: failing.flows.values().flatten().copied().collect(),
            steps: 0,
            notes: Notes::new(),
            problem: None,
        }
    }

    /// The cheapest run, or what is wrong with the search itself.
    pub fn run(mut self) -> Result<Cheapest, String> {
        self.arrive(Node {
            state: self.machine.initial(),
            known: Watcher::at_first(),
            progress: Progress::default(),
            cost: Cost::default(),
            run: None,
        });
        let mut cheapest = Cheapest::NonePasses;
        while let Some((_, index)) = self.open.pop() {
            let Some(node) = self.nodes[index].take() else { continue };
            self.expand_unnoticed(&node);
            if passes(self.machine, &node.state) && node.known.unnoticed.is_empty() {
                self.recount(&node)?;
                cheapest = Cheapest::Run(node.cost);
                break;
            }
            for thread in node.state.thread_ids() {
                if self.machine.readiness(&node.state, thread) == Readiness::Ready {
                    self.expand(&node, thread);
                }
            }
            let is_full = self.visited.len() > STATES || self.steps > STEPS;
            if is_full {
                self.problem = self.problem.or(Some("too many states"));
            }
            if let Some(problem) = self.problem {
                return Ok(Cheapest::Unknown(problem));
            }
        }
        if !self.words.is_plain() {
            return Ok(Cheapest::Unknown("accesses overlap in part"));
        }
        if !self.notes.is_empty() {
            return Ok(Cheapest::Unknown("some run was cut"));
        }
        Ok(cheapest)
    }

    /// The sum of what the steps cost is the distance of the whole.
    fn recount(&self, node: &Node) -> Result<(), String> {
        let mut parts = Vec::new();
        let mut link = node.run.as_ref();
        while let Some(it) = link {
            parts.push(&it.seen);
            link = it.before.as_ref();
        }
        let run: Vec<Happening> = parts.into_iter().rev().flatten().copied().collect();
        let distance = distance(self.failing, &run);
        if distance == node.cost {
            return Ok(());
        }
        Err(format!("oracle: {:?} step by step, {distance:?} by definition", node.cost))
    }

    /// Takes note of what nobody else has noticed: others may have stepped before it.
    fn expand_unnoticed(&mut self, node: &Node) {
        let begun = node.known.unnoticed.iter().filter(|it| !node.known.is_unborn(*it.0));
        for (thread, operations) in begun {
            let mut known = node.known.clone();
            known.unnoticed.insert(*thread, operations[1..].to_vec());
            self.follow(node, node.state.clone(), known, vec![Happening::Step(operations[0])]);
        }
    }

    /// Steps a thread, once for each way its choices can go.
    fn expand(&mut self, node: &Node, thread: ThreadId) {
        let mut open = vec![Vec::new()];
        while self.problem.is_none()
            && self.steps <= STEPS
            && let Some(choices) = open.pop()
        {
            self.steps += 1;
            let mut state = node.state.clone();
            let known = node.known.clone();
            let watcher = Watcher::new(self.words, known, self.inputs, (thread, choices.clone()));
            let (mut chooser, mut recorder) = (SharedWatcher(&watcher), SharedWatcher(&watcher));
            let notes = &mut self.notes;
            let end = self.machine.step(&mut state, thread, &mut chooser, &mut recorder, notes);
            let watcher = watcher.into_inner();
            if watcher.reads_undefined {
                self.problem = Some("memory is read that was never written");
            }
            match end {
                StepEnd::Done(soft) if soft.is_empty() && !watcher.spurious => {
                    self.follow(node, state, watcher.known, watcher.seen);
                }
                StepEnd::Done(_) | StepEnd::Violated(_) => {}
                StepEnd::Open(choice) => {
                    let longer = |value| [&choices[..], &[value]].concat();
                    open.extend(self.values(&choice).into_iter().map(longer));
                }
            }
        }
    }

    fn values(&mut self, choice: &Choice) -> Vec<u128> {
        match choice.kind {
            ChoiceKind::Pick { options, .. } => (0..u128::from(options)).collect(),
            ChoiceKind::Input { width, .. } if width <= Limits::default().input_bits => {
                domain::all(width)
            }
            ChoiceKind::Input { .. } => {
                self.problem = Some("an input of its own has too many values");
                Vec::new()
            }
        }
    }

    fn follow(&mut self, node: &Node, state: State, mut known: Known, seen: Vec<Happening>) {
        let mut progress = node.progress.clone();
        let cost = advanced(self.failing, &mut progress, &seen, node.cost);
        for write in known.writers.values_mut() {
            if !self.sources.contains(write) {
                *write = OTHER;
            }
        }
        for operations in known.unnoticed.values_mut() {
            operations.retain(|&step| self.failing.has(step));
        }
        known.unnoticed.retain(|_, operations| !operations.is_empty());
        known.forget_births();
        let run = Some(Rc::new(Link { before: node.run.clone(), seen }));
        self.arrive(Node { state, known, progress, cost, run });
    }

    fn arrive(&mut self, node: Node) {
        if self.machine.deadlock(&node.state).is_some()
            || hang_at(self.machine, &node.state).is_some()
        {
            return;
        }
        let cost = node.cost.by(self.equal_weights);
        let key = self.key(&node);
        if self.visited.get(&key).is_some_and(|seen| *seen <= cost) {
            return;
        }
        self.visited.insert(key, cost);
        self.open.push((Reverse(cost), self.nodes.len()));
        self.nodes.push(Some(node));
    }

    fn key(&self, node: &Node) -> (u128, u64, u64) {
        let pointer_bytes = u64::from(self.machine.program.target.pointer_bytes);
        let state = fingerprint(&node.state, pointer_bytes);
        let half = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, &node.known, &node.progress).hash(&mut hasher);
            names(node).hash(&mut hasher);
            hasher.finish()
        };
        (state, half(0), half(1))
    }
}

/// Whether a run may end here and passes, as `unravel_explore::outcomes` has it.
pub fn passes(machine: &Machine<'_>, state: &State) -> bool {
    let is_ready = |id| machine.readiness(state, id) == Readiness::Ready;
    let is_fine = |id| match state.thread(id).status {
        Status::Running | Status::Ended => true,
        Status::Stuck(reason) => reason == Stuck::Exited,
    };
    !state.dead && state.thread_ids().all(|id| is_fine(id) && !is_ready(id))
}

/// Which objects are called how: a fingerprint does not tell states apart in which two blocks have
/// each other's names, but what is known of writes does.
fn names(node: &Node) -> Vec<unravel_interp::memory::ObjectId> {
    if node.known.writers.keys().all(|(object, _)| object.kind == ObjectKind::Global) {
        return Vec::new();
    }
    let frames = node.state.threads.iter().flat_map(|thread| &thread.frames);
    let held = frames.flat_map(|frame| {
        frame.registers.iter().filter_map(|it| it.provenance).chain(frame.objects.iter().copied())
    });
    let stored = node.state.objects.values().flat_map(|object| object.pointers()).map(|it| it.1);
    held.chain(stored).collect()
}
