//! An order of the steps with few context switches.
//!
//! A thread that runs on never hinders another: what is done only enables more. So in a best
//! order each thread runs as far as it can before the next has its turn, and only the sequence of
//! turns is to be found: breadth first over how far each thread has come. Where that takes too
//! long, the rest is done greedily.

use std::collections::{BTreeMap, VecDeque};

use crate::past::{Past, Target};

/// Most positions that are looked at.
const MOST: usize = 20_000;

/// The steps of a past in an order with few context switches.
pub fn few_switches(past: &Past<'_>) -> Vec<Target> {
    let turns = search(past).unwrap_or_default();
    let mut at = vec![0; past.threads.len()];
    let mut order = Vec::new();
    for thread in turns {
        run(past, &mut at, thread, &mut order);
    }
    // What the search left over.
    loop {
        let before = order.len();
        for thread in 0..at.len() {
            run(past, &mut at, thread, &mut order);
        }
        if order.len() == before {
            return order;
        }
    }
}

/// Whether the next step of a thread waits for no other.
fn is_ready(past: &Past<'_>, at: &[usize], thread: usize) -> bool {
    let Some(next) = past.threads[thread].get(at[thread]) else { return false };
    let mut others = past.threads.iter().zip(at).enumerate();
    others.all(|(other, (steps, &at))| {
        other == thread || steps.get(at).is_none_or(|pending| !past.precedes(pending, next))
    })
}

/// Runs a thread as far as it can.
fn run(past: &Past<'_>, at: &mut [usize], thread: usize, order: &mut Vec<Target>) {
    while is_ready(past, at, thread) {
        order.extend(past.threads[thread].get(at[thread]));
        at[thread] += 1;
    }
}

/// The shortest sequence of turns, if it is found soon.
fn search(past: &Past<'_>) -> Option<Vec<usize>> {
    let count = past.threads.len();
    let goal: Vec<usize> = past.threads.iter().map(Vec::len).collect();
    let start = vec![0; count];
    let mut came: BTreeMap<Vec<usize>, (usize, Vec<usize>)> = BTreeMap::new();
    let mut queue = VecDeque::from([start.clone()]);
    while let Some(at) = queue.pop_front() {
        if at == goal {
            return Some(turns(&came, &start, at));
        }
        if came.len() > MOST {
            return None;
        }
        for thread in 0..count {
            let mut next = at.clone();
            run(past, &mut next, thread, &mut Vec::new());
            if next != at && next != start && !came.contains_key(&next) {
                came.insert(next.clone(), (thread, at.clone()));
                queue.push_back(next);
            }
        }
    }
    None
}

fn turns(
    came: &BTreeMap<Vec<usize>, (usize, Vec<usize>)>,
    start: &[usize],
    goal: Vec<usize>,
) -> Vec<usize> {
    let mut turns = Vec::new();
    let mut at = goal;
    while at != start {
        let Some((thread, before)) = came.get(&at) else { break };
        turns.push(*thread);
        at.clone_from(before);
    }
    turns.reverse();
    turns
}
