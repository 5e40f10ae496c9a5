//! The symbolic engine agrees with the exploration on generated concurrent programs.
//!
//! 300 programs in the test suite; `make fuzz` sets `UNRAVEL_FUZZ_PROGRAMS` to 5,000.
//! `UNRAVEL_FUZZ_SEED` is the first seed, `UNRAVEL_FUZZ_STEP` the way to the next (every twentieth
//! program from 16 on has floating point). Programs on which they differ are kept as files, and the
//! first of them are shrunk and printed.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/fuzzing.rs"]
mod fuzzing;
mod support;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fuzzing::{Tally, compare};
use support::failures;
use unravel_cgen::{ConcurrentProgram, shrink_concurrent};
use unravel_report::model::Verdict;

/// How many of a hundred programs beyond mutexes and atomics the symbolic engine may leave open.
/// Waiting loops that count have no bound, so that only the exploration proves such programs safe.
/// All others must be answered where the exploration has an answer.
const BEYOND_MUTEXES_OPEN_PERCENT: u64 = 10;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Keeps a program for whoever looks into it.
fn keep(program: &ConcurrentProgram, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine_fuzz");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, program.source()).expect("written");
    path
}

/// The smallest program on which they still differ.
fn shrunk(seed: u64, folder: &Path) -> String {
    let name = format!("shrink{seed}");
    let small = shrink_concurrent(ConcurrentProgram::generate(seed), &mut |smaller| {
        matches!(compare(smaller, &name, folder), Some(Err(_)))
    });
    let last = match compare(&small, &name, folder) {
        Some(Err(difference)) => difference,
        _ => String::new(),
    };
    let path = keep(&small, &format!("seed{seed}-shrunk"));
    format!("seed {seed} shrunk, {}: {last}\n{}", path.display(), small.source())
}

/// A line for each program, and the first three of them small.
fn report(failed: &[String], folder: &Path) -> String {
    let lines = failed.iter().filter_map(|message| {
        let (seed, difference) = message.split_once(' ')?;
        let seed: u64 = seed.parse().ok()?;
        let program = ConcurrentProgram::generate(seed);
        let path = keep(&program, &format!("seed{seed}"));
        let flags = program.flags();
        Some((seed, format!("seed {seed}, {} {flags}: {difference}", path.display())))
    });
    let (seeds, mut lines): (Vec<u64>, Vec<String>) = lines.unzip();
    lines.extend(seeds.into_iter().take(3).map(|seed| shrunk(seed, folder)));
    lines.join("\n")
}

#[test]
fn the_symbolic_engine_agrees_with_the_exploration() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = setting("UNRAVEL_FUZZ_SEED", 1);
    let count = setting("UNRAVEL_FUZZ_PROGRAMS", 300);
    let step = setting("UNRAVEL_FUZZ_STEP", 1);
    let seeds: Vec<u64> = (0..count).map(|index| first + index * step).collect();
    let tally: Mutex<Tally> = Mutex::default();
    let failed = failures(&seeds, |&seed| {
        let program = ConcurrentProgram::generate(seed);
        let outcome = compare(&program, &format!("seed{seed}"), folder.path())
            .ok_or(format!("{seed} does not compile"))?
            .map_err(|difference| format!("{seed} {difference}"))?;
        tally.lock().expect("no panic before").0.insert(seed, outcome);
        Ok(())
    });
    assert!(
        failed.is_empty(),
        "{} of {count} differ\n{}",
        failed.len(),
        report(&failed, folder.path())
    );
    let tally = tally.into_inner().expect("no panic before");
    answered(&tally);
    balance(&tally, count);
}

/// Most programs must have an answer, and all that use nothing but mutexes and atomics.
fn answered(tally: &Tally) {
    let count = |verdict| tally.0.values().filter(|outcome| outcome.symbolic == verdict).count();
    println!(
        "symbolic: {} safe, {} unsafe, {} inconclusive",
        count(Verdict::Safe),
        count(Verdict::Unsafe),
        count(Verdict::Inconclusive)
    );
    let (beyond, others) = (tally.open(true), tally.open(false));
    println!(
        "open, by reason: {:#?}",
        beyond.iter().map(|(why, it)| (it.len(), why)).collect::<Vec<_>>()
    );
    assert!(others.is_empty(), "no answer for programs of mutexes and atomics: {others:#?}");
    let open: usize = beyond.values().map(Vec::len).sum();
    let all = tally.beyond_mutexes();
    assert!(
        open as u64 * 100 <= all * BEYOND_MUTEXES_OPEN_PERCENT,
        "no answer for {open} of {all}: {beyond:#?}"
    );
}

/// The comparison is worth something only if both outcomes occur, for every construct and every
/// property.
fn balance(tally: &Tally, count: u64) {
    let all = tally.all();
    let (constructs, properties) = (tally.by_construct(), tally.by_property());
    println!("{count} programs, explored: {all:?}, {} beyond mutexes", tally.beyond_mutexes());
    println!("by property: {properties:?}");
    println!("by construct: {constructs:?}");
    assert!(all.safe * 10 >= count * 3, "{} of {count} are safe", all.safe);
    assert!(all.violated * 10 >= count * 3, "{} of {count} are unsafe", all.violated);
    // Few programs say little about what is rare.
    if count < 2000 {
        return;
    }
    let constructs = constructs.iter().map(|(it, split)| (it.name(), split));
    let properties = properties.iter().map(|(name, split)| (*name, split));
    for (name, split) in constructs.chain(properties) {
        let enough = (split.safe + split.violated) * 50 >= count;
        let both = split.safe * 100 >= count && split.violated * 100 >= count;
        assert!(enough && both, "{name}: {split:?} of {count}");
    }
}
