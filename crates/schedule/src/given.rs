//! A run that is given by its decisions, in the words of the graph: which steps it executes, what
//! it is given, and in which step it fails.
//!
//! Steps are found by their moments (`unravel_interp::moment`), which mean the same in every run, so
//! no model is needed. When a step counts as executed is as in `unravel_explore::outcomes`: with its
//! instruction, or with the word that it copies; the first part of a wait on its own; the return
//! that ends the process, too.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use unravel_events::{EventGraph, InputKind, StepId, ThreadId as Instance};
use unravel_interp::choice::{Choice, ChoiceKind, Chooser, Pick, Script};
use unravel_interp::event::{Event, EventKind, Recorder};
use unravel_interp::moment::Moment;
use unravel_interp::schedule::Decision;
use unravel_interp::state::{Frame, Pending, State, ThreadId};
use unravel_interp::{Machine, Notes, StepEnd};
use unravel_program::{BlockId, FunctionId};
use unravel_term::Term;

use crate::Divergence;

/// A run in the words of the graph.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The steps that it executes, in order.
    pub steps: Vec<StepId>,
    /// The step in which it fails, if it fails in one.
    pub stands_in: Option<StepId>,
    /// For each thread of the run, which of the graph it is. `None`: the graph has none.
    pub threads: Vec<Option<Instance>>,
    /// Inputs by index, with their values.
    pub inputs: Vec<(usize, u128)>,
    /// Variables of the graph that are true: which signal ends which wait.
    pub wakes: Vec<Term>,
    /// How often a loop turns, at most.
    pub most_turns: u32,
}

/// Finds a run again in a graph. `machine` counts the turns of loops: it has a bound
/// ([`unravel_interp::Config::unwind`]), however large.
///
/// # Errors
/// Decisions that are none of this program.
pub fn given(
    machine: &Machine<'_>,
    graph: &EventGraph,
    decisions: &[Decision],
) -> Result<Given, Divergence> {
    let finder = RefCell::new(Finder::new(graph));
    let mut state = machine.initial();
    let mut notes = Notes::new();
    for (at, decision) in decisions.iter().enumerate() {
        let diverged = |why: &str| Divergence { at, why: why.to_owned(), is_no_hang: false };
        if decision.thread.0 as usize >= state.threads.len() {
            return Err(diverged("a thread that does not exist yet"));
        }
        let waiting = waiting(&state, decision.thread);
        let mut chooser =
            Chosen { script: Script::new(decision.choices.clone()), finder: &finder, waiting };
        let mut recorder = Watcher(&finder);
        let end =
            machine.step(&mut state, decision.thread, &mut chooser, &mut recorder, &mut notes);
        match end {
            StepEnd::Open(_) => return Err(diverged("a decision is missing")),
            StepEnd::Violated(violation) => {
                let mut finder = finder.borrow_mut();
                finder.found.stands_in = finder.current.get(&violation.thread.0).copied();
            }
            StepEnd::Done(_) => {}
        }
    }
    Ok(finder.into_inner().found)
}

/// Who waits where a thread is about to signal, as the interpreter numbers them.
fn waiting(state: &State, thread: ThreadId) -> Vec<ThreadId> {
    let Pending::Sync(request) = &state.thread(thread).pending else { return Vec::new() };
    let mut waiting = state.sync.get(&request.place).map_or(Vec::new(), |it| it.waiting.clone());
    waiting.sort();
    waiting
}

/// An instruction of a thread of the graph.
type Place = (Instance, FunctionId, BlockId, u32);

struct Finder<'g> {
    graph: &'g EventGraph,
    steps: BTreeMap<Place, Vec<StepId>>,
    inputs: BTreeMap<Place, Vec<usize>>,
    executed: BTreeSet<StepId>,
    given: BTreeSet<usize>,
    /// Per thread, the step that it executes.
    current: BTreeMap<u32, StepId>,
    /// Per thread, what it may be given where it is.
    open: BTreeMap<u32, Vec<usize>>,
    found: Given,
}

fn place(thread: Instance, moment: &Moment) -> Option<Place> {
    let call = moment.calls.last()?;
    Some((thread, call.function, call.block, call.index))
}

impl<'g> Finder<'g> {
    fn new(graph: &'g EventGraph) -> Finder<'g> {
        let mut steps: BTreeMap<Place, Vec<StepId>> = BTreeMap::new();
        for &id in graph.threads.iter().flat_map(|thread| &thread.steps) {
            let step = graph.step(id);
            if let Some(place) = place(step.thread, &step.moment) {
                steps.entry(place).or_default().push(id);
            }
        }
        let mut inputs: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
        for (index, input) in graph.inputs.iter().enumerate() {
            if let Some(place) = place(input.thread, &input.moment) {
                inputs.entry(place).or_default().push(index);
            }
        }
        let found = Given { threads: vec![Some(Instance(0))], ..Given::default() };
        let (executed, given) = (BTreeSet::new(), BTreeSet::new());
        let (current, open) = (BTreeMap::new(), BTreeMap::new());
        Finder { graph, steps, inputs, executed, given, current, open, found }
    }

    fn instance(&self, thread: ThreadId) -> Option<Instance> {
        self.found.threads.get(thread.0 as usize).copied().flatten()
    }

    fn place_of(&self, state: &State, thread: ThreadId) -> Option<Place> {
        let frame = state.thread(thread).frames.last()?;
        let index = u32::try_from(frame.index).ok()?;
        Some((self.instance(thread)?, frame.function, frame.block, index))
    }

    /// The step that a thread stands before or in.
    fn standing(&self, state: &State, thread: ThreadId) -> Option<StepId> {
        let here = self.steps.get(&self.place_of(state, thread)?)?;
        let frames = &state.thread(thread).frames;
        here.iter().copied().find(|&id| self.graph.step(id).moment.is_at(frames))
    }

    /// What may be asked for in the instruction where a thread stands, in all its parts.
    fn asked(&self, state: &State, thread: ThreadId) -> Vec<usize> {
        let place = self.place_of(state, thread);
        let here = place.and_then(|place| self.inputs.get(&place));
        let frames = &state.thread(thread).frames;
        let progress = frames.last().map_or(0, Frame::progress);
        let is_here = |index: &&usize| {
            let calls = self.graph.inputs[**index].moment.calls.clone();
            Moment { calls, progress }.is_at(frames)
        };
        here.into_iter().flatten().filter(is_here).copied().collect()
    }

    fn commit(&mut self, step: Option<StepId>) {
        if let Some(step) = step
            && self.executed.insert(step)
        {
            self.found.steps.push(step);
        }
    }

    /// An instruction is done, with all its parts: those of a copy in memory that no other thread sees
    /// are no events of their own.
    fn commit_parts(&mut self, step: StepId) {
        let graph = self.graph;
        let moment = &graph.step(step).moment;
        let here = place(graph.step(step).thread, moment).and_then(|it| self.steps.get(&it));
        let is_part = |id: &StepId| graph.step(*id).moment.calls == moment.calls;
        let parts: Vec<StepId> = here.into_iter().flatten().copied().filter(is_part).collect();
        for part in parts {
            self.commit(Some(part));
        }
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        let (step, asked) = (self.standing(state, thread), self.asked(state, thread));
        match step {
            Some(step) => self.current.insert(thread.0, step),
            None => self.current.remove(&thread.0),
        };
        self.open.insert(thread.0, asked);
        let turns = state.thread(thread).frames.iter().flat_map(|frame| frame.turns.values());
        let most = turns.copied().max().unwrap_or(0);
        self.found.most_turns = self.found.most_turns.max(most);
    }

    fn created(&mut self, state: &State, creator: ThreadId, created: ThreadId) {
        let frames = &state.thread(creator).frames;
        let parent = self.instance(creator);
        let start = state.threads.get(created.0 as usize).map(|it| it.start);
        let here = |(_, thread): &(u32, &unravel_events::Thread)| {
            let by = thread.created_by.map(|step| self.graph.step(step));
            by.is_some_and(|by| Some(by.thread) == parent && by.moment.is_at(frames))
        };
        let starts = |it: &(u32, &unravel_events::Thread)| start == Some(it.1.start);
        let threads = || (0u32..).zip(&self.graph.threads);
        // Where several functions may be what a thread starts with, it has the name of one of them.
        let number = threads().find(|it| here(it) && starts(it)).or_else(|| threads().find(here));
        self.found.threads.push(number.map(|(number, _)| Instance(number)));
    }

    fn decided(&mut self, choice: &Choice, value: u128, waiting: &[ThreadId]) {
        if let ChoiceKind::Pick { what: Pick::Waiter, .. } = choice.kind {
            let woken = usize::try_from(value).ok().and_then(|at| waiting.get(at)).copied();
            return self.woken(choice.thread, woken);
        }
        let is_value = matches!(choice.kind, ChoiceKind::Input { .. });
        let fits = |index: &&usize| {
            let kind = self.graph.inputs[**index].kind;
            !self.given.contains(index) && is_value != kind.is_pick()
        };
        let open = self.open.get(&choice.thread.0);
        let asked = open.into_iter().flatten().find(fits).copied();
        if let Some(index) = asked.or_else(|| self.memory(choice)) {
            self.given.insert(index);
            self.found.inputs.push((index, value));
        }
    }

    /// What memory held that was never written has no moment: the graph does not ask at a place,
    /// but where the value matters first. The first that is open at this line is meant.
    fn memory(&self, choice: &Choice) -> Option<usize> {
        let instance = self.instance(choice.thread)?;
        let mut inputs = self.graph.inputs.iter().enumerate();
        let found = inputs.find(|(index, input)| {
            let here = (input.thread, input.site) == (instance, choice.site);
            here && input.kind == InputKind::Memory && !self.given.contains(index)
        });
        found.map(|(index, _)| index)
    }

    /// A signal ends the wait that a thread began last.
    fn woken(&mut self, signaler: ThreadId, woken: Option<ThreadId>) {
        let step = self.current.get(&signaler.0);
        let instance = woken.and_then(|thread| self.instance(thread));
        let begun = |wait: usize| {
            let begin = self.graph.cond_waits[wait].begin;
            let at = self.found.steps.iter().rposition(|&step| step == begin);
            at.filter(|_| Some(self.graph.step(begin).thread) == instance)
        };
        let signals = self.graph.signals.iter().filter(|it| Some(&it.step) == step);
        let picks = signals.flat_map(|it| it.picks.iter().copied());
        let last =
            picks.filter_map(|(wait, pick)| Some((begun(wait)?, pick))).max_by_key(|it| it.0);
        self.found.wakes.extend(last.map(|(_, pick)| pick));
    }
}

struct Chosen<'a, 'g> {
    script: Script,
    finder: &'a RefCell<Finder<'g>>,
    waiting: Vec<ThreadId>,
}

impl Chooser for Chosen<'_, '_> {
    fn choose(&mut self, choice: &Choice) -> Option<u128> {
        let value = self.script.choose(choice)?;
        self.finder.borrow_mut().decided(choice, value, &self.waiting);
        Some(value)
    }
}

struct Watcher<'a, 'g>(&'a RefCell<Finder<'g>>);

impl Recorder for Watcher<'_, '_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        self.0.borrow_mut().executing(state, thread);
    }

    fn executed(&mut self, thread: ThreadId) {
        let mut finder = self.0.borrow_mut();
        if let Some(step) = finder.current.remove(&thread.0) {
            finder.commit_parts(step);
        }
    }

    fn record(&mut self, state: &State, event: Event) {
        let mut finder = self.0.borrow_mut();
        let thread = event.thread;
        match event.kind {
            // What a new thread does on its own belongs to the step that creates it.
            EventKind::Create(created) => {
                finder.created(state, thread, created);
                let step = finder.current.remove(&thread.0);
                finder.commit(step);
            }
            EventKind::Exit(_) => {
                let step = finder.current.remove(&thread.0);
                finder.commit(step);
            }
            EventKind::End => {
                let instance = finder.instance(thread);
                let own = instance.map(|it| &finder.graph.threads[it.0 as usize]);
                let end = own.and_then(|it| it.steps.last().copied());
                finder.commit(end);
            }
            // The first part of a wait, or a word of what is copied; the rest is another step.
            EventKind::Sync(_, None)
            | EventKind::Read
            | EventKind::Write
            | EventKind::Update
            | EventKind::FailedUpdate => {
                let step = finder.standing(state, thread);
                finder.commit(step);
            }
            _ => {}
        }
    }
}
