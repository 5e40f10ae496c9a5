//! `compare` on generated failing programs: every search against all passing runs.
//!
//! `UNRAVEL_FUZZ_COMPARISONS` says how many, `UNRAVEL_FUZZ_SEED` is the first seed. The first
//! programs whose comparison is wrong are shrunk and printed.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/closest.rs"]
mod closest;
#[path = "support/comparing.rs"]
mod comparing;
mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use comparing::{Judged, judge};
use support::engines::{load, options, properties};
use support::failures;
use unravel_cgen::{ConcurrentProgram, shrink_concurrent};
use unravel_driver::Engine;

/// Of a hundred failing programs, so many at least must be small enough.
const ENUMERATED_PERCENT: usize = 50;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What became of a generated program; `None` if it does not compile, which only happens while
/// shrinking.
fn judge_source(source: &str, name: &str, folder: &Path) -> Option<Result<Judged, String>> {
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, source).expect("written");
    let program = load(&path);
    let _ = std::fs::remove_file(&path);
    let outcome = judge(&program?, &options(Engine::Sat, properties()));
    Some(outcome.map(|it| it.judged))
}

/// The smallest program whose comparison is still wrong.
fn shrunk(seed: u64, folder: &Path, first: &str) -> String {
    let name = format!("shrink{seed}");
    let program = ConcurrentProgram::generate(seed);
    let small = shrink_concurrent(program, &mut |smaller| {
        matches!(judge_source(&smaller.source(), &name, folder), Some(Err(_)))
    });
    let last = match judge_source(&small.source(), &name, folder) {
        Some(Err(wrong)) => wrong,
        _ => String::new(),
    };
    format!("seed {seed}: {first}\nshrunk: {last}\n{}", small.source())
}

/// What became of the programs of some seeds.
#[derive(Default)]
struct Tally(Mutex<BTreeMap<u64, Judged>>);

impl Tally {
    fn enter(&self, seed: u64, judged: Judged) {
        self.0.lock().expect("no panic before").insert(seed, judged);
    }

    fn count(&self, is_it: impl Fn(&Judged) -> bool) -> usize {
        self.0.lock().expect("no panic before").values().filter(|it| is_it(it)).count()
    }
}

#[test]
fn closest_runs_of_generated_programs_are_the_closest() {
    let folder = tempfile::tempdir().expect("a folder");
    let wanted = usize::try_from(setting("UNRAVEL_FUZZ_COMPARISONS", 12)).expect("a number");
    let mut from = setting("UNRAVEL_FUZZ_SEED", 1);
    let tally = Tally::default();
    let mut failed = Vec::new();
    while tally.count(Judged::is_bug) + failed.len() < wanted {
        let seeds: Vec<u64> = (from..from + 20).collect();
        from += 20;
        failed.extend(failures(&seeds, |&seed| {
            if tally.count(Judged::is_bug) >= wanted {
                return Ok(());
            }
            let source = ConcurrentProgram::generate(seed).source();
            // The interpreter moves a block as a whole; that its parts are copied is no data flow
            // there, so what is read from the new block has another source in the formula.
            if source.contains("realloc(") {
                return Ok(());
            }
            let judged = judge_source(&source, &format!("seed{seed}"), folder.path());
            let judged = judged.ok_or(format!("{seed} does not compile"))?;
            tally.enter(seed, judged.map_err(|wrong| format!("{seed} {wrong}"))?);
            Ok(())
        }));
    }
    let shown = failed.iter().enumerate().map(|(index, message)| match message.split_once(' ') {
        Some((seed, wrong)) if index < 3 => {
            shrunk(seed.parse().expect("a seed"), folder.path(), wrong)
        }
        _ => format!("seed {message}"),
    });
    let shown: Vec<String> = shown.collect();
    assert!(failed.is_empty(), "{} are wrong\n{}", failed.len(), shown.join("\n"));
    balance(&tally);
}

/// The comparison is worth something only if most are held against all runs.
fn balance(tally: &Tally) {
    let mut reasons: BTreeMap<Judged, usize> = BTreeMap::new();
    for judged in tally.0.lock().expect("no panic before").values().filter(|it| it.is_bug()) {
        *reasons.entry(judged.clone()).or_default() += 1;
    }
    let failing = tally.count(Judged::is_bug);
    let enumerated = tally.count(Judged::is_enumerated);
    println!("{enumerated} of {failing} failing programs enumerated: {reasons:#?}");
    assert!(
        enumerated * 100 >= failing * ENUMERATED_PERCENT,
        "only {enumerated} of {failing} are small enough"
    );
}
