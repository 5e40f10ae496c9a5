//! A comparison as a report.

use unravel_compare::{Comparison, Trace};
use unravel_diagnose::Point;
use unravel_encode::Part;
use unravel_events::EventGraph;
use unravel_interp::Schedule;
use unravel_program::Program;
use unravel_report::model::{self, Difference, End, PassingRun};
use unravel_schedule::FailingRun;

use crate::diagnosed::letter;
use crate::points::Points;
use crate::rows;
use crate::tracked::{TrackedComparison, Tracker};

/// A failing run beside a passing one.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    pub program: &'a Program,
    pub graph: &'a EventGraph,
    /// The failing run.
    pub run: &'a FailingRun,
    /// What happens in it.
    pub trace: &'a Trace,
    pub comparison: &'a Comparison,
}

impl Compared<'_> {
    /// In the words of a report.
    pub fn words(
        &self,
        schedule: &Schedule,
        passing: &Schedule,
        method: String,
    ) -> model::Comparison {
        let distance = self.comparison.distance;
        model::Comparison {
            passing: passing_run(self.program, passing),
            operations: distance.operations,
            branches: distance.flips,
            flows: distance.flows,
            segments: distance.segments,
            switches: distance.switches,
            is_optimal: self.comparison.is_optimal,
            method,
            differences: self.differences(schedule, passing),
        }
    }

    /// The same in words that mean the same in every run.
    pub fn tracked(&self) -> TrackedComparison {
        let Compared { graph, trace, comparison, .. } = *self;
        let (steps, operations): (Vec<_>, Vec<_>) =
            Tracker { graph }.operations().into_iter().unzip();
        let place = |step| steps.iter().position(|it| it == step);
        TrackedComparison {
            operations,
            failing: trace.steps.iter().filter_map(place).collect(),
            passing: comparison.passing.decisions.clone(),
            distance: comparison.distance,
            is_optimal: comparison.is_optimal,
        }
    }

    /// The reads that see another write, one for each step.
    fn differences(&self, schedule: &Schedule, passing: &Schedule) -> Vec<Difference> {
        let Compared { program, graph, run, trace, comparison } = *self;
        let there = &comparison.passing;
        let here = Points { program, graph, steps: &run.steps, threads: &run.threads };
        let there = Points { program, graph, steps: &there.steps, threads: &there.threads };
        let point =
            |(access, _): Part| Point { step: graph.accesses[access].step, access: Some(access) };
        let mut seen = Vec::new();
        let mut differences = Vec::new();
        for read in trace.changed_flows(graph, &comparison.trace) {
            let step = graph.accesses[read.0].step;
            if seen.contains(&step) {
                continue;
            }
            seen.push(step);
            let source = |trace: &Trace| trace.flows.get(&read).copied().flatten();
            let failing = source(trace).map(|it| here.end(point(it), schedule, Some(passing)));
            let other = source(&comparison.trace);
            // Its step is that of the failing run, as of every end.
            let other = other.map(|it| End {
                step: here.end(point(it), schedule, Some(passing)).step,
                ..there.end(point(it), passing, Some(schedule))
            });
            differences.push(Difference {
                id: letter(differences.len()),
                read: here.end(point(read), schedule, Some(passing)),
                failing,
                passing: other,
                passing_value: there.end(point(read), passing, Some(schedule)).value,
            });
        }
        differences
    }
}

/// A passing run in the words of a report.
pub fn passing_run(program: &Program, run: &Schedule) -> PassingRun {
    PassingRun {
        threads: rows::threads(program, &run.threads),
        schedule: rows::steps(program, run),
        context_switches: run.context_switches(),
    }
}
