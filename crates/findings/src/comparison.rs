//! Two runs side by side.

use unravel_compare::{Comparison, Trace};
use unravel_diagnose::Point;
use unravel_encode::Part;
use unravel_events::EventGraph;
use unravel_interp::Schedule;
use unravel_program::Program;
use unravel_report::model::{self, Difference, End, Method};
use unravel_schedule::FailingRun;

use crate::names::Named;
use crate::order_ends::Ends;
use crate::steps::passing_run;

/// A failing run beside a passing one.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its steps are.
    pub graph: &'a EventGraph,
    /// The failing run.
    pub run: &'a FailingRun,
    /// What happens in it.
    pub trace: &'a Trace,
    /// What they have in common.
    pub comparison: &'a Comparison,
}

impl Compared<'_> {
    /// The comparison as a report shows it: `schedule` is the failing run carried out, `passing` the
    /// passing one.
    #[must_use]
    pub fn report(
        &self,
        schedule: &Schedule,
        passing: &Schedule,
        method: Method,
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

    /// The reads that see another write, one for each step.
    fn differences(&self, schedule: &Schedule, passing: &Schedule) -> Vec<Difference> {
        let Compared { program, graph, run, trace, comparison } = *self;
        let there = &comparison.passing;
        let here = Ends { program, graph, steps: &run.steps, threads: &run.threads };
        let there = Ends { program, graph, steps: &there.steps, threads: &there.threads };
        let (schedule, passing) = (&Named::of(program, schedule), &Named::of(program, passing));
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

/// `A`, `B`, …, `Z`, `A1`, …
#[must_use]
pub fn letter(index: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(index % 26).unwrap_or(0));
    match index / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
