//! What `unravel diagnose` says is true of all runs.
//!
//! Every core is held against all runs of its program, by brute force (`unravel_explore::outcomes`):
//! no run that passes has all its orders, without any one of them some run passes, and every
//! failing run has all orders of some core. For the figures all minimal cores are enumerated.
//!
//! `UNRAVEL_FUZZ_DIAGNOSES` says how many generated programs are diagnosed, `UNRAVEL_FUZZ_SEED`
//! which is the first. A program whose diagnosis is wrong is shrunk and printed.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/diagnosis.rs"]
mod diagnosis;
mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use diagnosis::{AllCores, Judged, check_cores, diagnosed, enumerate, judge, spins};
use support::engines::{load, load_corpus_program, options, properties};
use support::{corpus_program, failing_in, failures};
use unravel_cgen::{ConcurrentProgram, shrink_concurrent};
use unravel_corpus::CorpusProgram;
use unravel_driver::{CheckOptions, Engine, TrackedCores};
use unravel_program::Program;

/// The options that the header of a program asks for.
fn options_for(program: &CorpusProgram) -> CheckOptions {
    options(Engine::Sat, program.header.flags.properties)
}

/// A program of the corpus, loaded.
fn loaded(program: &CorpusProgram) -> Result<Program, String> {
    load_corpus_program(program).ok_or(format!("{}: does not compile", program.shown))
}

/// What became of each program.
#[derive(Default)]
struct Tally(Mutex<BTreeMap<String, Judged>>);

impl Tally {
    fn count_as(&self, name: String, judged: Judged) {
        self.0.lock().expect("no panic before").insert(name, judged);
    }

    fn count(&self, is_it: impl Fn(Judged) -> bool) -> usize {
        self.0.lock().expect("no panic before").values().filter(|it| is_it(**it)).count()
    }

    fn print(&self) {
        for (name, judged) in &*self.0.lock().expect("no panic before") {
            println!("{name}: {judged:?}");
        }
    }
}

fn none_fail(failed: &[String]) {
    assert!(failed.is_empty(), "{} diagnoses are wrong:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn cores_of_the_corpus_are_right() {
    let programs = failing_in(&["figures", "concbugassist", "primitives", "semantics", "compare"]);
    let tally = Tally::default();
    let failed = failures(&programs, |program| {
        let judged = judge(&loaded(program)?, &options_for(program));
        let judged = judged.map_err(|it| format!("{}: {it}", program.shown))?;
        tally.count_as(program.shown.clone(), judged);
        Ok(())
    });
    tally.print();
    let checked = tally.count(Judged::is_checked);
    println!("{checked} of {} checked", programs.len());
    none_fail(&failed);
    assert!(checked >= 85, "only {checked} of {} diagnoses are checked", programs.len());
}

/// States up to which all cores of a program are enumerated.
const SMALL: usize = 30_000;

/// All minimal cores of a program, if it is small and has any.
fn all_cores(program: &CorpusProgram) -> Result<Option<AllCores>, String> {
    let wrong = |why: String| format!("{}: {why}", program.shown);
    let (loaded, options) = (loaded(program)?, options_for(program));
    let diagnosed = diagnosed(&loaded, &options).map_err(wrong)?;
    if diagnosed.cores.cores.is_empty() {
        return Ok(None);
    }
    if spins(&diagnosed.report) {
        return Ok(None);
    }
    enumerate(&loaded, &options, &diagnosed.cores, SMALL).map_err(wrong)
}

#[test]
fn reported_cores_are_among_all_cores() {
    // That a block is freed before a lock in it is used is no conflict that the walk sees, so the
    // programs of `compare` are left out.
    let programs = failing_in(&["figures", "concbugassist", "primitives", "semantics"]);
    let enumerated: Mutex<BTreeMap<String, AllCores>> = Mutex::default();
    let failed = failures(&programs, |program| {
        if let Some(all) = all_cores(program)? {
            let name = program.name().to_owned();
            enumerated.lock().expect("no panic before").insert(name, all);
        }
        Ok(())
    });
    none_fail(&failed);
    let enumerated = enumerated.into_inner().expect("no panic before");
    for (name, all) in &enumerated {
        println!("{name}: {} of {} cores", all.reported.len(), all.cores.len());
        // An order that always holds between two executed steps is not offered, though it may say
        // in one what two others say.
        all.larger.iter().for_each(|core| println!("  there is a smaller one than {core}"));
    }
    let sizes = |name: &str| {
        let sizes = |cores: &std::collections::BTreeSet<Vec<usize>>| {
            cores.iter().map(Vec::len).collect::<Vec<_>>()
        };
        enumerated.get(name).map(|all| (sizes(&all.reported), sizes(&all.cores)))
    };
    assert_eq!(sizes("conc_motivating"), Some((vec![2], vec![2])));
    assert_eq!(sizes("conc_xy"), Some((vec![2, 2], vec![2, 2])));
    assert!(enumerated.len() >= 60, "only {} programs are small enough", enumerated.len());
    let larger = enumerated.values().filter(|all| !all.larger.is_empty()).count();
    assert!(larger <= enumerated.len() / 10, "{larger} have smaller cores");
}

// ----- The check itself -----

/// A program of the corpus with its cores.
fn figure(name: &str) -> (Program, CheckOptions, TrackedCores) {
    let program = corpus_program(&format!("corpus/figures/{name}.c"));
    let (loaded, options) = (loaded(&program).expect("it compiles"), options_for(&program));
    let cores = diagnosed(&loaded, &options).expect("diagnosed").cores;
    (loaded, options, cores)
}

#[test]
fn wrong_cores_are_noticed() {
    let (program, options, right) = figure("conc_xy");
    let says = |change: &dyn Fn(&mut TrackedCores)| {
        let mut cores = right.clone();
        change(&mut cores);
        check_cores(&program, &options, &cores).err().unwrap_or_default()
    };
    assert_eq!(says(&|_| {}), "");
    let too_small = says(&|it| it.cores[0].orders.truncate(1));
    assert!(too_small.contains("core 1: a run with all of it passes"), "{too_small}");
    let too_large = says(&|it| {
        let (before, _) = it.cores[0].orders[0].clone();
        let (_, after) = it.cores[0].orders[1].clone();
        it.cores[0].orders.push((before, after));
    });
    assert!(too_large.contains("core 1: none passes even without order"), "{too_large}");
    let backwards = says(&|it| {
        let (before, after) = it.cores[0].orders[0].clone();
        it.cores[0].orders[0] = (after, before);
    });
    assert!(backwards.contains("core 1: no failing run has it"), "{backwards}");
    let one_of_two = says(&|it| it.cores.truncate(1));
    assert!(one_of_two.contains("some failing run has no core"), "{one_of_two}");
}

// ----- Generated programs -----

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
    Some(judge(&program?, &options(Engine::Sat, properties())))
}

/// The smallest program whose diagnosis is still wrong.
fn report(seed: u64, folder: &Path, first: &str) -> String {
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

#[test]
fn cores_of_generated_programs_are_right() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = setting("UNRAVEL_FUZZ_SEED", 1);
    let wanted = usize::try_from(setting("UNRAVEL_FUZZ_DIAGNOSES", 60)).expect("a number");
    let tally = Tally::default();
    let mut failed = Vec::new();
    let mut from = first;
    let fails = |it: Judged| it != Judged::NotUnsafe;
    while tally.count(fails) < wanted && failed.is_empty() {
        let seeds: Vec<u64> = (from..from + 20).collect();
        from += 20;
        failed = failures(&seeds, |&seed| {
            if tally.count(fails) >= wanted {
                return Ok(());
            }
            let source = ConcurrentProgram::generate(seed).source();
            let judged = judge_source(&source, &format!("seed{seed}"), folder.path());
            let judged = judged.ok_or(format!("{seed} does not compile"))?;
            tally
                .count_as(format!("{seed:06}"), judged.map_err(|wrong| format!("{seed} {wrong}"))?);
            Ok(())
        });
    }
    let shown: Vec<String> = failed
        .iter()
        .take(3)
        .filter_map(|message| {
            let (seed, wrong) = message.split_once(' ')?;
            Some(report(seed.parse().ok()?, folder.path(), wrong))
        })
        .collect();
    assert!(failed.is_empty(), "{} are wrong\n{}", failed.len(), shown.join("\n"));
    balance(&tally);
}

/// The comparison is worth something only if most diagnoses are checked.
fn balance(tally: &Tally) {
    let failing = tally.count(|it| it != Judged::NotUnsafe);
    let checked = tally.count(Judged::is_checked);
    let cores = tally.count(|it| matches!(it, Judged::Cores { .. }));
    let complete = tally.count(|it| matches!(it, Judged::Cores { is_complete: true, .. }));
    let large = tally.count(|it| it == Judged::TooLarge);
    println!(
        "{failing} failing programs: {checked} checked ({cores} with cores, {complete} complete), \
         {large} too large"
    );
    assert!(checked * 100 >= failing * 65, "only {checked} of {failing} are checked");
}
