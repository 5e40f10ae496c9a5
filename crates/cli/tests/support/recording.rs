//! Building a program with hooks, running it under control, and carrying the run out on the interpreter.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use unravel_interp::{Config, Machine};
use unravel_program::Program;
use unravel_recorder::{Failure, Plan, run};
use unravel_retrace::{Refusal, retrace};
use unravel_trace::compare::difference;
use unravel_trace::repeat::schedule;
use unravel_wire::{Record, Strategy};

use crate::support::engines::properties;
use crate::support::{code, stderr, unravel};

/// How long a run may take before it counts as hanging.
const AT_MOST: Duration = Duration::from_secs(60);

/// Events after which a run is cut.
pub const MOST_EVENTS: u64 = 200_000;

/// What became of a program.
pub enum Outcome {
    /// So many runs were carried out, and repeated.
    Exact(u64),
    /// The interpreter does not know all of it.
    NotModelled,
    /// It does not run as it is, with or without hooks.
    DoesNotRun,
    /// A run was refused.
    Refused(String),
}

/// Builds a program with hooks.
pub fn build(source: &Path, folder: &Path) -> Result<PathBuf, String> {
    let binary = folder.join(source.file_stem().unwrap_or_default());
    let (from, to) = (source.to_string_lossy(), binary.to_string_lossy());
    let output = unravel(&["cc", "-g", "-w", "-pthread", &from, "-o", &to, "-lm"]);
    if code(&output) == 0 { Ok(binary) } else { Err(format!("not built: {}", stderr(&output))) }
}

/// The program that is embedded in a binary.
pub fn embedded(binary: &Path) -> Result<Program, String> {
    let bytes = std::fs::read(binary).map_err(|error| error.to_string())?;
    let units = unravel_frontend::hooks::units(&bytes).map_err(|error| error.to_string())?;
    unravel_frontend::hooks::program(&units).map_err(|error| error.to_string())
}

pub fn plan(binary: &Path, strategy: Strategy, seed: u64) -> Plan<'static> {
    let at_most = Some(AT_MOST);
    Plan { strategy, seed, quiet: true, at_most, limit: Some(MOST_EVENTS), ..Plan::new(binary) }
}

/// The strategy of the n-th run.
pub fn strategy(seed: u64) -> Strategy {
    if seed == 0 { Strategy::Serial } else { Strategy::Random }
}

/// The records of a run; `None` if the program dies before it begins.
pub fn record(plan: &Plan<'_>) -> Result<Option<Vec<Record>>, String> {
    let mut records = Vec::new();
    match run(plan, &mut records) {
        Ok(ended) if ended.timed_out => Err("it does not end".to_owned()),
        Ok(_) => Ok(Some(records)),
        Err(Failure::NoHooks(status)) if status.code().is_none() => Ok(None),
        Err(failure) => Err(format!("{failure:?}")),
    }
}

/// What one program gives under some seeds.
pub fn carried_out(source: &Path, seeds: u64) -> Result<Outcome, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let binary = build(source, folder.path())?;
    let ir = embedded(&binary)?;
    let machine = Machine::new(&ir, Config::new(properties()));
    let mut outcome = Outcome::Exact(0);
    for seed in 0..seeds {
        let Some(records) = record(&plan(&binary, strategy(seed), seed))? else {
            return Ok(Outcome::DoesNotRun);
        };
        outcome = match (retrace(&machine, &records), outcome) {
            (Ok(_), Outcome::Exact(count)) => Outcome::Exact(count + 1),
            (Ok(_), other) => other,
            (Err(Refusal::NotModelled(_)), _) => Outcome::NotModelled,
            (Err(refusal), _) => return Ok(Outcome::Refused(format!("seed {seed}: {refusal:?}"))),
        };
        replays(&binary, seed, &records)?;
    }
    Ok(outcome)
}

/// The schedule of a run, forced on the binary, gives the same run.
pub fn replays(binary: &Path, seed: u64, records: &[Record]) -> Result<(), String> {
    let repeat = schedule(records);
    let plan = Plan { repeat: Some(&repeat), ..plan(binary, Strategy::Follow, seed) };
    let again = record(&plan)?.unwrap_or_default();
    match difference(records, &again) {
        None => Ok(()),
        Some(found) => Err(format!("seed {seed} goes another way when replayed: {found:x?}")),
    }
}
