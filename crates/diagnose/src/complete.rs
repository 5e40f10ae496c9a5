//! Which orders hold in a complete run.

use unravel_encode::Encoding;
use unravel_events::StepId;
use unravel_solver::Model;

/// The steps of a complete run, by their place in it.
pub struct CompleteRun {
    place: Vec<Option<usize>>,
}

impl CompleteRun {
    /// The run of a model.
    #[must_use]
    pub fn of(encoding: &Encoding, model: &Model) -> CompleteRun {
        let graph = encoding.graph();
        let linear = &model.order().linear;
        let mut at_node = vec![0; linear.len()];
        for (at, node) in linear.iter().enumerate() {
            at_node[node.0 as usize] = at;
        }
        let place = encoding.valuation(model).with(|value| {
            let steps = (0u32..).map(StepId).zip(&graph.steps);
            let place = steps.map(|(id, step)| {
                (value(step.passed) == 1).then(|| at_node[encoding.node(id).0 as usize])
            });
            place.collect()
        });
        CompleteRun { place }
    }

    /// Whether it executes one step, and the other later or not at all.
    #[must_use]
    pub fn holds(&self, before: StepId, after: StepId) -> bool {
        match (self.place[before.0 as usize], self.place[after.0 as usize]) {
            (Some(first), Some(second)) => first < second,
            (first, _) => first.is_some(),
        }
    }
}
