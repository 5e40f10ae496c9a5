//! Orders that take in more: a thread that waits for another waits before all that races with it,
//! and is let go after the last of it.

use std::cmp::{max_by, min_by};

use unravel_repair::{Plan, Requirement, SourceOrder, Spot};

use super::super::Repairer;
use super::super::verify::Verified;

impl Repairer<'_> {
    /// The plan with the first race that it can take in: the order between the same two roles grows;
    /// else one is added, in either direction.
    pub(super) fn ordered(&self, plan: &Plan, it: &Verified) -> Vec<Plan> {
        let pairs = it.races.iter().flat_map(|race| match &race[..] {
            [one, other] => pairs(&self.in_original(it, one), &self.in_original(it, other)),
            _ => Vec::new(),
        });
        let mut own = pairs.filter(|(one, other)| self.is_its_data(plan, &[one, other]));
        own.find_map(|(one, other)| taken_in(plan, &one, &other)).unwrap_or_default()
    }
}

/// Spots of threads that can be told apart.
fn pairs(ones: &[Spot], others: &[Spot]) -> Vec<(Spot, Spot)> {
    let all = ones.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
    let apart = all.filter(|(one, other)| (one.role, one.actor) != (other.role, other.actor));
    apart.map(|(one, other)| (one.clone(), other.clone())).collect()
}

/// Plans that order two racing spots; `None` if this one orders them, so that a growth would change
/// nothing.
fn taken_in(plan: &Plan, one: &Spot, other: &Spot) -> Option<Vec<Plan>> {
    for (before, after) in [(one, other), (other, one)] {
        let at = plan.requirements.iter().position(|it| is_between(it, before, after));
        let Some(at) = at else { continue };
        let mut grown = plan.clone();
        if let Requirement::Before(order) = &mut grown.requirements[at] {
            // Spots of one role compare by the text that leads to them.
            let by_path = |one: &&Spot, other: &&Spot| one.path.cmp(&other.path);
            let last = max_by(&order.before, before, by_path).clone();
            let first = min_by(&order.after, after, by_path).clone();
            *order = SourceOrder { before: last, after: first };
        }
        return (grown != *plan).then(|| vec![grown]);
    }
    let with = |before: &Spot, after: &Spot| {
        let order = SourceOrder { before: before.clone(), after: after.clone() };
        let mut grown = plan.clone();
        grown.requirements.push(Requirement::Before(order));
        grown
    };
    Some(vec![with(other, one), with(one, other)])
}

/// Whether a requirement orders the threads of two spots in this direction.
fn is_between(requirement: &Requirement, before: &Spot, after: &Spot) -> bool {
    let who = |spot: &Spot| (spot.role, spot.actor);
    match requirement {
        Requirement::Before(order) => {
            (who(&order.before), who(&order.after)) == (who(before), who(after))
        }
        Requirement::Exclusive(_) => false,
    }
}
