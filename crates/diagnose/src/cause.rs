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
use crate::{Core, Diagnosis, Explained, Reason};

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
enum Footprint {
    /// The lines of two regions.
    Torn([BTreeSet<Static>; 2]),
    /// Pairs of lines, what comes too early first; and whether it is a single one.
    Early { pairs: BTreeSet<(Static, Static)>, single: bool },
}

impl Footprint {
    fn of(program: &Program, graph: &EventGraph, shape: &Shape) -> Footprint {
        let text = |point: &shape::Point| point.in_text(program, graph);
        match shape {
            Shape::Torn { region, by } => Footprint::Torn([
                BTreeSet::from([text(&region.first), text(&region.last)]),
                BTreeSet::from([text(&by.first), text(&by.last)]),
            ]),
            Shape::Early(pairs) => Footprint::Early {
                pairs: pairs.iter().map(|(before, after)| (text(before), text(after))).collect(),
                single: pairs.len() == 1,
            },
        }
    }

    /// Whether one repair serves both, and takes the other in if so.
    fn merge(&mut self, other: &Footprint) -> bool {
        match (self, other) {
            (Footprint::Torn(mine), Footprint::Torn(theirs)) => merge_regions(mine, theirs),
            (
                Footprint::Early { pairs: mine, single: one },
                Footprint::Early { pairs: theirs, single: other },
            ) => {
                let meets = if *one && *other {
                    mine.iter().any(|a| theirs.iter().any(|b| one_order_serves(*a, *b)))
                } else {
                    !mine.is_disjoint(theirs)
                };
                if meets {
                    mine.extend(theirs);
                }
                meets
            }
            _ => false,
        }
    }
}

/// Two pairs of regions are one if they meet on both sides.
fn merge_regions(mine: &mut [BTreeSet<Static>; 2], theirs: &[BTreeSet<Static>; 2]) -> bool {
    let meets = |a: usize, b: usize| !mine[a].is_disjoint(&theirs[b]);
    let (first, second) = if meets(0, 0) && meets(1, 1) {
        (0, 1)
    } else if meets(0, 1) && meets(1, 0) {
        (1, 0)
    } else {
        return false;
    };
    mine[0].extend(&theirs[first]);
    mine[1].extend(&theirs[second]);
    true
}

/// Whether one order in the other direction excludes both: they begin or end with the same step, and
/// the others are of one thread.
fn one_order_serves(a: (Static, Static), b: (Static, Static)) -> bool {
    let same_threads = a.0.0 == b.0.0 && a.1.0 == b.1.0;
    same_threads && (a.0 == b.0 || a.1 == b.1)
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
        add_cause(&mut found, footprint, Cause { pattern, shape, runs: vec![run] });
    }
    let mut causes: Vec<Cause> = found.into_iter().map(|(_, cause)| cause).collect();
    for cause in &mut causes {
        choose_first(graph, diagnosis, cause);
        name_what_is_shared(program, graph, diagnosis, cause);
    }
    causes.sort_by_key(|cause| {
        let first = &diagnosis.runs[cause.runs[0]];
        (members(first), std::cmp::Reverse(cause.runs.len()), cause.runs[0])
    });
    causes
}

/// Adds a cause, together with all earlier ones that it turns out to be one with.
fn add_cause(found: &mut Vec<(Footprint, Cause)>, mut footprint: Footprint, mut cause: Cause) {
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

fn members(failing: &Explained) -> usize {
    match &failing.reason {
        Reason::Core(core) => core.members.len(),
        _ => 0,
    }
}

fn core_of(failing: &Explained) -> Option<&Core> {
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

/// Puts that pair of steps first that most of the cores of a cause have.
fn name_what_is_shared(
    program: &Program,
    graph: &EventGraph,
    diagnosis: &Diagnosis,
    cause: &mut Cause,
) {
    let Shape::Early(pairs) = &mut cause.shape else { return };
    let lines = |(before, after): &(shape::Point, shape::Point)| {
        (before.in_text(program, graph), after.in_text(program, graph))
    };
    let cores: Vec<&Core> =
        cause.runs.iter().filter_map(|&run| core_of(&diagnosis.runs[run])).collect();
    let has = |core: &&&Core, pair: &(Static, Static)| {
        core.members.iter().any(|it| lines(&it.order.points()) == *pair)
    };
    pairs.sort_by_cached_key(|pair| {
        let pair = lines(pair);
        std::cmp::Reverse(cores.iter().filter(|core| has(core, &pair)).count())
    });
}
