//! The check of every answer, written against the definition and not against the theory.

use crate::lit::Lit;
use crate::problem::{Event, NodeId, Problem};

/// Whether a total order of the nodes is a run under an assignment; the error says why not.
pub(crate) fn check(
    problem: &Problem,
    linear: &[NodeId],
    value: &dyn Fn(Lit) -> bool,
) -> Result<(), String> {
    let place = places(problem, linear)?;
    let node_first = |a: u32, b: u32| place[a as usize] < place[b as usize];
    if let Some((a, b)) = problem.fixed.iter().find(|&&(a, b)| !node_first(a, b)) {
        return Err(format!("the fixed edge from node {a} to node {b} is violated"));
    }
    for edge in &problem.conditional {
        if value(edge.lit) && !node_first(edge.before, edge.after) {
            return Err(format!("edge {edge:?} is violated"));
        }
    }
    let key = |event: Event| (place[event.node as usize], event.position);
    for source in &problem.sources {
        if !source.rf.is_some_and(value) {
            continue;
        }
        let read = key(problem.reads[source.read as usize]);
        let write = key(problem.writes[source.write as usize]);
        if write >= read {
            return Err(format!("source {source:?} is read before it is written"));
        }
    }
    let seen = earliest_seen(problem, value, &key);
    for source in &problem.sources {
        let read = key(problem.reads[source.read as usize]);
        let write = key(problem.writes[source.write as usize]);
        let between = seen[source.read as usize].is_some_and(|seen| seen < write) && write < read;
        if between && value(source.live) {
            return Err(format!("source {source:?} lies between a read and what it reads"));
        }
    }
    Ok(())
}

/// A place in a run: of the node, and within it.
type Key = (usize, u32);

/// Per read, where the earliest write that it sees is.
fn earliest_seen(
    problem: &Problem,
    value: &dyn Fn(Lit) -> bool,
    key: &dyn Fn(Event) -> Key,
) -> Vec<Option<Key>> {
    let mut seen: Vec<Option<Key>> = vec![None; problem.reads.len()];
    for source in problem.sources.iter().filter(|source| source.rf.is_some_and(value)) {
        let write = key(problem.writes[source.write as usize]);
        let earliest = &mut seen[source.read as usize];
        *earliest = Some(earliest.map_or(write, |old| old.min(write)));
    }
    seen
}

/// Per node, its place; each node must have exactly one.
fn places(problem: &Problem, linear: &[NodeId]) -> Result<Vec<usize>, String> {
    let mut place = vec![usize::MAX; problem.nodes as usize];
    for (i, node) in linear.iter().enumerate() {
        match place.get_mut(node.0 as usize) {
            Some(free) if *free == usize::MAX => *free = i,
            _ => return Err(format!("node {} is unknown or occurs twice", node.0)),
        }
    }
    if linear.len() != place.len() {
        return Err("a node is missing in the order".to_owned());
    }
    Ok(place)
}
