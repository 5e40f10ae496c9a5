//! `cargo run --example coverage -- [count]` tells how many programs use each
//! feature, the rarest first.

use std::collections::BTreeMap;
use unravel_cgen::{Feature, sequential};

fn main() {
    let count = std::env::args().nth(1).and_then(|arg| arg.parse().ok()).unwrap_or(300);
    let mut counts: BTreeMap<Feature, u64> = Feature::ALL.iter().map(|f| (*f, 0)).collect();
    for seed in 0..count {
        for feature in sequential(seed).features {
            *counts.entry(feature).or_default() += 1;
        }
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(_, uses)| *uses);
    for (feature, uses) in rows {
        println!("{:5.1} % {feature}", 100.0 * uses as f64 / count.max(1) as f64);
    }
}
