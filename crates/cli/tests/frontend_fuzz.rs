//! The interpreter prints what clang's binary prints, on generated sequential programs.
//!
//! 200 programs in the test suite; `make fuzz-frontend` sets `UNRAVEL_FUZZ_PROGRAMS` to 2,000.
//! `UNRAVEL_FUZZ_SEED` is the first seed. A failing program is shrunk and printed.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use support::{failures, program_exit_code, run_natively, stderr, unravel};
use unravel_cgen::{SequentialProgram, shrink};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// How the interpreter's run of a program differs from the binary's, if it does.
fn difference(source: &str, name: &str, folder: &Path) -> Option<String> {
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, source).expect("written");
    let (output, code) = match run_natively(&path, folder) {
        Ok(Some(ran)) => ran,
        Ok(None) => return Some("the binary does not end".to_owned()),
        // A program that shrinking broke: not of interest.
        Err(_) => return None,
    };
    let shown = path.display().to_string();
    let ran = unravel(&["run", &shown]);
    let _ = std::fs::remove_file(&path);
    if ran.stdout != output {
        let (ours, theirs) = (support::stdout(&ran), String::from_utf8_lossy(&output).into_owned());
        let differs = ours.lines().zip(theirs.lines()).find(|(a, b)| a != b);
        return Some(format!("output differs: {differs:?}\n{}", stderr(&ran)));
    }
    let ended = program_exit_code(&ran);
    (ended != Some(code))
        .then(|| format!("ends with {ended:?} instead of {code}: {}", stderr(&ran)))
}

/// The smallest program that still differs.
fn report(seed: u64, folder: &Path, first: &str) -> String {
    let name = format!("shrink{seed}");
    let program = SequentialProgram::generate(seed);
    let small = shrink(program, |smaller| difference(&smaller.source(), &name, folder).is_some());
    let last = difference(&small.source(), &name, folder).unwrap_or_default();
    format!("seed {seed}: {first}\nshrunk: {last}\n{}", small.source())
}

#[test]
fn the_interpreter_agrees_with_the_binary() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = setting("UNRAVEL_FUZZ_SEED", 1);
    let seeds: Vec<u64> = (first..first + setting("UNRAVEL_FUZZ_PROGRAMS", 200)).collect();
    let mut features = BTreeMap::new();
    for &seed in &seeds {
        for feature in SequentialProgram::generate(seed).features() {
            *features.entry(format!("{feature:?}")).or_insert(0u32) += 1;
        }
    }
    let failed = failures(&seeds, |&seed| {
        let source = SequentialProgram::generate(seed).source();
        match difference(&source, &format!("seed{seed}"), folder.path()) {
            None => Ok(()),
            Some(difference) => Err(format!("{seed} {difference}")),
        }
    });
    println!("{} programs, {} features: {features:?}", seeds.len(), features.len());
    let shown: Vec<String> = failed
        .iter()
        .take(3)
        .filter_map(|message| {
            let (seed, difference) = message.split_once(' ')?;
            Some(report(seed.parse().ok()?, folder.path(), difference))
        })
        .collect();
    assert!(failed.is_empty(), "{} of {} differ\n{}", failed.len(), seeds.len(), shown.join("\n"));
}
