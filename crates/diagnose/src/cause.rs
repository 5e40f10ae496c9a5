//! Causes: cores that the same change of the program would make impossible.
//!
//! One mistake shows in many cores: `x++` against `x++` has three, and more with every thread and
//! every turn of a loop. What a person wants to know is the mistake. So cores are put together
//! that one repair of the smallest kind kills (DESIGN §4): the same two regions of the text kept
//! from interleaving, or the same step made to come first, whichever threads and turns they were
//! found with.

use std::collections::BTreeSet;

use unravel_events::EventGraph;
use unravel_program::Program;

use crate::shape::{self, Pattern, Shape, Static};
use crate::{Core, Diagnosis, Failing, Reason};

/// A cause.
#[derive(Clone, Debug)]
pub struct Cause {
    /// Its name.
    pub pattern: Pattern,
    /// Its shape, in the run of its first core.
    pub shape: Shape,
    /// The failing runs whose cores it has, as indices; the one with the fewest orders first.
    pub runs: Vec<usize>,
}

/// Where in the text a core's regions or steps are.
#[derive(Clone, Debug)]
struct Footprint {
    torn: bool,
    sides: [BTreeSet<Static>; 2],
}

impl Footprint {
    fn of(program: &Program, graph: &EventGraph, shape: &Shape) -> Footprint {
        let text = |points: &[shape::Point]| -> BTreeSet<Static> {
            points.iter().map(|point| point.in_text(program, graph)).collect()
        };
        match shape {
            Shape::Torn { region, by } => Footprint {
                torn: true,
                sides: [text(&[region.first, region.last]), text(&[by.first, by.last])],
            },
            Shape::Early(pairs) => {
                let (before, after): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
                Footprint { torn: false, sides: [text(&before), text(&after)] }
            }
        }
    }

    /// Whether one repair serves both, and takes the other in if so.
    fn merge(&mut self, other: &Footprint) -> bool {
        let meets = |a: usize, b: usize| !self.sides[a].is_disjoint(&other.sides[b]);
        let (same, crossed) = if self.torn {
            (meets(0, 0) && meets(1, 1), meets(0, 1) && meets(1, 0))
        } else {
            // The same step comes too early, or the same one too late.
            (meets(0, 0) || meets(1, 1), false)
        };
        if self.torn != other.torn || !(same || crossed) {
            return false;
        }
        let (first, second) = if same { (0, 1) } else { (1, 0) };
        self.sides[0].extend(&other.sides[first]);
        self.sides[1].extend(&other.sides[second]);
        true
    }
}

/// The causes of the failing runs of a diagnosis that end in the same violation, best first:
/// fewest orders, then most cores.
#[must_use]
pub fn causes(
    program: &Program,
    graph: &EventGraph,
    diagnosis: &Diagnosis,
    runs: &[usize],
) -> Vec<Cause> {
    let mut found: Vec<(Footprint, Cause)> = Vec::new();
    for &run in runs {
        let failing = &diagnosis.runs[run];
        let Reason::Core(core) = &failing.reason else { continue };
        let shape = shape::shape(graph, core);
        let footprint = Footprint::of(program, graph, &shape);
        let pattern = shape::pattern(graph, failing, core, &shape);
        enter(&mut found, footprint, Cause { pattern, shape, runs: vec![run] });
    }
    let mut causes: Vec<Cause> = found.into_iter().map(|(_, cause)| cause).collect();
    for cause in &mut causes {
        choose_first(graph, diagnosis, cause);
    }
    causes.sort_by_key(|cause| {
        let first = &diagnosis.runs[cause.runs[0]];
        (members(first), std::cmp::Reverse(cause.runs.len()), cause.runs[0])
    });
    causes
}

/// Adds a cause, together with all earlier ones that it turns out to be one with.
fn enter(found: &mut Vec<(Footprint, Cause)>, mut footprint: Footprint, mut cause: Cause) {
    let mut at = 0;
    while at < found.len() {
        if footprint.merge(&found[at].0) {
            let (_, mut other) = found.remove(at);
            other.runs.append(&mut cause.runs);
            cause = other;
            // What it covers now may touch one that it did not before.
            at = 0;
        } else {
            at += 1;
        }
    }
    found.push((footprint, cause));
}

fn members(failing: &Failing) -> usize {
    match &failing.reason {
        Reason::Core(core) => core.members.len(),
        _ => 0,
    }
}

fn core_of(failing: &Failing) -> Option<&Core> {
    match &failing.reason {
        Reason::Core(core) => Some(core),
        _ => None,
    }
}

/// Puts the run with the fewest orders first and names the cause after it.
fn choose_first(graph: &EventGraph, diagnosis: &Diagnosis, cause: &mut Cause) {
    cause.runs.sort_by_key(|&run| (members(&diagnosis.runs[run]), run));
    let first = &diagnosis.runs[cause.runs[0]];
    if let Some(core) = core_of(first) {
        cause.shape = shape::shape(graph, core);
        cause.pattern = shape::pattern(graph, first, core, &cause.shape);
    }
    // Several variables in any of its cores: the region is about all of them.
    let several = cause.runs.iter().any(|&run| {
        let failing = &diagnosis.runs[run];
        let several = Pattern::AtomicityViolation { multi_variable: true };
        core_of(failing)
            .is_some_and(|core| shape::pattern(graph, failing, core, &cause.shape) == several)
    });
    if let Pattern::AtomicityViolation { multi_variable } = &mut cause.pattern {
        *multi_variable = several;
    }
}
