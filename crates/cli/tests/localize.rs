//! `localize` on the corpus: the lines that headers name, orders where no value is at fault, and every
//! answer against the interpreter and the exploration.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use support::engines::{StopAfter, options, properties};
use support::{code, corpus, failing_corpus, failing_in, failures, json, stdout, unravel};
use unravel_corpus::CorpusProgram;
use unravel_driver::{Engine, check, localize_and_track};
use unravel_interp::run::replay;
use unravel_interp::{End, Machine};
use unravel_program::Program;
use unravel_program::validate::validate;
use unravel_report::model::{Schedules, Verdict};

fn faults(report: &Value) -> Vec<Value> {
    report["findings"][0]["faults"].as_array().cloned().unwrap_or_default()
}

fn lines_of(fault: &Value) -> BTreeSet<u64> {
    let parts = fault["lines"].as_array().into_iter().flatten();
    parts.filter_map(|it| it["line"].as_u64()).collect()
}

/// The first set has a line that the header names. Where it is the check that contradicts the program,
/// headers also name what it contradicts: to change the check itself is always a way out, so it ranks
/// last.
fn names_its_lines(program: &CorpusProgram) -> Result<(), String> {
    let shown = &program.shown;
    let named: BTreeSet<u64> = program.header.faulty_lines.iter().map(|it| it.line).collect();
    let mut args = vec!["localize", shown];
    args.extend(program.header.flags.args());
    let (code, report) = json(&args);
    if code != 1 {
        return Err(format!("{shown}: exit code {code}"));
    }
    let all: Vec<_> = faults(&report).iter().map(lines_of).collect();
    match all.first() {
        Some(first) if !first.is_disjoint(&named) => Ok(()),
        _ => Err(format!("{shown}: {named:?} is not first of {all:?}")),
    }
}

#[test]
fn lines_that_headers_name_are_found() {
    let mut programs = corpus();
    programs.retain(|it| !it.header.faulty_lines.is_empty());
    assert!(programs.len() >= 2, "only {} programs", programs.len());
    let failed = failures(&programs, names_its_lines);
    assert!(failed.is_empty(), "{} are wrong:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn where_no_line_is_at_fault_it_is_an_order() {
    let mut programs = failing_corpus();
    programs.retain(|it| {
        let can_be_ordered = it.header.repair.as_ref().is_none_or(|kinds| !kinds.is_empty());
        let is_published = it.header.stands_for.contains("Alves et al.");
        it.header.faulty_lines.is_empty() && can_be_ordered && is_published
    });
    assert!(!programs.is_empty(), "no program says that no line is at fault");
    let failed = failures(&programs, |program| {
        let shown = &program.shown;
        let (_, report) = json(&["localize", shown]);
        let finding = &report["findings"][0];
        let cores = finding["cores"].as_array().map_or(0, Vec::len);
        match finding["order_not_value"] == true && cores > 0 {
            true => Ok(()),
            false => Err(format!("{shown}: {}", finding["faults"])),
        }
    });
    assert!(failed.is_empty(), "{} are wrong:\n{}", failed.len(), failed.join("\n"));
}

/// As the command loads it.
fn load(program: &CorpusProgram) -> Program {
    let options = unravel_frontend::Options { keep_locals: true, ..Default::default() };
    unravel_frontend::load(std::slice::from_ref(&program.path), &options).expect("it compiles")
}

/// Every fault: its run passes on the changed program, and the exploration says of all its schedules
/// what the report says. Gives the number of faults that the exploration judged.
fn faults_hold(program: &CorpusProgram) -> Result<usize, String> {
    let shown = &program.shown;
    let program = load(program);
    let (sat, explore) =
        (options(Engine::Sat, properties()), options(Engine::Explore, properties()));
    let localized = localize_and_track(&program, &sat, &mut StopAfter(1 << 20));
    let (checked, tracked) = localized.map_err(|failure| format!("{shown}: {failure}"))?;
    // What the symbolic engine does not model is the exploration's, which changes no values.
    if checked.report.verdict == Verdict::Inconclusive {
        return Ok(0);
    }
    let finding = checked.report.findings.first().ok_or(format!("{shown}: no finding"))?;
    let faults = finding.localization.as_ref().map_or(&[][..], |it| &it.faults);
    let mut judged = 0;
    for (fault, tracked) in faults.iter().zip(&tracked) {
        validate(&tracked.program).map_err(|it| format!("{shown}: {it:?}"))?;
        let machine = Machine::new(&tracked.program, sat.config());
        let run =
            replay(&machine, &tracked.passing).map_err(|it| format!("{shown}: {}", it.why))?;
        if !matches!(run.end, End::Complete(_)) {
            return Err(format!("{shown}: {fault:?} ends otherwise: {:?}", run.end));
        }
        let explored = check(&tracked.program, &explore, &mut StopAfter(1 << 12));
        let verdict = explored.map_err(|failure| format!("{shown}: {failure}"))?.report.verdict;
        let fits = match (verdict, fault.schedules) {
            (Verdict::Inconclusive, _) | (_, Schedules::Unknown) => continue,
            (Verdict::Safe, said) => said == Schedules::All,
            (Verdict::Unsafe, said) => said == Schedules::ThisOnly,
        };
        judged += 1;
        if !fits {
            return Err(format!("{shown}: {fault:?} is {verdict:?} when explored"));
        }
    }
    Ok(judged)
}

#[test]
fn every_fault_holds_on_the_interpreter() {
    let mut programs = failing_in(&["figures", "concbugassist", "alves", "mistakes"]);
    programs.retain(|it| it.header.flags.is_empty());
    let judged = std::sync::Mutex::new(0);
    let failed = failures(&programs, |program| {
        *judged.lock().expect("no panic before") += faults_hold(program)?;
        Ok(())
    });
    let judged = judged.into_inner().expect("no panic before");
    println!("{judged} faults of {} programs were explored", programs.len());
    assert!(failed.is_empty(), "{} are wrong:\n{}", failed.len(), failed.join("\n"));
    assert!(judged >= 500, "only {judged} faults were explored");
}

/// Writes a program and localizes.
fn localized(name: &str, text: &str, flags: &[&str]) -> (i32, Value) {
    let folder = std::env::temp_dir().join(format!("unravel-localize-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    let path = path.display().to_string();
    let mut args = vec!["localize", path.as_str()];
    args.extend(flags);
    let answer = json(&args);
    let _ = fs::remove_file(&path);
    answer
}

#[test]
fn undefined_arithmetic_has_faults_too() {
    let text = "\
int total, rooms = 0;
int main(void) {
    total = 12;
    return total / rooms;
}
";
    let (code, report) = localized("ub.c", text, &["--ub"]);
    let first = &faults(&report)[0];
    assert_eq!((code, &report["findings"][0]["property"]), (1, &Value::from("ub")));
    assert_eq!((lines_of(first), &first["robust"]), (BTreeSet::from([1]), &Value::from(true)));
    assert_eq!(first["lines"][0]["name"], "rooms");
}

/// The first turn is right, the second is not, and no value is right for both.
#[test]
fn a_single_execution_of_a_line_can_be_at_fault() {
    let text = "\
#include <assert.h>
int wanted[2] = {7, 9};
int main(void) {
    for (int i = 0; i < 2; i++) {
        int got = 7;
        assert(got == wanted[i]);
    }
    return 0;
}
";
    let (_, report) = localized("turns.c", text, &[]);
    let faults = faults(&report);
    let line = |fault: &Value| fault["lines"][0].clone();
    let single = faults.iter().find(|it| line(it)["line"] == 5).expect("the assignment");
    assert_eq!((&line(single)["iteration"], &line(single)["value"]), (&2.into(), &"9".into()));
    assert_eq!((&single["robust"], &single["restates_assertion"]), (&true.into(), &false.into()));
    let last = faults.last().expect("some");
    assert!(last["restates_assertion"] == true && lines_of(last).contains(&6), "{faults:?}");
}

#[test]
fn constants_that_clang_inlines_are_found() {
    let (_, report) = json(&["localize", "corpus/figures/alves_controller.c"]);
    let first = &faults(&report)[0]["lines"][0];
    assert_eq!(
        (&first["name"], &first["value"], &first["original"]),
        (&"B".into(), &"-3".into(), &"-2".into())
    );
}

#[test]
fn a_deadlock_has_its_holders() {
    let output = unravel(&["localize", "corpus/figures/alves_two_lock.c"]);
    let text = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(code(&output), 1, "{text}");
    for words in ["still holds it", "waits for mutex `lock`, held by T", "every schedule passes"] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
}

#[test]
fn what_is_safe_has_no_faults() {
    let (code, report) = json(&["localize", "corpus/figures/conc_xy_ok.c"]);
    assert_eq!(
        (code, &report["verdict"], &report["command"]),
        (0, &"safe".into(), &"localize".into())
    );
}

#[test]
fn sarif_names_the_fault() {
    let args = ["localize", "corpus/figures/alves_controller.c", "--format", "sarif"];
    let report: Value = serde_json::from_str(&stdout(&unravel(&args))).expect("JSON");
    let result = &report["runs"][0]["results"][0];
    let message = result["message"]["text"].as_str().unwrap_or_default();
    assert!(message.contains("fault: initial value of `B`: -3"), "{message}");
    let places = result["relatedLocations"].as_array().expect("places");
    assert!(places.iter().any(|it| it["physicalLocation"]["region"]["startLine"] == 19));
}
