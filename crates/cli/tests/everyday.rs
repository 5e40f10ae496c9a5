//! The programs of `corpus/everyday`, called as a developer would call `unravel` on them: with their C
//! files and no flag.
//!
//! By default all are checked, and every seventh is diagnosed and repaired; all with
//! `UNRAVEL_CORPUS=all`, then each answer of `check` has to come in [`MOST_SECONDS`].
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{failures, json, none_fail};
use unravel_corpus::CorpusProgram;

/// How long a developer waits for an answer. Measured where all programs are: by the built release.
const MOST_SECONDS: Duration = Duration::from_secs(10);

/// One of so many programs is diagnosed and repaired by default.
const FRACTION: usize = 7;

/// What does not hold yet: the program, how it differs, and why. One that holds must go.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    ("configd", "repair: mutex", "a read-write lock is not held longer: widening knows mutexes"),
    ("configd", "repair: in main.c, server.c", "the new mutex is locked by the callers"),
    ("csvsum", "repair: signal-wait", "joins of threads in an array are not added"),
    (
        "dnscache",
        "repair: mutex",
        "a statement is not moved over a call that it needs the result of",
    ),
    ("download", "repair: widen", "no repair adds a missing unlock before a return"),
    (
        "metrics",
        "diagnose: the fault is not named",
        "five threads: the regions of the cores overlap",
    ),
    ("orders", "repair: mutex", "the locks are in two files, and neither knows the other's"),
    ("orders", "repair: in ledger.c, stock.c", "likewise"),
    ("pipeline", "diagnose: the fault is not named", "two calls in the wrong order look torn"),
    ("pipeline", "repair: widen", "calls of functions that lock are not moved"),
    ("pubsub", "repair: mutex", "the locks are in two files, and neither knows the other's"),
    ("pubsub", "repair: in subscriber.c, topic.c", "likewise"),
    ("ratelimit", "repair: join", "a lock is not held from one function to the next"),
    ("spooler", "repair: signal-wait", "the handle of the thread is not known where it is used"),
    ("spooler", "repair: in main.c, spool.c", "likewise"),
];

fn is_all() -> bool {
    std::env::var("UNRAVEL_CORPUS").is_ok_and(|it| it == "all")
}

fn programs() -> Vec<CorpusProgram> {
    unravel_corpus::everyday().unwrap_or_else(|error| panic!("{error}"))
}

/// The programs that fail, or some of them.
fn chosen() -> Vec<CorpusProgram> {
    let failing = programs().into_iter().filter(CorpusProgram::is_unsafe);
    failing.step_by(if is_all() { 1 } else { FRACTION }).collect()
}

/// A command on all files of a program.
fn ask(command: &str, program: &CorpusProgram) -> (Value, Duration) {
    let mut args = vec![command];
    args.extend(program.c_files());
    let begun = Instant::now();
    let (_, report) = json(&args);
    (report, begun.elapsed())
}

/// Holds what was seen of a program in one test against the table: neither more nor less. `about`: the
/// words that the differences of this test begin with.
fn compare(program: &CorpusProgram, about: &str, seen: &[(String, String)]) -> Result<(), String> {
    let rows = DIFFERENCES.iter().filter(|row| row.0 == program.name() && row.1.starts_with(about));
    let known: BTreeSet<&str> = rows.map(|row| row.1).collect();
    let mut lines = Vec::new();
    for (what, detail) in seen.iter().filter(|it| !known.contains(it.0.as_str())) {
        lines.push(format!("    (\"{}\", \"{what}\", \"{detail}\"),", program.name()));
    }
    for what in known.into_iter().filter(|it| !seen.iter().any(|seen| seen.0 == *it)) {
        lines.push(format!("    {}: \"{what}\" holds now, remove it", program.name()));
    }
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A difference with what else is known about it.
fn difference(what: impl Into<String>, detail: &Value) -> (String, String) {
    (what.into(), detail.to_string().replace('"', "'"))
}

#[test]
fn every_bug_is_found_and_every_twin_is_safe() {
    let failed = failures(&programs(), |program| {
        let (report, took) = ask("check", program);
        let mut seen = Vec::new();
        let (verdict, expected) = (text(&report, "verdict"), program.header.verdict.name());
        let finding = &report["findings"][0];
        if verdict != expected {
            let why = [&report["reasons"], &finding["message"]];
            let why = why.into_iter().find(|it| !it.is_null()).unwrap_or(&Value::Null);
            seen.push(difference(format!("check: {verdict}"), why));
        } else if program.header.property.is_some_and(|it| it.name() != text(finding, "property")) {
            seen.push(difference("check: another property", &finding["message"]));
        }
        if is_all() && took > MOST_SECONDS {
            seen.push(difference("check: slow", &format!("{took:?}").into()));
        }
        compare(program, "check: ", &seen)
    });
    none_fail(&failed);
}

/// The file and line that the first sentence of a diagnosis names, where it says what is wrong.
fn line_at_fault(finding: &Value) -> Option<(String, u64)> {
    let at = &finding["at_fault"];
    Some((at["file"].as_str()?.to_owned(), at["line"].as_u64()?))
}

#[test]
fn the_first_sentence_names_the_line_at_fault() {
    let failed = failures(&chosen(), |program| {
        let (report, _) = ask("diagnose", program);
        let finding = &report["findings"][0];
        let mut seen = Vec::new();
        if list(&finding["causes"]).next().is_none() {
            seen.push(difference("diagnose: no cause", &finding["remarks"]));
        } else {
            let named = line_at_fault(finding);
            let mut fault = program.header.fault.iter();
            if !fault.any(|it| named == Some((it.file.clone(), it.line))) {
                let said = [&finding["at_fault"]["why"], &finding["causes"][0]["message"]];
                let said = said.into_iter().find(|it| !it.is_null()).unwrap_or(&Value::Null);
                seen.push(difference("diagnose: the fault is not named", said));
            }
        }
        compare(program, "diagnose: ", &seen)
    });
    none_fail(&failed);
}

/// The names of the files that a repair changes.
fn patched_files(repair: &Value) -> BTreeSet<&str> {
    let files = list(&repair["edits"]).map(|it| text(it, "file"));
    files.map(|it| it.rsplit('/').next().unwrap_or(it)).collect()
}

#[test]
fn the_first_patch_is_the_one_of_the_maintainer() {
    let failed = failures(&chosen(), |program| {
        let (report, _) = ask("repair", program);
        let best = list(&report["findings"][0]["repairs"]).next();
        let mut seen = Vec::new();
        if let Some(best) = best {
            let wanted = program.header.repair.iter().flatten().next().map(|it| it.code());
            if Some(text(best, "kind")) != wanted {
                seen.push(difference(format!("repair: {}", text(best, "kind")), &best["title"]));
            }
            let files = patched_files(best);
            if program.header.patch.iter().map(String::as_str).ne(files.iter().copied()) {
                let files: Vec<&str> = files.into_iter().collect();
                seen.push(difference(format!("repair: in {}", files.join(", ")), &best["title"]));
            }
            if text(best, "verified") != "complete" {
                seen.push(difference("repair: not verified", &best["checked"]));
            }
        } else {
            seen.push(difference("repair: none", &report["repairs_remarks"]));
        }
        compare(program, "repair: ", &seen)
    });
    none_fail(&failed);
}

/// The promises of issue and README: sizes, files, texts, arguments, threads.
#[test]
fn the_programs_are_what_developers_write() {
    let failing: Vec<CorpusProgram> =
        programs().into_iter().filter(CorpusProgram::is_unsafe).collect();
    let has = |program: &CorpusProgram, words: &[&str]| {
        program.sources.iter().any(|it| words.iter().any(|word| it.text.contains(word)))
    };
    let count =
        |holds: &dyn Fn(&CorpusProgram) -> bool| failing.iter().filter(|it| holds(it)).count();
    assert!(failing.len() >= 25, "{} programs", failing.len());
    for program in &failing {
        let lines: usize = program.sources.iter().map(|it| it.text.lines().count()).sum();
        assert!((60..=300).contains(&lines), "{}: {lines} lines", program.name());
    }
    assert!(count(&|it| it.c_files().len() >= 3) >= 8);
    assert!(count(&|it| has(it, &["argv"])) >= 8);
    assert!(count(&|it| has(it, &["%s"])) >= 8);
}

#[test]
fn every_row_of_the_table_is_about_a_program() {
    let programs = programs();
    for (name, what, why) in DIFFERENCES {
        assert!(programs.iter().any(|it| it.name() == *name), "{name}: no such program");
        let about = ["check: ", "diagnose: ", "repair: "];
        assert!(about.iter().any(|it| what.starts_with(it)) && !why.is_empty(), "{name}: {what:?}");
    }
}
