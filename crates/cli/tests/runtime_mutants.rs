//! The check that a recorded run is exact notices a broken runtime.
//!
//! Each mutant has one part of the runtime broken. On some generated program the interpreter must then
//! refuse a run, or the run must not repeat. `UNRAVEL_FUZZ_PROGRAMS` says how many programs there are.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/recording.rs"]
mod recording;
mod support;

use std::path::Path;
use std::time::Duration;

use recording::{build, embedded, plan, record, strategy};
use support::engines::properties;
use unravel_interp::{Config, Machine};
use unravel_recorder::Plan;
use unravel_retrace::{Refusal, retrace};
use unravel_wire::control::Mutant;

/// Runs of each program.
const SEEDS: u64 = 6;

/// Which of some mutants a generated program catches.
fn caught(mutants: &[Mutant], number: u64, folder: &Path) -> Vec<Mutant> {
    let source = folder.join(format!("generated{number}.c"));
    std::fs::write(&source, unravel_cgen::concurrent(number).source).expect("writable");
    let binary = build(&source, folder).expect("it builds");
    let ir = embedded(&binary).expect("it is embedded");
    let machine = Machine::new(&ir, Config::new(properties()));
    let is_refused = |mutant: Option<Mutant>, seed: u64| {
        let at_most = Some(Duration::from_secs(5));
        let plan = Plan { mutant, at_most, ..plan(&binary, strategy(seed), seed) };
        match record(&plan) {
            Ok(Some(records)) => match retrace(&machine, &records) {
                Ok(_) | Err(Refusal::NotModelled(_)) => false,
                Err(_) => true,
            },
            Ok(None) => false,
            // It does not end: nobody would overlook that.
            Err(_) => true,
        }
    };
    let notices = |mutant: &Mutant| {
        (0..SEEDS).any(|seed| is_refused(Some(*mutant), seed) && !is_refused(None, seed))
    };
    mutants.iter().copied().filter(notices).collect()
}

#[test]
fn every_broken_runtime_is_noticed() {
    let programs = std::env::var("UNRAVEL_FUZZ_PROGRAMS").ok().and_then(|it| it.parse().ok());
    let folder = tempfile::tempdir().expect("a folder");
    let mut left = Mutant::ALL.to_vec();
    for number in 0..programs.unwrap_or(300) {
        let found = caught(&left, number, folder.path());
        found.iter().for_each(|it| println!("{it:?} is noticed by program {number}"));
        left.retain(|it| !found.contains(it));
        if left.is_empty() {
            return;
        }
    }
    panic!("not noticed: {left:?}");
}
