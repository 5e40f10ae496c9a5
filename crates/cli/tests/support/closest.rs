//! The closest passing run by brute force: all passing runs of a small program, by the exploration,
//! each compared with the failing one by definition.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use unravel_driver::{CheckOptions, TrackedComparison};
use unravel_explore::outcomes::{Facts, Point, Tracked, outcomes};
use unravel_interp::moment::{CallPlace, Moment};
use unravel_program::{BlockId, FunctionId, Program};

use super::support::engines::Looks;

/// Most operations, and most states of the walk.
const MOST_OPERATIONS: usize = 26;
const STATES: usize = 60_000;

/// Data flows, segments and switches that differ.
pub type Cost = (usize, usize, usize);

/// The least cost of all passing runs, first by parts and then as a sum. `None` if the program is too
/// large, or has choices other than the order of its steps.
pub fn least(
    program: &Program,
    options: &CheckOptions,
    it: &TrackedComparison,
) -> Option<(Cost, usize)> {
    let count = it.operations.len();
    if it.has_other_choices || count > MOST_OPERATIONS || !is_plain(it) {
        return None;
    }
    let tracked = Tracked { orders: pairs(it), inputs: Vec::new() };
    let seen = outcomes(program, options.config(), &tracked, STATES, &mut Looks(u64::MAX));
    if !seen.is_exhaustive || seen.reads_undefined {
        return None;
    }
    let costs: Vec<Cost> =
        seen.passing.iter().map(|facts| cost(it, &sequence(it, facts))).collect();
    let sum = |(flows, segments, switches): &Cost| flows + segments + switches;
    Some((*costs.iter().min()?, costs.iter().map(sum).min()?))
}

/// Whether all addresses are known, and accesses to one place are of one size.
fn is_plain(it: &TrackedComparison) -> bool {
    let mut sizes: BTreeMap<u128, u64> = BTreeMap::new();
    it.operations.iter().all(|operation| {
        let accesses = operation.accesses.iter().flatten();
        operation.accesses.is_some()
            && accesses.copied().all(|(at, bytes, _)| *sizes.entry(at).or_insert(bytes) == bytes)
    })
}

/// A step that no run executes.
fn never() -> Point {
    let place = CallPlace {
        function: FunctionId(0),
        block: BlockId(u32::MAX),
        index: u32::MAX,
        turns: Vec::new(),
    };
    Point { thread: Vec::new(), moment: Moment { calls: vec![place], progress: 0 } }
}

/// Each operation before one that never comes (so it is executed), then all pairs.
fn pairs(it: &TrackedComparison) -> Vec<(Point, Point)> {
    let points: Vec<&Point> = it.operations.iter().map(|operation| &operation.point).collect();
    let mut pairs: Vec<(Point, Point)> =
        points.iter().map(|&point| (point.clone(), never())).collect();
    for first in &points {
        pairs.extend(points.iter().map(|&second| ((*first).clone(), second.clone())));
    }
    pairs
}

/// The operations of a run in order.
fn sequence(it: &TrackedComparison, facts: &Facts) -> Vec<usize> {
    let count = it.operations.len();
    let executed: Vec<usize> = (0..count).filter(|&index| facts.orders[index]).collect();
    let before = |a: usize, b: usize| {
        let same = it.operations[a].thread == it.operations[b].thread;
        if same { a < b } else { facts.orders[count + a * count + b] }
    };
    let earlier =
        |index: usize| executed.iter().filter(|&&it| it != index && before(it, index)).count();
    let mut ordered = executed.clone();
    ordered.sort_by_key(|&index| earlier(index));
    ordered
}

/// Per operation and read in it, the operation that wrote what it sees.
fn flows(it: &TrackedComparison, run: &[usize]) -> BTreeMap<(usize, usize), Option<usize>> {
    let mut last: BTreeMap<u128, usize> = BTreeMap::new();
    let mut flows = BTreeMap::new();
    for &operation in run {
        let accesses = it.operations[operation].accesses.iter().flatten();
        for (number, &(at, _, writes)) in accesses.enumerate() {
            if writes {
                last.insert(at, operation);
            } else {
                flows.insert((operation, number), last.get(&at).copied());
            }
        }
    }
    flows
}

fn cost(it: &TrackedComparison, run: &[usize]) -> Cost {
    let executed: BTreeSet<usize> = run.iter().copied().collect();
    let (ours, theirs) = (flows(it, &it.failing), flows(it, run));
    let changed = |(read, source): &(&(usize, usize), &Option<usize>)| {
        let is_there = source.is_none_or(|write| executed.contains(&write));
        is_there && theirs.get(read).is_some_and(|other| other != *source)
    };
    let common: Vec<usize> = run.iter().copied().filter(|it_| it.failing.contains(it_)).collect();
    let place = |operation: &usize| common.iter().position(|it| it == operation);
    let thread = |operation: usize| it.operations[operation].thread;
    let segments = it.failing.chunk_by(|a, b| thread(*a) == thread(*b));
    let broken = |segment: &&[usize]| {
        let places: Vec<usize> = segment.iter().filter_map(place).collect();
        let ends = places.iter().min().zip(places.iter().max());
        ends.is_some_and(|(first, last)| last - first + 1 > places.len())
    };
    let moved = |pair: &&[usize]| {
        thread(pair[0]) != thread(pair[1])
            && place(&pair[0]).zip(place(&pair[1])).is_some_and(|(a, b)| a + 1 != b)
    };
    (
        ours.iter().filter(changed).count(),
        segments.filter(broken).count(),
        it.failing.windows(2).filter(moved).count(),
    )
}
