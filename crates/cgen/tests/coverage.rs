//! What a few hundred programs are like: features, length, determinism.

use std::collections::BTreeMap;
use unravel_cgen::{Feature, Generated, sequential};

const SEEDS: u64 = 300;

fn programs() -> impl Iterator<Item = Generated> {
    (0..SEEDS).map(sequential)
}

#[test]
fn every_feature_occurs_in_five_percent_of_programs() {
    let mut counts: BTreeMap<Feature, u64> = Feature::ALL.iter().map(|f| (*f, 0)).collect();
    for program in programs() {
        for feature in program.features {
            *counts.entry(feature).or_default() += 1;
        }
    }
    let rare: Vec<_> = counts.iter().filter(|(_, count)| **count * 20 < SEEDS).collect();
    assert!(rare.is_empty(), "too rare: {rare:?}");
}

#[test]
fn the_same_seed_gives_the_same_program() {
    for (seed, program) in (0..).zip(programs()).take(50) {
        let again = sequential(seed);
        assert_eq!(program.source, again.source);
        assert_eq!(program.features, again.features);
    }
}

#[test]
fn different_seeds_give_different_programs() {
    let sources: std::collections::BTreeSet<_> = programs().map(|p| p.source).collect();
    assert_eq!(sources.len() as u64, SEEDS);
}

#[test]
fn programs_have_the_promised_length() {
    for program in programs() {
        let lines = program.source.lines().count();
        assert!((40..=150).contains(&lines), "seed {}: {lines} lines", program.seed);
    }
}
