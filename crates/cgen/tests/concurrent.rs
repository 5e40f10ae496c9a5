//! What a thousand concurrent programs are like, and that shrinking ends.

use std::collections::{BTreeMap, BTreeSet};
use unravel_cgen::{Concurrent, ConcurrentProgram, Construct, concurrent, shrink_concurrent};

const SEEDS: u64 = 1000;

fn programs() -> impl Iterator<Item = Concurrent> {
    (0..SEEDS).map(concurrent)
}

#[test]
fn every_construct_occurs_in_enough_programs() {
    let mut counts: BTreeMap<Construct, u64> = Construct::ALL.iter().map(|c| (*c, 0)).collect();
    for program in programs() {
        for construct in program.constructs {
            *counts.entry(construct).or_default() += 1;
        }
    }
    // About two in a hundred, so that both outcomes occur.
    let rare: Vec<_> = counts.iter().filter(|(_, count)| **count * 1000 < SEEDS * 20).collect();
    assert!(rare.is_empty(), "too rare: {rare:?}");
}

#[test]
fn the_same_seed_gives_the_same_program() {
    for (seed, program) in (0..).zip(programs()).take(50) {
        let again = concurrent(seed);
        assert_eq!(program.source, again.source);
        assert_eq!(program.constructs, again.constructs);
    }
}

#[test]
fn different_seeds_give_different_programs() {
    let sources: BTreeSet<_> = programs().map(|p| p.source).collect();
    // The smallest ones meet now and then.
    assert!(sources.len() as u64 * 100 >= SEEDS * 99, "{}", sources.len());
}

#[test]
fn programs_are_small_and_have_threads() {
    for program in programs() {
        let (seed, source) = (program.seed, &program.source);
        assert!(source.lines().count() <= 200, "seed {seed} is long");
        let creates = ["pthread_create(", "thrd_create("].iter().any(|it| source.contains(it));
        assert!(creates, "seed {seed} has one thread");
        assert!(source.contains("int main(void) {"), "seed {seed} has no main");
    }
}

#[test]
fn brackets_match() {
    for program in programs() {
        for (open, close) in [('(', ')'), ('{', '}'), ('[', ']')] {
            let count = |c| program.source.matches(c).count();
            assert_eq!(count(open), count(close), "seed {}: {open}{close}", program.seed);
        }
    }
}

/// Sections end as often as they begin. Nothing is joined that was not created and nothing
/// unlocked that was not locked, but where it is done on purpose.
fn check_pairs(program: &ConcurrentProgram) {
    let source = program.source();
    let count = |word: &str| source.matches(word).count();
    assert_eq!(count("atomic_begin();"), count("atomic_end();"), "{source}");
    if program.constructs().iter().any(|construct| construct.is_beyond_mutexes()) {
        return;
    }
    // Several may want to join the same thread, of whom one does.
    for joined in source.split("pthread_join(").skip(1) {
        let thread = joined.split([',', '[']).next().unwrap_or_default();
        assert!(source.contains(&format!("pthread_create(&{thread}")), "{source}");
    }
    assert!(count("pthread_mutex_unlock(") == 0 || count("pthread_mutex_lock(") > 0, "{source}");
}

#[test]
fn programs_say_what_to_check() {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for program in programs() {
        let flags = ConcurrentProgram::generate(program.seed).flags();
        let first = format!("/* flags: {flags} */");
        assert_eq!(program.flags, flags);
        assert_eq!(program.source.starts_with(&first), !flags.is_empty(), "seed {}", program.seed);
        *counts.entry(flags).or_default() += 1;
    }
    // One in twelve each, and a margin.
    assert!(["--races", "--ub"].iter().all(|it| counts[it] * 16 > SEEDS), "{counts:?}");
}

#[test]
fn simplifications_are_lighter_and_keep_pairs() {
    for seed in 0..60 {
        let program = ConcurrentProgram::generate(seed);
        check_pairs(&program);
        for simpler in program.simplifications() {
            assert!(simpler.weight() < program.weight(), "seed {seed}");
            check_pairs(&simpler);
        }
    }
}

#[test]
fn shrinking_ends_with_next_to_nothing() {
    for seed in 0..40 {
        let program = ConcurrentProgram::generate(seed);
        let before = program.weight();
        let small = shrink_concurrent(program, &mut |_| true);
        assert!(small.weight() <= 6 && small.weight() < before, "{}", small.source());
        assert!(small.simplifications().is_empty());
    }
}

#[test]
fn shrinking_keeps_what_matters() {
    for seed in 0..40 {
        let program = ConcurrentProgram::generate(seed);
        let source = ConcurrentProgram::generate(seed).source();
        let word = if source.contains("thrd_create(") { "thrd_create(" } else { "pthread_create(" };
        let threads = |p: &ConcurrentProgram| p.source().contains(word);
        let small = shrink_concurrent(program, &mut |p| threads(p));
        assert!(threads(&small));
        assert!(small.source().lines().count() <= 20, "seed {seed}: {}", small.source());
    }
}
