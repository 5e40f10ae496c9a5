//! `repair` on the corpus: the kinds of repair that the headers name, best first, and patches that
//! hold against other tools.
//!
//! By default the figures and every twelfth of the others; all with `UNRAVEL_CORPUS=all`, then also
//! with `--try` and [`RUNS`] runs under ThreadSanitizer of every patched program that can run.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/repairing.rs"]
mod repairing;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use repairing::{Difference, Seen, judge, named_kinds, repairable};
use support::failures;
use unravel_corpus::CorpusProgram;

/// Runs of a patched program (issue of `unravel repair`); `UNRAVEL_REPAIR_RUNS` for another number.
const RUNS: usize = 200;

/// One of so many programs is repaired by default, besides the figures.
const FRACTION: usize = 12;

/// What does not hold yet: the program, how it differs, and why. One that holds must go.
const DIFFERENCES: &[(&str, &str, &str)] = &[];

fn is_all() -> bool {
    std::env::var("UNRAVEL_CORPUS").is_ok_and(|it| it == "all")
}

/// The programs to repair.
fn chosen() -> Vec<CorpusProgram> {
    let (figures, others): (Vec<CorpusProgram>, Vec<CorpusProgram>) =
        repairable().into_iter().partition(|it| it.directory() == "figures");
    let step = if is_all() { 1 } else { FRACTION };
    figures.into_iter().chain(others.into_iter().step_by(step)).collect()
}

fn runs() -> Option<usize> {
    let wanted = std::env::var("UNRAVEL_REPAIR_RUNS").ok().and_then(|it| it.parse().ok());
    is_all().then(|| wanted.unwrap_or(RUNS))
}

/// Holds what was seen against the table: neither more nor less.
fn compare(program: &CorpusProgram, seen: &[Difference]) -> Result<(), String> {
    let rows = DIFFERENCES.iter().filter(|row| row.0 == program.shown);
    let known: BTreeSet<&str> = rows.map(|row| row.1).collect();
    let mut lines = Vec::new();
    for Difference { what, detail } in seen.iter().filter(|it| !known.contains(it.what.as_str())) {
        lines.push(format!("    (\"{}\", \"{what}\", \"{}\"),", program.shown, detail.trim()));
    }
    // What runs show, they show by chance.
    for what in known.into_iter().filter(|it| !it.contains(": a run ")) {
        if !seen.iter().any(|it| it.what == what) {
            lines.push(format!("    {}: \"{what}\" holds now, remove it", program.shown));
        }
    }
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

#[test]
fn repairs_are_those_of_the_headers_and_hold() {
    let chosen = chosen();
    let all: Mutex<BTreeMap<String, Seen>> = Mutex::default();
    let failed = failures(&chosen, |program| {
        let seen = judge(program, runs());
        let result = compare(program, &seen.differences);
        all.lock().expect("no panic before").insert(program.shown.clone(), seen);
        result
    });
    numbers(&chosen, &all.into_inner().expect("no panic before"));
    assert!(failed.is_empty(), "{} programs differ:\n{}", failed.len(), failed.join("\n"));
}

/// How many are repaired, and as their headers say.
fn numbers(chosen: &[CorpusProgram], seen: &BTreeMap<String, Seen>) {
    let found = |program: &CorpusProgram| &seen[&program.shown].kinds;
    let (named, without): (Vec<_>, Vec<_>) =
        chosen.iter().partition(|it| !named_kinds(it).is_empty());
    println!("{} programs, {} of them with kinds of repair", chosen.len(), named.len());
    let count =
        |holds: &dyn Fn(&CorpusProgram) -> bool| named.iter().filter(|it| holds(it)).count();
    let repaired = count(&|it| !found(it).is_empty());
    let is_found = |it: &CorpusProgram, kind: &str| found(it).iter().any(|found| found == kind);
    let complete = count(&|it| named_kinds(it).into_iter().all(|kind| is_found(it, kind)));
    let best = |it: &CorpusProgram| found(it).first().cloned().unwrap_or_default();
    let first = count(&|it| named_kinds(it).first().is_some_and(|kind| *kind == best(it)));
    println!("repaired: {repaired}, with all kinds: {complete}, the first one first: {first}");
    let none = without.iter().filter(|it| found(it).is_empty()).count();
    println!("none expected and none found: {none} of {}", without.len());
}

#[test]
fn every_row_of_the_table_is_about_a_program() {
    let programs = repairable();
    for (shown, what, why) in DIFFERENCES {
        assert!(programs.iter().any(|it| it.shown == *shown), "{shown}: no such program");
        assert!(!what.is_empty() && !why.is_empty(), "{shown}: {what:?}, {why:?}");
    }
    assert!(programs.len() >= 150, "{} programs say how they are repaired", programs.len());
}
