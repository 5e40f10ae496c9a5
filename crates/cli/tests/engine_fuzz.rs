//! The symbolic engine agrees with the exploration on generated concurrent programs.
//!
//! 300 programs in the test suite; `make fuzz` sets `UNRAVEL_FUZZ_PROGRAMS` to 5,000.
//! `UNRAVEL_FUZZ_SEED` is the first seed. A program on which they differ is shrunk and printed.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use support::engines::{Verdicts, check_both, properties};
use support::failures;
use unravel_cgen::{ConcurrentProgram, shrink_concurrent};
use unravel_report::model::Verdict;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Both verdicts, or how the engines differ. `None` if the program does not compile, which only
/// happens while shrinking.
fn compare(source: &str, name: &str, folder: &Path) -> Option<Result<Verdicts, String>> {
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, source).expect("written");
    let result = check_both(&path, properties());
    let _ = std::fs::remove_file(&path);
    result
}

/// The smallest program on which they still differ.
fn report(seed: u64, folder: &Path, first: &str) -> String {
    let name = format!("shrink{seed}");
    let program = ConcurrentProgram::generate(seed);
    let small = shrink_concurrent(program, &mut |smaller| {
        matches!(compare(&smaller.source(), &name, folder), Some(Err(_)))
    });
    let last = match compare(&small.source(), &name, folder) {
        Some(Err(difference)) => difference,
        _ => String::new(),
    };
    format!("seed {seed}: {first}\nshrunk: {last}\n{}", small.source())
}

#[test]
fn the_symbolic_engine_agrees_with_the_exploration() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = setting("UNRAVEL_FUZZ_SEED", 1);
    let count = setting("UNRAVEL_FUZZ_PROGRAMS", 300);
    let seeds: Vec<u64> = (first..first + count).collect();
    let outcomes: Mutex<BTreeMap<u64, Verdicts>> = Mutex::default();
    let failed = failures(&seeds, |&seed| {
        let source = ConcurrentProgram::generate(seed).source();
        match compare(&source, &format!("seed{seed}"), folder.path()) {
            None => Err(format!("{seed} does not compile")),
            Some(Err(difference)) => Err(format!("{seed} {difference}")),
            Some(Ok(verdicts)) => {
                outcomes.lock().expect("no panic before").insert(seed, verdicts);
                Ok(())
            }
        }
    });
    let shown: Vec<String> = failed
        .iter()
        .take(3)
        .filter_map(|message| {
            let (seed, difference) = message.split_once(' ')?;
            Some(report(seed.parse().ok()?, folder.path(), difference))
        })
        .collect();
    assert!(failed.is_empty(), "{} of {count} differ\n{}", failed.len(), shown.join("\n"));
    let outcomes = outcomes.into_inner().expect("no panic before");
    balance(&outcomes, count);
}

/// The comparison is worth something only if both outcomes occur, for every construct.
fn balance(outcomes: &BTreeMap<u64, Verdicts>, count: u64) {
    let of =
        |verdict: Verdict| outcomes.values().filter(|it| it.symbolic == verdict).count() as u64;
    let (safe, violated) = (of(Verdict::Safe), of(Verdict::Unsafe));
    println!(
        "{count} programs: {safe} safe, {violated} unsafe, {} inconclusive",
        of(Verdict::Inconclusive)
    );
    assert!(safe * 10 >= count * 3, "{safe} of {count} are safe");
    assert!(violated * 10 >= count * 3, "{violated} of {count} are unsafe");
    let mut constructs: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for (&seed, verdicts) in outcomes {
        for construct in ConcurrentProgram::generate(seed).constructs() {
            let entry = constructs.entry(construct.to_string()).or_default();
            match verdicts.symbolic {
                Verdict::Safe => entry[0] += 1,
                Verdict::Unsafe => entry[1] += 1,
                Verdict::Inconclusive => {}
            }
        }
    }
    println!("safe and unsafe programs by construct: {constructs:?}");
    // Few programs say little about rare constructs.
    if count >= 2000 {
        for (construct, [safe, violated]) in constructs {
            let all = safe + violated;
            assert!(all * 50 >= count, "{construct}: {all} of {count}");
            assert!(safe * 100 >= count, "{construct}: {safe} safe of {count}");
            assert!(violated * 100 >= count, "{construct}: {violated} unsafe of {count}");
        }
    }
}
