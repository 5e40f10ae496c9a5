//! Orders that hold in every run: program order, creation, and joins.
//!
//! A join that no path of its thread goes around orders all that comes after it. One that some path
//! goes around, as in a `main` that returns early if something is wrong, orders those later steps
//! that only paths through it reach; what is known of such a step is not known of the next.

use unravel_events::{EventGraph, Join, StepId, ThreadId, handle};
use unravel_watch::Alarm;

use crate::guards::Conjuncts;

/// For every step, how much of each thread must come before it.
#[derive(Debug)]
pub struct MustOrder {
    /// Index of each step in its thread, from 1.
    index: Vec<u32>,
    thread: Vec<ThreadId>,
    /// Per step and thread, the index of that thread's last step that comes before it, and before
    /// all that follow it; 0 for none.
    before: Vec<Vec<u32>>,
    /// The same of steps that come before it, but perhaps not before those that follow it.
    beside: Vec<Vec<u32>>,
    edges: Vec<(StepId, StepId)>,
    /// Ends of threads, each with a step that only those reach who joined it.
    conditional: Vec<(StepId, StepId)>,
}

impl MustOrder {
    /// The orders that hold in every run of a graph.
    #[must_use]
    pub fn of(graph: &EventGraph, guards: &mut Conjuncts, alarm: &Alarm) -> MustOrder {
        let mut order = MustOrder {
            index: vec![0; graph.steps.len()],
            thread: graph.steps.iter().map(|step| step.thread).collect(),
            before: vec![vec![0; graph.threads.len()]; graph.steps.len()],
            beside: vec![vec![0; graph.threads.len()]; graph.steps.len()],
            edges: edges(graph),
            conditional: conditional(graph, guards, alarm),
        };
        for thread in &graph.threads {
            for (index, step) in (1u32..).zip(&thread.steps) {
                order.index[step.0 as usize] = index;
            }
        }
        // Nothing comes after the end.
        order.index[graph.end.0 as usize] = u32::MAX;
        // Cross edges mostly go forward in the list of steps, so few rounds are needed.
        while order.propagate(graph, alarm) {}
        order
    }

    fn propagate(&mut self, graph: &EventGraph, alarm: &Alarm) -> bool {
        let mut changed = false;
        for thread in &graph.threads {
            for pair in alarm.until(thread.steps.windows(2)) {
                let known = self.up_to(pair[0]);
                changed |= raise(&mut self.before[pair[1].0 as usize], &known);
            }
        }
        for (from, to) in alarm.until(self.edges.clone()) {
            let known = self.all_up_to(from);
            changed |= raise(&mut self.before[to.0 as usize], &known);
        }
        for (from, to) in alarm.until(self.conditional.clone()) {
            let known = self.all_up_to(from);
            changed |= raise(&mut self.beside[to.0 as usize], &known);
        }
        changed && !alarm.rings()
    }

    /// What is before a step and all that follow it, and the step itself.
    fn up_to(&self, step: StepId) -> Vec<u32> {
        let mut known = self.before[step.0 as usize].clone();
        let own = &mut known[self.thread[step.0 as usize].0 as usize];
        *own = (*own).max(self.index[step.0 as usize]);
        known
    }

    /// All that is before a step, and the step itself.
    fn all_up_to(&self, step: StepId) -> Vec<u32> {
        let mut known = self.up_to(step);
        raise(&mut known, &self.beside[step.0 as usize]);
        known
    }

    /// Whether a step comes before another in every run that executes both.
    #[must_use]
    pub fn precedes(&self, a: StepId, b: StepId) -> bool {
        let thread = self.thread[a.0 as usize].0 as usize;
        let reached = self.before[b.0 as usize][thread].max(self.beside[b.0 as usize][thread]);
        reached >= self.index[a.0 as usize]
    }

    /// Edges between threads.
    #[must_use]
    pub fn edges(&self) -> &[(StepId, StepId)] {
        &self.edges
    }
}

fn edges(graph: &EventGraph) -> Vec<(StepId, StepId)> {
    let mut edges = Vec::new();
    edges.extend(graph.threads.iter().filter_map(|it| Some((*it.steps.last()?, graph.end))));
    for thread in &graph.threads {
        if let (Some(create), Some(&first)) = (thread.created_by, thread.steps.first()) {
            edges.push((create, first));
        }
    }
    for join in graph.joins.iter().filter(|it| graph.step(it.step).sole) {
        edges.extend(joined_end(graph, join).map(|end| (end, join.step)));
    }
    edges
}

/// Of joins that some path goes around: the end of the joined thread, and each later step that only
/// paths through the join reach. That the end comes before the join itself is left to the formula
/// (`joins`), from which all of these follow. One look at each pair of such a join and a later step.
fn conditional(graph: &EventGraph, guards: &mut Conjuncts, alarm: &Alarm) -> Vec<(StepId, StepId)> {
    let mut found = Vec::new();
    for join in graph.joins.iter().filter(|it| !graph.step(it.step).sole) {
        let Some(end) = joined_end(graph, join) else { continue };
        let thread = &graph.threads[graph.step(join.step).thread.0 as usize];
        let passed = graph.step(join.step).passed;
        let later = thread.steps.iter().skip_while(|it| **it != join.step).skip(1);
        let later = alarm.until(later);
        let behind =
            later.filter(|it| guards.implies(&graph.terms, graph.step(**it).guard, passed));
        found.extend(behind.map(|&step| (end, step)));
    }
    found
}

/// The last step of the thread that a join waits for, if it is always the same one.
fn joined_end(graph: &EventGraph, join: &Join) -> Option<StepId> {
    let number = graph.terms.as_const(join.handle)?;
    let mut threads = (0u32..).map(ThreadId).zip(&graph.threads);
    let (id, thread) = threads.find(|(id, _)| handle(*id) == number)?;
    if id == graph.step(join.step).thread { None } else { thread.steps.last().copied() }
}

/// Makes each number at least as large as another; whether that changed one.
fn raise(numbers: &mut [u32], others: &[u32]) -> bool {
    let mut changed = false;
    for (mine, theirs) in numbers.iter_mut().zip(others) {
        if theirs > mine {
            *mine = *theirs;
            changed = true;
        }
    }
    changed
}
