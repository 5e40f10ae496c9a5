//! A recorded run is exact: the interpreter, given the recorded order and inputs, computes every value
//! that was recorded; and the binary repeats it.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;

use support::engines::properties;
use support::{code, corpus, failures, stderr, unravel};
use unravel_corpus::CorpusProgram;
use unravel_interp::{Config, Machine};
use unravel_recorder::{Plan, run};
use unravel_retrace::{Refusal, retrace};
use unravel_trace::compare::difference;
use unravel_trace::repeat::schedule;
use unravel_wire::{Record, Strategy};

/// How long a run may take before it counts as hanging.
const AT_MOST: Duration = Duration::from_secs(20);

/// Builds a program of the corpus with hooks.
fn build(program: &CorpusProgram, folder: &Path) -> Result<PathBuf, String> {
    let binary = folder.join(program.name());
    let source = program.path.to_string_lossy();
    let output =
        unravel(&["cc", "-g", "-w", "-pthread", &source, "-o", &binary.to_string_lossy(), "-lm"]);
    if code(&output) == 0 { Ok(binary) } else { Err(format!("not built: {}", stderr(&output))) }
}

fn plan(binary: &Path, strategy: Strategy, seed: u64) -> Plan<'static> {
    let at_most = Some(AT_MOST);
    Plan { strategy, seed, quiet: true, at_most, limit: Some(200_000), ..Plan::new(binary) }
}

fn record(plan: &Plan<'_>) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    let ended = run(plan, &mut records).map_err(|failure| format!("{failure:?}"))?;
    if ended.timed_out { Err("it does not end".to_owned()) } else { Ok(records) }
}

/// What one program gives under some seeds: how often it was carried out, and why not.
fn carried_out(program: &CorpusProgram, seeds: u64) -> Result<(u64, Vec<String>), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = build(program, folder.path())?;
    let bytes = std::fs::read(&binary).expect("it was built");
    let units = unravel_frontend::hooks::units(&bytes).map_err(|error| error.to_string())?;
    let ir = unravel_frontend::hooks::program(&units).map_err(|error| error.to_string())?;
    let machine = Machine::new(&ir, Config::new(properties()));
    let (mut exact, mut refused) = (0, Vec::new());
    for seed in 0..seeds {
        let strategy = if seed == 0 { Strategy::Serial } else { Strategy::Random };
        let records = record(&plan(&binary, strategy, seed))?;
        match retrace(&machine, &records) {
            Ok(_) => exact += 1,
            Err(refusal) => refused.push(format!("seed {seed}: {}", shown(&refusal))),
        }
        replays(&binary, seed, &records)?;
    }
    Ok((exact, refused))
}

fn shown(refusal: &Refusal) -> String {
    format!("{refusal:?}")
}

/// The schedule of a run, forced on the binary, gives the same run.
fn replays(binary: &Path, seed: u64, records: &[Record]) -> Result<(), String> {
    let repeat = schedule(records);
    let plan = Plan { repeat: Some(&repeat), ..plan(binary, Strategy::Follow, seed) };
    let again = record(&plan)?;
    match difference(records, &again) {
        None => Ok(()),
        Some(found) => Err(format!("seed {seed} goes another way when replayed: {found:x?}")),
    }
}

/// The programs of a test: every one, or a sample that takes a minute; `UNRAVEL_ONLY` for those whose name
/// contains a text.
fn chosen(step: usize) -> Vec<CorpusProgram> {
    let only = std::env::var("UNRAVEL_ONLY").unwrap_or_default();
    let step = if is_all() || !only.is_empty() { 1 } else { step };
    let fits = |it: &CorpusProgram| it.header.flags.arguments.is_none() && it.shown.contains(&only);
    corpus().into_iter().filter(fits).step_by(step).collect()
}

/// Whether `make corpus` runs this.
fn is_all() -> bool {
    std::env::var("UNRAVEL_CORPUS").is_ok_and(|it| it == "all")
}

#[test]
fn the_interpreter_computes_every_recorded_value() {
    let seeds = if is_all() { 20 } else { 5 };
    let programs = chosen(12);
    let refused = failures(&programs, |program| {
        let (_, refused) =
            carried_out(program, seeds).map_err(|why| format!("{}: {why}", program.shown))?;
        refused.first().map_or(Ok(()), |why| Err(format!("{}: {why}", program.shown)))
    });
    println!("{} programs, {} refused", programs.len(), refused.len());
    assert!(refused.len() * 100 <= programs.len(), "{}", refused.join("\n"));
}
