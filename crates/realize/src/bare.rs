//! Accesses that do without the lock that other accesses to the same data hold.
//!
//! Most of what is shared has a mutex, and the place that forgot it is often all that is wrong: a flag
//! that is set beside its lock, a reader that takes none. What a failing run shows is far from there,
//! and a cause is not always known. So these places are tried before what follows from the causes.
//!
//! Data is known by the name of its variable or member, as the source writes it. Two structures may
//! have a member of one name; then a change is tried that does not help, and nothing else is lost.

use std::collections::BTreeMap;

use unravel_events::{Access, EventGraph, Space, StepId, ThreadId};
use unravel_repair::{Plan, Requirement, Spot, Stretch};

use crate::Context;
use crate::mutexes::{held_at, names};

/// Plans that are tried for this, at most.
const MOST: usize = 4;

/// A place that accesses some data, with the locks that it holds.
struct Use {
    data: String,
    spot: Spot,
    thread: ThreadId,
    writes: bool,
    locks: Vec<String>,
}

/// Plans that put bare accesses under the lock of their data: those of one function, then all of them.
#[must_use]
pub fn bare_plans(context: &Context<'_>) -> Vec<Plan> {
    let mut by_data: BTreeMap<&str, Vec<&Use>> = BTreeMap::new();
    let uses = uses(context);
    for it in &uses {
        by_data.entry(&it.data).or_default().push(it);
    }
    let mut by_lock: BTreeMap<&str, Vec<Stretch>> = BTreeMap::new();
    for uses in by_data.values() {
        let Some(lock) = usual_lock(uses) else { continue };
        let is_bare = |it: &&&Use| !it.locks.iter().any(|held| held == lock);
        for bare in uses.iter().filter(is_bare) {
            add(by_lock.entry(lock).or_default(), &bare.spot);
        }
    }
    let mut plans: Vec<Plan> = Vec::new();
    for stretches in by_lock.values() {
        plans.extend(by_code(stretches).into_iter().map(plan));
        if plans.len() > 1 {
            plans.push(plan(stretches.clone()));
        }
    }
    plans.truncate(MOST);
    plans
}

fn plan(mut stretches: Vec<Stretch>) -> Plan {
    stretches.sort();
    Plan { requirements: vec![Requirement::Exclusive(stretches)] }
}

/// The lock that most places hold, if several threads use the data, somebody writes it, and not all
/// places hold the lock.
fn usual_lock<'u>(uses: &[&'u Use]) -> Option<&'u str> {
    let first = uses.first()?;
    let is_shared = uses.iter().any(|it| it.thread != first.thread);
    if !is_shared || !uses.iter().any(|it| it.writes) {
        return None;
    }
    let mut held: BTreeMap<&str, Vec<&Spot>> = BTreeMap::new();
    for it in uses {
        for lock in &it.locks {
            let spots = held.entry(lock).or_default();
            if !spots.contains(&&it.spot) {
                spots.push(&it.spot);
            }
        }
    }
    // Of those that are held equally often, the first by name.
    let most = held.iter().rev().max_by_key(|(_, spots)| spots.len()).map(|(lock, _)| *lock)?;
    uses.iter().any(|it| !it.locks.iter().any(|held| held == most)).then_some(most)
}

/// Adds a spot to the stretch of its function, if there is one.
fn add(stretches: &mut Vec<Stretch>, spot: &Spot) {
    let mut own = Stretch { first: spot.clone(), last: spot.clone(), crosses_iterations: false };
    while let Some(at) = stretches.iter().position(|it| it.meets(&own)) {
        own = stretches.remove(at).join(&own);
    }
    stretches.push(own);
}

/// Stretches by the code that they are, whatever leads there.
fn by_code(stretches: &[Stretch]) -> Vec<Vec<Stretch>> {
    let mut groups: BTreeMap<_, Vec<Stretch>> = BTreeMap::new();
    for stretch in stretches {
        groups.entry(stretch.ends().map(|(_, first, _)| first)).or_default().push(stretch.clone());
    }
    groups.into_values().collect()
}

/// What is done with shared data while several threads run.
fn uses(context: &Context<'_>) -> Vec<Use> {
    let Context { program, graph, spots, sources, .. } = *context;
    let mut known: BTreeMap<StepId, String> = BTreeMap::new();
    for lock in &graph.locks {
        if let Some(name) = names(spots, sources, lock.step).first() {
            known.insert(lock.step, last_name(name.trim_start_matches('&')).to_owned());
        }
    }
    let is_data = |it: &&Access| it.space == Space::Data && !it.mode.atomic && !it.mode.silent;
    let one = |it: &Access| {
        let spot = spots.spot(it.step)?.clone();
        let place = program.site(it.site).span.or(spot.place())?;
        let data = context.expression_at(place)?;
        let locks = held_at(graph, it.step).into_iter();
        let locks = locks.filter_map(|lock| known.get(&lock).cloned()).collect();
        let (thread, writes) = (graph.step(it.step).thread, it.writes);
        Some(Use { data: last_name(&data).to_owned(), spot, thread, writes, locks })
    };
    let alone = Alone::of(graph);
    let together = |it: &&Access| !alone.has(graph, it.step);
    graph.accesses.iter().filter(is_data).filter(together).filter_map(one).collect()
}

/// The last member of an expression: `count` of `pool->jobs[i].count`, `lines` of `log.lines[2]`.
fn last_name(expression: &str) -> &str {
    let path = match expression.rsplit_once('[') {
        Some((head, rest)) if rest.ends_with(']') => head,
        _ => expression,
    };
    path.rsplit(['.', '>', '*']).next().unwrap_or(path)
}

/// When the first thread is the only one: before it creates any other, and after it has joined all.
struct Alone {
    until: Option<StepId>,
    from: Option<StepId>,
}

impl Alone {
    fn of(graph: &EventGraph) -> Alone {
        let is_first = |step: &StepId| graph.step(*step).thread == ThreadId(0);
        let created = graph.threads.iter().filter_map(|it| it.created_by);
        let own: Vec<StepId> = created.filter(is_first).collect();
        let joins: Vec<StepId> = graph.joins.iter().map(|it| it.step).filter(is_first).collect();
        // Threads that others create may run on.
        let joined = joins.len() >= graph.threads.len() - 1;
        let from = joins.into_iter().max().filter(|_| joined);
        Alone { until: own.into_iter().min(), from }
    }

    fn has(&self, graph: &EventGraph, step: StepId) -> bool {
        let before = self.until.is_none_or(|first| step < first);
        let after = self.from.is_some_and(|last| step > last);
        graph.step(step).thread == ThreadId(0) && (before || after)
    }
}

#[cfg(test)]
mod tests {
    use super::last_name;

    #[test]
    fn data_is_known_by_its_last_name() {
        let names = ["count", "pool->count", "*pool->jobs[i].count", "log.count[2]", "*count"];
        assert!(names.iter().all(|it| last_name(it) == "count"), "{names:?}");
    }
}
