//! Every command that explains takes a failing run that the user has, by `--schedule`.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::Path;

use serde_json::Value;
use support::{code, json, stderr, stdout, unravel};

const PROGRAM: &str = "corpus/figures/conc_xy.c";

/// A failing run of the program, written by `check`.
fn schedule(folder: &Path) -> String {
    let file = folder.join("run.schedule");
    let emit = format!("schedule={}", file.display());
    assert_eq!(code(&unravel(&["check", PROGRAM, "--engine", "explore", "--emit", &emit])), 1);
    file.display().to_string()
}

/// Who steps, in order. Assignments of locals are no steps.
fn threads(finding: &Value) -> Vec<u64> {
    let steps = finding["schedule"].as_array().expect("a run").iter();
    steps
        .filter(|step| step["kind"] != "local")
        .filter_map(|step| step["thread"].as_u64())
        .collect()
}

#[test]
fn commands_are_about_the_run_that_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = schedule(folder.path());
    let (_, explored) = json(&["check", PROGRAM, "--engine", "explore"]);
    let given = &explored["findings"][0];
    for command in ["check", "diagnose", "compare", "localize", "repair"] {
        let (exit, report) = json(&[command, PROGRAM, "--schedule", &file]);
        let finding = &report["findings"][0];
        assert_eq!(exit, i32::from(command != "repair"), "{command}: {}", report["reasons"]);
        assert_eq!(report["command"], *command);
        assert_eq!(finding["line"], given["line"], "{command}");
        // The diagnosis orders steps that do not matter for the failure by itself.
        if matches!(command, "check" | "compare" | "localize") {
            assert_eq!(threads(finding), threads(given), "{command}");
        }
    }
    let written = unravel(&["sequentialize", PROGRAM, "--schedule", &file]);
    assert_eq!(code(&written), 1, "{}", stderr(&written));
    assert!(stdout(&written).contains("Written by `unravel sequentialize`"));
}

#[test]
fn a_diagnosis_begins_with_the_run_that_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = schedule(folder.path());
    let (_, report) = json(&["diagnose", PROGRAM, "--schedule", &file]);
    let finding = &report["findings"][0];
    assert_eq!(finding["complete"], true);
    assert_eq!(finding["cores"].as_array().map(Vec::len), Some(2), "two cores as without a run");
    let first = &finding["causes"][0]["cores"][0];
    let core = &finding["cores"][first.as_u64().expect("an index") as usize];
    for order in core["orders"].as_array().expect("orders") {
        assert!(order["before"]["step"].is_u64(), "an order of the run that is shown: {order}");
    }
}

#[test]
fn constants_are_changed_for_a_run_that_is_given_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, file) = ("corpus/figures/alves_controller.c", folder.path().join("run.schedule"));
    let (emit, file) = (format!("schedule={}", file.display()), file.display().to_string());
    let (_, found) = json(&["localize", program, "--emit", &emit]);
    let (_, given) = json(&["localize", program, "--schedule", &file]);
    let faults = |report: &Value| report["findings"][0]["faults"].clone();
    assert!(faults(&found).as_array().is_some_and(|it| !it.is_empty()));
    assert_eq!(faults(&found), faults(&given));
}

#[test]
fn a_run_of_another_program_is_refused_by_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = schedule(folder.path());
    for command in ["check", "diagnose", "compare", "localize", "repair", "sequentialize"] {
        let output = unravel(&[command, "corpus/figures/maxsmt_fig1.c", "--schedule", &file]);
        assert_eq!(code(&output), 2, "{command}");
        assert!(stderr(&output).contains("was made for another"), "{command}: {}", stderr(&output));
    }
}
