//! Mutexes that the program has, and that may serve for a region.

use unravel_events::{EventGraph, StepId};
use unravel_patch::Sources;
use unravel_patch::around::lock_expression;
use unravel_patch::functions::at_caller;
use unravel_repair::Stretch;
use unravel_repair::spot::Spots;

/// Existing mutexes that are tried for one set of regions.
const MOST: usize = 3;

/// Names of mutexes that are held somewhere in the stretches, then of those under which the
/// same data is accessed elsewhere.
pub fn mutexes(
    graph: &EventGraph,
    spots: &Spots,
    sources: &Sources<'_>,
    stretches: &[Stretch],
) -> Vec<Vec<String>> {
    let inside: Vec<StepId> = steps_inside(graph, spots, stretches);
    let mut found: Vec<Vec<String>> = Vec::new();
    let elsewhere = same_data(graph, &inside);
    for step in inside.iter().chain(&elsewhere) {
        for lock in held_at(graph, *step) {
            let names = names(spots, sources, lock);
            if !names.is_empty() && !found.contains(&names) {
                found.push(names);
            }
        }
    }
    found.truncate(MOST);
    found
}

/// What a lock is called where it is taken, and by the callers, from the inside out.
fn names(spots: &Spots, sources: &Sources<'_>, lock: StepId) -> Vec<String> {
    let path = spots.spot(lock).map_or(&[][..], |spot| &spot.path);
    let [calls @ .., place] = path else { return Vec::new() };
    let mut names: Vec<String> = lock_expression(sources, *place).into_iter().collect();
    for call in calls.iter().rev() {
        let outer = names.last().and_then(|inner| at_caller(sources, inner, *call));
        let Some(outer) = outer else { break };
        names.push(outer);
    }
    names
}

fn steps_inside(graph: &EventGraph, spots: &Spots, stretches: &[Stretch]) -> Vec<StepId> {
    let mut inside = Vec::new();
    for stretch in stretches {
        for (thread, first, last) in stretch.instances(spots) {
            let steps = graph.threads[thread.0 as usize].steps.iter().copied();
            inside.extend(steps.filter(|step| (first..=last).contains(step)));
        }
    }
    inside
}

/// Steps that may touch an object that some of these steps touch.
fn same_data(graph: &EventGraph, steps: &[StepId]) -> Vec<StepId> {
    let mut objects = Vec::new();
    for access in graph.accesses.iter().filter(|it| steps.contains(&it.step)) {
        objects.extend(graph.candidates(&access.may));
    }
    objects.sort_unstable();
    objects.dedup();
    let touches = |it: &&unravel_events::Access| {
        graph.candidates(&it.may).iter().any(|object| objects.binary_search(object).is_ok())
    };
    let mut found: Vec<StepId> = graph.accesses.iter().filter(touches).map(|it| it.step).collect();
    found.dedup();
    found
}

/// The locks whose section a step may lie in; a lock itself lies in its own.
fn held_at(graph: &EventGraph, step: StepId) -> Vec<StepId> {
    let thread = graph.step(step).thread;
    let covers = |lock: &&unravel_events::Lock| {
        let same = graph.step(lock.step).thread == thread && lock.step <= step;
        same && (lock.unlocks.is_empty() || lock.unlocks.iter().any(|(end, _)| *end >= step))
    };
    graph.locks.iter().filter(covers).map(|lock| lock.step).collect()
}
