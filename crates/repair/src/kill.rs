//! Kill sets: per core, the orders any one of which, enforced, makes it impossible
//! (ConcBugAssist §4.1).
//!
//! The core's orders and program order are a graph. An order whose opposite follows from a path of
//! that graph closes a cycle, so a run in which it holds does not have the core. An order of the
//! core whose second step the failing run does not execute says that it was not made *yet*: only
//! that step, first, contradicts it.

use std::collections::{BTreeMap, BTreeSet};

use unravel_diagnose::{Core, Order};
use unravel_events::{EventGraph, StepId};

use crate::spot::{Spot, Spots};

/// One place of the text before another, in all threads that run them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceOrder {
    /// What comes first.
    pub before: Spot,
    /// What comes later.
    pub after: Spot,
}

/// Orders any one of which makes a core impossible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KillSet {
    /// The orders, as steps of the failing run.
    pub steps: Vec<(StepId, StepId)>,
    /// The same in the text, without repetition.
    pub orders: Vec<SourceOrder>,
}

/// The kill sets of cores, in their order.
#[must_use]
pub fn kill_sets(graph: &EventGraph, spots: &Spots, cores: &[&Core]) -> Vec<KillSet> {
    cores.iter().map(|core| kill_set(graph, spots, core)).collect()
}

fn kill_set(graph: &EventGraph, spots: &Spots, core: &Core) -> KillSet {
    let orders: Vec<Order> = core.members.iter().map(|member| member.order).collect();
    let mut kills: BTreeSet<(StepId, StepId)> = BTreeSet::new();
    let happen: Vec<&Order> = orders.iter().filter(|order| order.happens).collect();
    let later = reachable(graph, &happen);
    for (&from, to) in &later {
        for &end in to {
            if graph.step(from).thread != graph.step(end).thread {
                kills.insert((end, from));
            }
        }
    }
    let missing = orders.iter().filter(|order| !order.happens);
    kills.extend(missing.map(|order| (order.after, order.before)));
    let mut result = KillSet { steps: kills.into_iter().collect(), orders: Vec::new() };
    for &(before, after) in &result.steps {
        if let (Some(before), Some(after)) = (spots.spot(before), spots.spot(after)) {
            let order = SourceOrder { before: before.clone(), after: after.clone() };
            if !result.orders.contains(&order) {
                result.orders.push(order);
            }
        }
    }
    result
}

/// For each step of the orders, which of the others it comes before by the orders and program
/// order.
fn reachable(graph: &EventGraph, orders: &[&Order]) -> BTreeMap<StepId, BTreeSet<StepId>> {
    let steps: BTreeSet<StepId> =
        orders.iter().flat_map(|order| [order.before, order.after]).collect();
    let next = |from: StepId| -> Vec<StepId> {
        // Steps of one thread are numbered in program order.
        let same = |it: &&StepId| graph.step(**it).thread == graph.step(from).thread && **it > from;
        let later = steps.iter().filter(same).copied();
        let ordered = orders.iter().filter(|it| it.before == from).map(|it| it.after);
        later.chain(ordered).collect()
    };
    let mut result = BTreeMap::new();
    for &from in &steps {
        let mut reached: BTreeSet<StepId> = BTreeSet::new();
        let mut open = next(from);
        while let Some(step) = open.pop() {
            if reached.insert(step) {
                open.extend(next(step));
            }
        }
        result.insert(from, reached);
    }
    result
}
