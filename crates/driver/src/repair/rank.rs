//! Which verified repair is the best (DESIGN §5).
//!
//! Verified without a bound before verified up to one; every statement still reached, or more of
//! them; no data race left, or none on the data that it mends; composite before elementary; more
//! permissive before less; changes where the code of the orders stands before others, as in a library
//! before in the program that tests it; a mutex that exists before a new one; then fewest changed
//! lines.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use unravel_repair::{Judge, Plan};
use unravel_report::model::Forbids;
use unravel_span::FileId;

use super::Repairer;
use super::verify::Verified;
use crate::tracked::core_of;

/// Ranks repairs, best first, and says what each forbids that the best allows.
pub fn ranked(
    repairer: &mut Repairer<'_>,
    verified: &mut Vec<Verified>,
    stop: &mut dyn FnMut() -> bool,
) {
    let count = verified.len();
    let mut more = vec![vec![false; count]; count];
    for (one, row) in more.iter_mut().enumerate() {
        for (other, cell) in row.iter_mut().enumerate() {
            if one != other {
                let plans = (&verified[one].candidate.plan, &verified[other].candidate.plan);
                *cell = allows_more(repairer, plans, stop);
            }
        }
    }
    let better = |a, b| is_better(verified, &more, a, b);
    let home = home(repairer);
    let order = ordered(count, better, |at| {
        let is_abroad = verified[at].candidate.edits.iter().any(|it| !home.contains(&it.file));
        (is_abroad, size(verified, at))
    });
    let best = order.first().copied();
    for &index in &order {
        if best.is_some_and(|best| more[best][index] && !more[index][best]) {
            let is_open = best.is_some_and(|best| verified[best].candidate.leaves_orders_open());
            let forbids = if is_open { Forbids::OneOfTwoOrders } else { Forbids::MoreThanNeeded };
            let has_plan = verified[index].candidate.plan.is_some();
            verified[index].forbids = has_plan.then_some(forbids);
        }
    }
    let mut slots: Vec<Option<Verified>> = verified.drain(..).map(Some).collect();
    verified.extend(order.into_iter().filter_map(|index| slots[index].take()));
}

/// Each time the smallest of those to which none of the others is to be preferred: what is preferred
/// is a partial order, and decides before size.
fn ordered(
    count: usize,
    is_better: impl Fn(usize, usize) -> bool,
    size: impl Fn(usize) -> (bool, (usize, bool)),
) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..count).collect();
    let mut order = Vec::with_capacity(count);
    while !rest.is_empty() {
        let is_best = |&&it: &&usize| !rest.iter().any(|&other| is_better(other, it));
        let best = rest.iter().filter(is_best).min_by_key(|&&it| size(it)).copied();
        let best = best.unwrap_or(rest[0]);
        order.push(best);
        rest.retain(|&it| it != best);
    }
    order
}

/// The files that the steps of the cores stand in.
fn home(repairer: &Repairer<'_>) -> BTreeSet<FileId> {
    let runs = &repairer.diagnosis.runs;
    let members = runs.iter().filter_map(core_of).flat_map(|core| &core.members);
    let steps = members.flat_map(|it| [it.order.before, it.order.after]);
    let places = steps.filter_map(|step| repairer.spots.spot(step)?.place());
    places.map(|span| span.file).collect()
}

fn allows_more(
    repairer: &mut Repairer<'_>,
    plans: (&Option<Plan>, &Option<Plan>),
    stop: &mut dyn FnMut() -> bool,
) -> bool {
    let (Some(one), Some(other)) = plans else { return false };
    if one == other {
        return false;
    }
    let mut judge = Judge { encoding: &mut repairer.encoding, spots: &repairer.spots };
    judge.allows_more(one, other, stop).unwrap_or(false)
}

fn is_better(verified: &[Verified], more: &[Vec<bool>], a: usize, b: usize) -> bool {
    let key = |at: usize| {
        let it = &verified[at];
        let racy = (it.mends_racily, it.race_free == Some(false));
        (!it.complete, it.unreachable.len(), racy, !it.candidate.leaves_orders_open())
    };
    match key(a).cmp(&key(b)) {
        Ordering::Less => true,
        Ordering::Equal => more[a][b] && !more[b][a],
        Ordering::Greater => false,
    }
}

/// Changed lines. A second mutex counts as more than all through which the first one can be held,
/// or the order in which those that are there are taken (DESIGN §5: a mutex that already protects
/// the data, else a new one).
fn size(verified: &[Verified], at: usize) -> (usize, bool) {
    let it = &verified[at];
    let existing = verified.iter().filter(|other| other.candidate.reuses_locks());
    let most = existing.map(|other| other.lines).max();
    match most.filter(|_| it.candidate.guards_with_new_mutex()) {
        Some(lines) => (lines.max(it.lines), true),
        None => (it.lines, false),
    }
}
