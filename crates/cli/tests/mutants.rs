//! The generated programs notice a broken engine.
//!
//! Each mutant has one part of the symbolic engine broken; on some generated program its answer
//! must then differ from that of the sound engine (which agrees with the exploration on all of
//! them, see `engine_fuzz.rs`), or its run must not replay. `UNRAVEL_FUZZ_PROGRAMS` and
//! `UNRAVEL_FUZZ_SEED` say how many programs there are and which is the first.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/diagnosis.rs"]
#[allow(dead_code, reason = "the test of diagnoses uses all of it")]
mod diagnosis;
#[path = "support/fuzzing.rs"]
#[allow(dead_code, reason = "the other fuzz test uses all of it")]
mod fuzzing;
mod support;

use std::path::Path;
use std::sync::Mutex;

use diagnosis::{check_cores, diagnosed};
use fuzzing::properties_of;
use support::engines::{StopAfter, load, options};
use support::failures;
use unravel_cgen::{ConcurrentProgram, Construct};
use unravel_driver::mutants::{Encoding, Events, Theory};
use unravel_driver::{CheckOptions, Engine, check};
use unravel_interp::Properties;
use unravel_program::Program;
use unravel_report::model::Verdict;

/// A way to break the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mutant {
    Theory(Theory),
    Encoding(Encoding),
    Events(Events),
}

const MUTANTS: [Mutant; 18] = [
    Mutant::Theory(Theory::CoReason),
    Mutant::Theory(Theory::FrReason),
    Mutant::Theory(Theory::P1Reason),
    Mutant::Theory(Theory::P2Reason),
    Mutant::Theory(Theory::NoCompleteness),
    Mutant::Encoding(Encoding::NoLockDisjunction),
    Mutant::Encoding(Encoding::NoAddressEquality),
    Mutant::Encoding(Encoding::NoBoundQuery),
    Mutant::Encoding(Encoding::NoSignalConsumption),
    Mutant::Encoding(Encoding::NoSpuriousWakeups),
    Mutant::Encoding(Encoding::NoReaderCount),
    Mutant::Encoding(Encoding::NoReleaseEdges),
    Mutant::Encoding(Encoding::NoAcquireEdges),
    Mutant::Encoding(Encoding::SpinsNeverHang),
    Mutant::Events(Events::BarrierOpensEarly),
    Mutant::Events(Events::WritingTurnsAreIdle),
    Mutant::Events(Events::ArgumentsAreAlike),
    Mutant::Events(Events::NobodyElseWrites),
];

fn broken(mutant: Mutant, properties: Properties) -> CheckOptions {
    let mut options = options(Engine::Sat, properties);
    match mutant {
        Mutant::Theory(mutant) => options.solver.mutant = Some(mutant),
        Mutant::Encoding(mutant) => options.mutant = Some(mutant),
        Mutant::Events(mutant) => options.event_mutant = Some(mutant),
    }
    options
}

/// Verdict of an engine; `None` if its answer did not survive its own check.
fn verdict(program: &Program, options: &CheckOptions) -> Option<Verdict> {
    let checked = check(program, options, &mut StopAfter(20_000)).ok()?;
    Some(checked.report.verdict)
}

/// Which of some mutants a program catches.
fn caught(mutants: &[Mutant], seed: u64, folder: &Path) -> Vec<Mutant> {
    let path = folder.join(format!("{seed}.c"));
    let generated = ConcurrentProgram::generate(seed);
    let properties = properties_of(generated.extra());
    std::fs::write(&path, generated.source()).expect("written");
    let program = load(&path).expect("it compiles");
    let _ = std::fs::remove_file(&path);
    let sound = verdict(&program, &options(Engine::Sat, properties));
    if sound == Some(Verdict::Inconclusive) {
        return Vec::new();
    }
    let differs = |mutant: &&Mutant| {
        let answer = verdict(&program, &broken(**mutant, properties));
        answer != sound && answer != Some(Verdict::Inconclusive)
    };
    mutants.iter().filter(differs).copied().collect()
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn every_mutant_is_caught() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = setting("UNRAVEL_FUZZ_SEED", 1);
    let count = setting("UNRAVEL_FUZZ_PROGRAMS", 5000);
    let seeds: Vec<u64> = (first..first + count).collect();
    let alive = Mutex::new(MUTANTS.to_vec());
    let failed = failures(&seeds, |&seed| {
        let mutants = alive.lock().expect("no panic before").clone();
        if mutants.is_empty() {
            return Ok(());
        }
        for mutant in caught(&mutants, seed, folder.path()) {
            println!("{mutant:?} is caught by program {seed}");
            alive.lock().expect("no panic before").retain(|it| *it != mutant);
        }
        Ok(())
    });
    assert!(failed.is_empty(), "{failed:?}");
    let survived = alive.into_inner().expect("no panic before");
    assert!(survived.is_empty(), "{survived:?} survive {count} programs");
}

/// Whether the exploration notices that the cores of a program are wrong if runs that come to a bound
/// do not speak against them. `None` if the program has no loop that can go on.
fn notices_ignored_bounds(seed: u64, folder: &Path) -> Option<bool> {
    let generated = ConcurrentProgram::generate(seed);
    if !generated.constructs().contains(&Construct::CountedWait) {
        return None;
    }
    let path = folder.join(format!("bound{seed}.c"));
    std::fs::write(&path, generated.source()).expect("written");
    let program = load(&path).expect("it compiles");
    let _ = std::fs::remove_file(&path);
    let properties = properties_of(generated.extra());
    let broken = broken(Mutant::Encoding(Encoding::CoresIgnoreBounds), properties);
    let cores = diagnosed(&program, &broken).ok()?.cores;
    Some(check_cores(&program, &broken, &cores).is_err())
}

#[test]
fn cores_that_ignore_bounds_are_caught() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = setting("UNRAVEL_FUZZ_SEED", 1);
    let mut tried = 0;
    let caught = (first..first + 10_000).find(|&seed| {
        let noticed = notices_ignored_bounds(seed, folder.path());
        tried += u32::from(noticed.is_some());
        noticed == Some(true)
    });
    println!("caught by program {caught:?} after {tried} with such loops");
    assert!(caught.is_some(), "none of {tried} programs notices it");
}
