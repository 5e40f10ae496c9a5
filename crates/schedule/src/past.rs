//! What leads to a violation, in numbers that the interpreter knows.

use std::collections::{BTreeMap, VecDeque};

use unravel_encode::{Encoding, Reached};
use unravel_events::{FindingKind, InputKind, Position, StepId, ThreadId};
use unravel_interp::Property;
use unravel_solver::Model;
use unravel_term::Term;

/// A step to be carried out.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The thread that takes this step.
    pub thread: ThreadId,
    /// Instructions of the thread before it.
    pub instructions: u64,
    /// Bytes copied before it in its instruction.
    pub progress: u64,
    /// It is the end of the thread.
    pub is_end: bool,
    /// The step of the graph.
    pub step: StepId,
}

/// The part of a model's run that leads to a violation.
pub struct Past<'a> {
    encoding: &'a Encoding,
    model: &'a Model,
    /// Per thread, its steps in program order.
    pub threads: Vec<Vec<Target>>,
    /// Threads that each thread creates, in order.
    pub children: Vec<Vec<ThreadId>>,
    /// What is decided, by thread and instruction.
    pub inputs: BTreeMap<(ThreadId, u64), Inputs>,
    /// Whom signals wake, by thread and instruction.
    pub wakes: BTreeMap<(ThreadId, u64), ThreadId>,
    /// The thread that violates last, and its instructions before; `None` for a deadlock.
    pub violates: Option<(ThreadId, u64)>,
    /// What it ends in is a race.
    pub is_race: bool,
    /// Threads that wait in the end.
    pub waiting: Vec<ThreadId>,
    /// Threads that turn a loop for ever in the end.
    pub spinning: Vec<ThreadId>,
}

/// What is decided at one instruction: values, and choices between several ways.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Values, in the order they are asked for.
    pub values: VecDeque<u128>,
    /// Choices, in the order they are asked for.
    pub picks: VecDeque<u128>,
}

impl<'a> Past<'a> {
    /// What leads to `reached` in a model.
    pub fn of(encoding: &'a Encoding, model: &'a Model, reached: &Reached) -> Past<'a> {
        let deadlock = reached.kind == FindingKind::Violation(Property::Deadlock);
        Past::up_to(encoding, model, (!deadlock).then_some(reached))
    }

    /// All of a model's run, or what leads to something in it.
    pub fn up_to(encoding: &'a Encoding, model: &'a Model, reached: Option<&Reached>) -> Past<'a> {
        let mut past = Past {
            encoding,
            model,
            threads: vec![Vec::new(); encoding.graph().threads.len()],
            children: vec![Vec::new(); encoding.graph().threads.len()],
            inputs: BTreeMap::new(),
            wakes: BTreeMap::new(),
            violates: None,
            is_race: reached.is_some_and(|it| it.kind == FindingKind::Violation(Property::Race)),
            waiting: Vec::new(),
            spinning: Vec::new(),
        };
        encoding.valuation(model).with(|value| {
            let last = reached.and_then(|it| encoding.last_step(it.thread, it.position, value));
            past.enter_steps(value, last, reached);
            past.violates = reached.map(|it| {
                let segments = &encoding.graph().threads[it.thread.0 as usize].segments;
                (it.thread, Counter::of(segments, value).before(it.position))
            });
            past.enter_children(value);
            past.enter_inputs(value);
            past.enter_wakes(value);
            past.enter_waiting(value);
        });
        past
    }

    fn enter_steps(
        &mut self,
        value: &mut dyn FnMut(Term) -> u128,
        last: Option<StepId>,
        reached: Option<&Reached>,
    ) {
        let graph = &self.encoding.graph();
        for (index, thread) in graph.threads.iter().enumerate() {
            let counter = Counter::of(&thread.segments, value);
            for &id in &thread.steps {
                let step = graph.step(id);
                let in_past = last.is_none_or(|last| id == last || self.before(id, last));
                // The violating step itself is carried out last.
                let own = reached
                    .is_some_and(|it| it.thread == step.thread && step.position >= it.position);
                if value(step.passed) == 1 && in_past && !own {
                    self.threads[index].push(Target {
                        thread: step.thread,
                        instructions: counter.before(step.position),
                        progress: u64::from(step.position.progress),
                        is_end: thread.steps.last() == Some(&id),
                        step: id,
                    });
                }
            }
        }
    }

    fn enter_children(&mut self, value: &mut dyn FnMut(Term) -> u128) {
        let graph = &self.encoding.graph();
        let mut created: Vec<(StepId, ThreadId)> = Vec::new();
        for (id, thread) in (0u32..).map(ThreadId).zip(&graph.threads) {
            if let Some(step) = thread.created_by
                && value(thread.guard) == 1
            {
                created.push((step, id));
            }
        }
        created.sort_unstable();
        for (step, id) in created {
            self.children[graph.step(step).thread.0 as usize].push(id);
        }
    }

    fn enter_inputs(&mut self, value: &mut dyn FnMut(Term) -> u128) {
        let graph = &self.encoding.graph();
        let counters: Vec<Counter> =
            graph.threads.iter().map(|thread| Counter::of(&thread.segments, value)).collect();
        for input in &graph.inputs {
            if value(input.guard) == 1 {
                let counter = &counters[input.thread.0 as usize];
                let key = (input.thread, counter.before(input.position));
                let inputs = self.inputs.entry(key).or_default();
                let queue = match input.kind {
                    InputKind::Pick | InputKind::Wakeup => &mut inputs.picks,
                    InputKind::Value | InputKind::Memory => &mut inputs.values,
                };
                queue.push_back(value(input.value));
            }
        }
    }

    fn enter_wakes(&mut self, value: &mut dyn FnMut(Term) -> u128) {
        let graph = &self.encoding.graph();
        for signal in graph.signals.iter().filter(|it| !it.all) {
            let picked = signal.picks.iter().find(|(_, pick)| value(*pick) == 1);
            if let Some(&(wait, _)) = picked {
                let step = graph.step(signal.step);
                let segments = &graph.threads[step.thread.0 as usize].segments;
                let key = (step.thread, Counter::of(segments, value).before(step.position));
                let woken = graph.step(graph.cond_waits[wait].begin).thread;
                self.wakes.insert(key, woken);
            }
        }
    }

    fn enter_waiting(&mut self, value: &mut dyn FnMut(Term) -> u128) {
        for (id, thread) in (0u32..).map(ThreadId).zip(&self.encoding.graph().threads) {
            if thread.waits.iter().any(|wait| value(wait.guard) == 1) {
                self.waiting.push(id);
            }
            if thread.spins.iter().any(|spin| value(spin.guard) == 1) {
                self.spinning.push(id);
            }
        }
    }

    fn before(&self, a: StepId, b: StepId) -> bool {
        self.model.order().before(self.encoding.node(a), self.encoding.node(b))
    }

    /// Whether one step must come before another in this run.
    pub fn precedes(&self, a: &Target, b: &Target) -> bool {
        self.before(a.step, b.step)
    }
}

/// Counts the instructions of a thread.
struct Counter {
    /// Instructions executed before each segment.
    before: Vec<u64>,
}

impl Counter {
    fn of(segments: &[unravel_events::Segment], value: &mut dyn FnMut(Term) -> u128) -> Counter {
        let mut count = 0;
        let mut before = Vec::with_capacity(segments.len());
        for segment in segments {
            before.push(count);
            if value(segment.guard) == 1 {
                count += u64::from(segment.length);
            }
        }
        Counter { before }
    }

    fn before(&self, position: Position) -> u64 {
        let segment = self.before.get(position.segment as usize).copied().unwrap_or(0);
        segment + u64::from(position.index)
    }
}
