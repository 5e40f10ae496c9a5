//! Composites: stretches of code that exclude each other, in either order (ConcBugAssist §4.3).
//!
//! Of two covers that say "R before S" and "S before R", each removes all failing runs and half of
//! the others. Mutual exclusion of R and S lets the program choose.

use std::collections::BTreeMap;

use unravel_diagnose::{Region, Shape};
use unravel_events::{EventGraph, ThreadId};
use unravel_program::Program;

use crate::cover::Covers;
use crate::kill::SourceOrder;
use crate::spot::Stretch;

/// Two stretches that exclude each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exclusion {
    /// The first of the two stretches.
    pub one: Stretch,
    /// The other; the same code in another thread, if it is the same.
    pub other: Stretch,
}

/// The exclusion of what a torn core shows.
#[must_use]
pub fn of_shape(program: &Program, graph: &EventGraph, shape: &Shape) -> Option<Exclusion> {
    let Shape::Torn { region, by } = shape else { return None };
    let one = Stretch::of(program, graph, region)?;
    let other = Stretch::of(program, graph, by)?;
    Some(Exclusion { one, other })
}

/// Per thread of orders in a circle, the stretch from its first step in them to its last: what
/// excludes each other where more than two threads wait for one another.
#[must_use]
pub fn of_circle(program: &Program, graph: &EventGraph, shape: &Shape) -> Vec<Stretch> {
    let Shape::Early(pairs) = shape else { return Vec::new() };
    let mut regions: BTreeMap<ThreadId, Region> = BTreeMap::new();
    for point in pairs.iter().flat_map(|&(before, after)| [before, after]) {
        let thread = graph.step(point.step).thread;
        let known = regions.entry(thread).or_insert(Region { thread, first: point, last: point });
        if point.step < known.first.step {
            known.first = point;
        }
        if point.step > known.last.step {
            known.last = point;
        }
    }
    regions.values().filter_map(|region| Stretch::of(program, graph, region)).collect()
}

/// Pairs of single-order covers that say "R before S" and "S before R".
#[must_use]
pub fn of_covers(covers: &Covers) -> Vec<Exclusion> {
    let single: Vec<&SourceOrder> = covers
        .all
        .iter()
        .filter_map(|cover| match &cover.orders[..] {
            [order] => Some(order),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for (at, one) in single.iter().enumerate() {
        for other in &single[at + 1..] {
            found.extend(exclusion(one, other));
        }
    }
    found
}

/// `last(R)` before `first(S)`, and `last(S)` before `first(R)`.
fn exclusion(one: &SourceOrder, other: &SourceOrder) -> Option<Exclusion> {
    let stretch = |first: &crate::Spot, last: &crate::Spot| {
        ((first.role, first.actor) == (last.role, last.actor) && first.path <= last.path).then(
            || Stretch { first: first.clone(), last: last.clone(), crosses_iterations: false },
        )
    };
    let here = stretch(&other.after, &one.before)?;
    let there = stretch(&one.after, &other.before)?;
    Some(Exclusion { one: here, other: there })
}

/// Exclusions that have a stretch in common become one set of stretches that all exclude each
/// other: one lock serves them. Stretches of one function are joined.
#[must_use]
pub fn joined(exclusions: &[Exclusion]) -> Vec<Vec<Stretch>> {
    let mut groups: Vec<Vec<Stretch>> = Vec::new();
    for exclusion in exclusions {
        let mut group = vec![exclusion.one.clone(), exclusion.other.clone()];
        let touches =
            |known: &Vec<Stretch>| known.iter().any(|it| group.iter().any(|other| it.meets(other)));
        let (near, mut far): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
        group.extend(near.into_iter().flatten());
        far.push(merged(group));
        groups = far;
    }
    groups
}

fn merged(stretches: Vec<Stretch>) -> Vec<Stretch> {
    let mut result: Vec<Stretch> = Vec::new();
    for mut stretch in stretches {
        while let Some(at) = result.iter().position(|it| it.meets(&stretch)) {
            stretch = result.remove(at).join(&stretch);
        }
        result.push(stretch);
    }
    result.sort();
    result
}
