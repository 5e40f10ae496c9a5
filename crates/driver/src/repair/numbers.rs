//! The columns of ConcBugAssist's Table 4.

use unravel_repair::composite;
use unravel_repair::{Covers, KillSet};

/// Elementary and composite covers, and the sizes of kill sets.
pub fn numbers(kill_sets: &[KillSet], covers: &Covers) -> Vec<(&'static str, u64)> {
    let count = |number: usize| number as u64;
    let orders: usize = covers.all.iter().map(|cover| cover.orders.len()).sum();
    vec![
        ("elementary", count(covers.all.len())),
        ("composite", count(composite::of_covers(covers).len())),
        ("orders_in_covers", count(orders)),
        ("kill_sets", count(kill_sets.len())),
        ("kill_orders", count(kill_sets.iter().map(|set| set.steps.len()).sum())),
    ]
}
