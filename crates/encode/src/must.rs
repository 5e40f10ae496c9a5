//! Orders that hold in every run: program order, creation, and joins that nothing goes around.

use unravel_events::{EventGraph, StepId, ThreadId, handle};

/// For every step, how much of each thread must come before it.
#[derive(Debug)]
pub struct MustOrder {
    /// Index of each step in its thread, from 1.
    index: Vec<u32>,
    thread: Vec<ThreadId>,
    /// Per step and thread, the index of that thread's last step that comes before; 0 for none.
    before: Vec<Vec<u32>>,
    edges: Vec<(StepId, StepId)>,
}

impl MustOrder {
    /// The orders that hold in every run of a graph.
    #[must_use]
    pub fn of(graph: &EventGraph) -> MustOrder {
        let mut order = MustOrder {
            index: vec![0; graph.steps.len()],
            thread: graph.steps.iter().map(|step| step.thread).collect(),
            before: vec![vec![0; graph.threads.len()]; graph.steps.len()],
            edges: edges(graph),
        };
        for thread in &graph.threads {
            for (index, step) in (1u32..).zip(&thread.steps) {
                order.index[step.0 as usize] = index;
            }
        }
        // Nothing comes after the end.
        order.index[graph.end.0 as usize] = u32::MAX;
        // Cross edges mostly go forward in the list of steps, so few rounds are needed.
        while order.propagate(graph) {}
        order
    }

    fn propagate(&mut self, graph: &EventGraph) -> bool {
        let mut changed = false;
        for thread in &graph.threads {
            for pair in thread.steps.windows(2) {
                changed |= self.take_over(pair[0], pair[1]);
            }
        }
        for (from, to) in self.edges.clone() {
            changed |= self.take_over(from, to);
        }
        changed
    }

    /// What is before `from`, and `from` itself, is before `to`.
    fn take_over(&mut self, from: StepId, to: StepId) -> bool {
        let mut known = self.before[from.0 as usize].clone();
        let own = &mut known[self.thread[from.0 as usize].0 as usize];
        *own = (*own).max(self.index[from.0 as usize]);
        let mut changed = false;
        for (mine, theirs) in self.before[to.0 as usize].iter_mut().zip(known) {
            if theirs > *mine {
                *mine = theirs;
                changed = true;
            }
        }
        changed
    }

    /// Whether a step comes before another in every run that executes both.
    #[must_use]
    pub fn precedes(&self, a: StepId, b: StepId) -> bool {
        let reached = self.before[b.0 as usize][self.thread[a.0 as usize].0 as usize];
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
    for join in &graph.joins {
        let joined = graph.terms.as_const(join.handle).and_then(|number| {
            (0u32..).map(ThreadId).zip(&graph.threads).find(|(id, _)| handle(*id) == number)
        });
        // A join that some path goes around orders only what comes after it on its own path.
        if let Some((id, thread)) = joined
            && graph.step(join.step).sole
            && id != graph.step(join.step).thread
            && let Some(&end) = thread.steps.last()
        {
            edges.push((end, join.step));
        }
    }
    edges
}
