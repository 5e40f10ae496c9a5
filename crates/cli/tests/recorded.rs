//! Recorded runs are exact: the interpreter, given the recorded order and inputs, computes every value
//! that was recorded; the binary repeats a run; and what is computed for a source happens on the binary.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/recording.rs"]
mod recording;
mod support;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use recording::{MOST_EVENTS, Outcome, build, carried_out, plan, record, replays};
use support::{code, corpus, failing_corpus, failures, none_fail, stderr, unravel};
use unravel_corpus::CorpusProgram;
use unravel_wire::{Record, Strategy};

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

/// How often something happens in a test: a number for `make test`, another for the longer verbs.
fn count(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

#[test]
fn the_interpreter_computes_every_recorded_value() {
    let seeds = if is_all() { 20 } else { 4 };
    let programs = chosen(12);
    let (exact, open) = (AtomicU64::new(0), AtomicU64::new(0));
    let refused = failures(&programs, |program| {
        let what = |why| format!("{}: {why}", program.shown);
        match carried_out(&program.path, seeds).map_err(what)? {
            Outcome::Exact(runs) => drop(exact.fetch_add(runs, Ordering::Relaxed)),
            Outcome::NotModelled | Outcome::DoesNotRun => {
                println!("{}: not modelled, or it does not run at all", program.shown);
                open.fetch_add(1, Ordering::Relaxed);
            }
            Outcome::Refused(why) => return Err(what(why)),
        }
        Ok(())
    });
    let (exact, open) = (exact.into_inner(), open.into_inner());
    let count = programs.len();
    println!(
        "{count} programs, {exact} runs exact, {open} not modelled, {} refused",
        refused.len()
    );
    assert!(refused.len() * 100 <= count, "{}", refused.join("\n"));
    assert!(open * 20 <= count as u64, "{open} of {count} cannot be carried out");
}

#[test]
fn the_interpreter_computes_every_value_of_generated_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let seeds: Vec<u64> = (0..count("UNRAVEL_FUZZ_RECORDED", 100)).collect();
    let refused = failures(&seeds, |&seed| {
        let source = folder.path().join(format!("generated{seed}.c"));
        std::fs::write(&source, unravel_cgen::concurrent(seed).source).expect("writable");
        match carried_out(&source, 3).map_err(|why| format!("program {seed}: {why}"))? {
            Outcome::Exact(_) => Ok(()),
            Outcome::NotModelled => Err(format!("program {seed} is not modelled")),
            Outcome::DoesNotRun => Err(format!("program {seed} does not run")),
            Outcome::Refused(why) => Err(format!("program {seed}: {why}")),
        }
    });
    println!("{} programs, {} refused", seeds.len(), refused.len());
    assert!(refused.len() * 100 <= seeds.len(), "{}", refused.join("\n"));
}

/// Programs whose computed runs cannot happen on this machine, or not be forced.
const EXCEPTED: &[(&str, &str)] = &[
    ("wide_store_bad", TORN),
    ("packed_word_bad", TORN),
    ("strcpy_bad", "a function of the C library is one step of its caller"),
    ("cas_weak_bad", "this processor has no weak compare-and-swap"),
    ("cond_timedwait_unset_bad", UNSET),
    ("shown_padding_bad", UNSET),
    ("equal_elements_bad", "the C library's `qsort` keeps the order of equal elements"),
    ("address_order_bad", "the allocator gives the addresses in one order"),
    ("reused_address_bad", "freed blocks rest, so their addresses do not come back at once"),
    ("block_local_bad", SCOPE),
    ("block_local_kept_bad", SCOPE),
    ("tsd_bad", KEYS),
    ("key_delete_bad", KEYS),
    ("ub_overflow_bad", DEFINED),
    ("float_range_bad", DEFINED),
    ("least_abs_bad", DEFINED),
    ("shift_negative_bad", DEFINED),
    ("shift_sign_bad", DEFINED),
    ("hang_timed_bad", "that waits which end by time change nothing is not seen"),
    ("hang_restore_bad", "that memory is changed and changed back is not seen to be no progress"),
    ("errno_of_success_bad", "the C library leaves `errno` alone where it may set it"),
];

const TORN: &str = "an access that the model takes in parts is one step of the binary";
const UNSET: &str = "memory that nobody has set holds zeros";
const DEFINED: &str = "what is compiled gives undefined arithmetic a meaning";
const KEYS: &str = "calls for thread-specific data are no steps of the binary";
const SCOPE: &str = "locals live as long as their function in what is compiled";

/// The failing run that `check` computes and the passing one that `diagnose` shows, forced on the binary,
/// end there as they end here. What the binary does not notice (a race, an access beside a variable) is
/// looked for in its records.
#[test]
fn computed_schedules_are_real() {
    let only = std::env::var("UNRAVEL_ONLY").unwrap_or_default();
    let fits = |it: &CorpusProgram| {
        let stem = it.path.file_stem().unwrap_or_default().to_string_lossy();
        let is_excepted = EXCEPTED.iter().any(|(name, _)| *name == stem);
        it.header.flags.arguments.is_none() && it.shown.contains(&only) && !is_excepted
    };
    let all = failing_corpus();
    assert!(EXCEPTED.len() * 15 <= all.len());
    let all = all.into_iter().filter(fits);
    let step = if is_all() || !only.is_empty() { 1 } else { 12 };
    let programs: Vec<CorpusProgram> = all.step_by(step).collect();
    let passing = AtomicU64::new(0);
    let failed = failures(&programs, |program| {
        let what = |why: String| format!("{}: {why}", program.shown);
        let computed = Computed::new(program).map_err(what)?;
        computed.forced("check", "schedule").map_err(what)?;
        let has_passing = computed.forced("diagnose", "passing").map_err(what)?;
        passing.fetch_add(has_passing.into(), Ordering::Relaxed);
        Ok(())
    });
    let count = programs.len();
    let passing = passing.into_inner();
    println!("{count} programs, {passing} with a passing run, {} not forced", failed.len());
    none_fail(&failed);
}

/// A program of the corpus, built, and what is computed for it.
struct Computed<'c> {
    program: &'c CorpusProgram,
    folder: tempfile::TempDir,
    binary: PathBuf,
}

impl Computed<'_> {
    fn new(program: &CorpusProgram) -> Result<Computed<'_>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let binary = build(&program.path, folder.path())?;
        Ok(Computed { program, folder, binary })
    }

    /// Forces what a command computes on the binary; whether it computes such a run.
    fn forced(&self, command: &str, which: &str) -> Result<bool, String> {
        let file = self.folder.path().join(which);
        let emit = format!("--emit={which}={}", file.display());
        let source = self.program.path.to_string_lossy();
        // A few diagnoses take very long; what is not known by then is not forced.
        let mut call = vec![command, &emit, &source, "--time-limit=3m"];
        call.extend(self.program.header.flags.args());
        let found = unravel(&call);
        if !file.exists() {
            let said = stderr(&found);
            // Where every run fails, none passes.
            return if which == "passing" { Ok(false) } else { Err(said) };
        }
        let (file, binary) = (file.to_string_lossy(), self.binary.to_string_lossy());
        let output = unravel(&["replay", "-n", "20", "--schedule", &file, &binary]);
        if code(&output) == 0 { Ok(true) } else { Err(format!("{which}: {}", stderr(&output))) }
    }
}

/// Two threads that do nothing but count, until they are told to stop.
fn beside_busy_loops<T>(work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        stop.store(true, Ordering::Relaxed);
        result
    })
}

#[test]
fn long_runs_repeat_beside_busy_loops() {
    let (programs, times) = if is_all() { (20, 100) } else { (2, 20) };
    let folder = tempfile::tempdir().expect("a folder");
    let step = if is_all() { 1 } else { 40 };
    let mut runs: Vec<(Vec<Record>, PathBuf, String)> = Vec::new();
    for program in chosen(step) {
        let Ok(binary) = build(&program.path, folder.path()) else { continue };
        let Ok(Some(records)) = record(&plan(&binary, Strategy::Random, 1)) else { continue };
        // What is cut at a limit is no whole run.
        if (records.len() as u64) < MOST_EVENTS {
            runs.push((records, binary, program.shown));
        }
    }
    runs.sort_by_key(|it| std::cmp::Reverse(it.0.len()));
    runs.truncate(programs);
    assert_eq!(runs.len(), programs);
    let failed = beside_busy_loops(|| {
        let again = |(records, binary, shown): &(Vec<Record>, PathBuf, String)| {
            let times = 0..times;
            let failed = times.map(|_| replays(binary, 1, records)).find_map(Result::err);
            failed.map(|why| format!("{shown}: {why}"))
        };
        runs.iter().filter_map(again).collect::<Vec<_>>()
    });
    none_fail(&failed);
}
