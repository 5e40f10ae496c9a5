//! Mutexes that the program has, and that may guard some code.

use unravel_events::{EventGraph, StepId};
use unravel_patch::Sources;
use unravel_patch::around::lock_expression;
use unravel_patch::functions::at_caller;
use unravel_patch::guard::Mutex;
use unravel_patch::spelling::{Spelling, spellings};
use unravel_repair::Stretch;
use unravel_repair::spot::Spots;
use unravel_span::Span;

use crate::Context;

/// Existing mutexes that are tried for one set of stretches.
const MOST: usize = 3;

/// Mutexes that are held somewhere in the stretches, then those under which the same data is
/// accessed elsewhere. First those that the program has words of its own for: it would mix two
/// styles to lock them otherwise.
pub fn existing(context: &Context<'_>, stretches: &[Stretch]) -> Vec<Mutex> {
    let Context { graph, spots, sources, .. } = *context;
    let inside: Vec<StepId> = steps_inside(graph, spots, stretches);
    let elsewhere = same_data(graph, &inside);
    let steps: Vec<StepId> = inside.into_iter().chain(elsewhere).collect();
    let mut found = spelled(spots, sources, &steps);
    for step in &steps {
        for lock in held_at(graph, *step) {
            let mut names = names(spots, sources, lock).into_iter();
            let Some(expression) = names.next() else { continue };
            let mutex = Mutex::Existing { expression, others: names.collect() };
            if !found.contains(&mutex) {
                found.push(mutex);
            }
        }
    }
    found.truncate(MOST);
    found
}

/// Mutexes that are taken by statements of the program's own, in the functions of some steps.
fn spelled(spots: &Spots, sources: &Sources<'_>, steps: &[StepId]) -> Vec<Mutex> {
    let mut seen: Vec<&[Span]> = Vec::new();
    let mut found: Vec<Mutex> = Vec::new();
    for path in steps.iter().filter_map(|step| Some(&spots.spot(*step)?.path[..])) {
        for depth in (1..=path.len()).rev() {
            let (calls, place) = (&path[..depth - 1], path[depth - 1]);
            if seen.contains(&&path[..depth]) {
                continue;
            }
            seen.push(&path[..depth]);
            for spelling in spellings(sources, place) {
                let others = spelled_outside(sources, &spelling, calls);
                let mutex = Mutex::Spelled { spelling, others };
                if !found.contains(&mutex) {
                    found.push(mutex);
                }
            }
        }
    }
    found
}

/// What callers would write, from the inside out.
fn spelled_outside(sources: &Sources<'_>, inner: &Spelling, calls: &[Span]) -> Vec<Spelling> {
    let mut outer: Vec<Spelling> = Vec::new();
    for call in calls.iter().rev() {
        let Some(next) = outer.last().unwrap_or(inner).at_caller(sources, *call) else { break };
        outer.push(next);
    }
    outer
}

/// What a lock is called where it is taken, and by the callers, from the inside out.
pub(crate) fn names(spots: &Spots, sources: &Sources<'_>, lock: StepId) -> Vec<String> {
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
pub(crate) fn held_at(graph: &EventGraph, step: StepId) -> Vec<StepId> {
    let thread = graph.step(step).thread;
    let covers = |lock: &&unravel_events::Lock| {
        let same = graph.step(lock.step).thread == thread && lock.step <= step;
        same && (lock.unlocks.is_empty() || lock.unlocks.iter().any(|(end, _)| *end >= step))
    };
    graph.locks.iter().filter(covers).map(|lock| lock.step).collect()
}
