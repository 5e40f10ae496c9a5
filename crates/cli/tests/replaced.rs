//! `localize` and `sequentialize` together: a robust faulty line, replaced by its value in the file
//! that is written of the failing run, makes that file pass.
//!
//! On the programs after published ones. Only statements that the file has as one simple
//! assignment can be replaced by text alone; how many those are is part of the test.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::Value;
use support::{c_files, code, failures, json, root, stderr, unravel};

/// Faults that must be replaceable, of all programs together.
const LEAST: usize = 35;

/// Where the programs are.
const FOLDERS: [&str; 3] = ["corpus/alves", "corpus/concbugassist", "corpus/figures"];

/// The failing programs that need no flags, as seen from the root.
fn programs() -> Vec<String> {
    let mut found = Vec::new();
    for path in FOLDERS.iter().flat_map(|it| c_files(it)) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let (header, _) = text.split_once("*/").unwrap_or_default();
        if header.contains("* verdict: unsafe") && !header.contains("* flags:") {
            let shown = path.strip_prefix(root()).expect("below the root");
            found.push(shown.to_string_lossy().into_owned());
        }
    }
    found
}

/// The text with the right side of every assignment that comes from a line replaced; none if one of
/// its statements is something else.
fn replaced(text: &str, name: &str, line: u64, variable: &str, value: &str) -> Option<String> {
    let from = format!(" {name}:{line} */");
    let mut count = 0;
    let mut lines: Vec<String> = Vec::new();
    for it in text.lines() {
        let is_comment = it.trim_start().starts_with("/*");
        if is_comment || !it.ends_with(&from) {
            lines.push(it.to_owned());
            continue;
        }
        let (statement, comment) = it.split_once(';')?;
        let (left, right) = statement.split_once(" = ")?;
        let plain = left.trim_end().ends_with(variable) && !right.contains(" = ");
        let single = comment.trim_start().starts_with("/*") || comment.contains("(void)");
        if !plain || !single {
            return None;
        }
        count += 1;
        lines.push(format!("{left} = {value};{comment}"));
    }
    (count > 0).then(|| lines.join("\n") + "\n")
}

/// Compiles and runs; an error if it does not end with 0.
fn passes(file: &Path, program: &Path) -> Result<(), String> {
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-o"])
        .args([program, file])
        .output()
        .map_err(|error| format!("gcc: {error}"))?;
    if !compiled.status.success() {
        return Err(format!("gcc: {}", stderr(&compiled)));
    }
    let output = Command::new(program).stdin(Stdio::null()).output().expect("it starts");
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("it still fails: {}", stderr(&output))),
    }
}

/// How many robust faults of a program were replaced, each of which passes.
fn judge(shown: &str) -> Result<usize, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.c");
    let written = unravel(&["sequentialize", shown, "-o", file.to_str().expect("a path")]);
    if code(&written) == 3 {
        return Ok(0);
    }
    let text = std::fs::read_to_string(&file).map_err(|_| stderr(&written))?;
    let name = shown.rsplit('/').next().unwrap_or(shown);
    let source = std::fs::read_to_string(root().join(shown)).expect("readable");
    let (_, report) = json(&["localize", shown]);
    let empty = Vec::new();
    let faults = report["findings"][0]["faults"].as_array().unwrap_or(&empty);
    let mut count = 0;
    for fault in faults {
        let Some(changed) = with_fault(&text, name, &source, fault) else { continue };
        let path = folder.path().join("changed.c");
        std::fs::write(&path, changed).expect("written");
        passes(&path, &folder.path().join("changed"))
            .map_err(|why| format!("{}: {why}", fault["lines"]))?;
        count += 1;
    }
    Ok(count)
}

/// Whether the file has the statement of a line also as it was: in a function that nobody steps into.
fn is_kept(text: &str, name: &str, source: &str, line: u64) -> bool {
    let at = usize::try_from(line).expect("a line").saturating_sub(1);
    let original = source.lines().nth(at).and_then(|it| it.split_once(';')).unwrap_or_default().0;
    let from = format!(" {name}:{line} */");
    let mut others = text.lines().filter(|it| !it.ends_with(&from));
    others.any(|it| it.contains(original.trim()))
}

/// The text with all lines of a robust fault replaced by their values.
fn with_fault(text: &str, name: &str, source: &str, fault: &Value) -> Option<String> {
    let is_it = |key: &str| fault[key] == true;
    if !is_it("robust") || is_it("restates_assertion") {
        return None;
    }
    let mut text = text.to_owned();
    for line in fault["lines"].as_array()? {
        if line["what"] != "assignment" || !line["iteration"].is_null() {
            return None;
        }
        let (number, variable) = (line["line"].as_u64()?, line["name"].as_str()?);
        let last = variable.rsplit(['.', '>', '*']).next()?;
        if is_kept(&text, name, source, number) {
            return None;
        }
        text = replaced(&text, name, number, last, line["value"].as_str()?)?;
    }
    Some(text)
}

#[test]
fn a_robust_fault_replaced_by_its_value_passes() {
    let programs = programs();
    let count = Mutex::new(0);
    let failed = failures(&programs, |shown| {
        *count.lock().expect("no panic before") +=
            judge(shown).map_err(|why| format!("{shown}: {why}"))?;
        Ok(())
    });
    let count = count.into_inner().expect("no panic before");
    println!("{count} faults of {} programs", programs.len());
    assert!(failed.is_empty(), "{} programs:\n{}", failed.len(), failed.join("\n"));
    assert!(count >= LEAST, "only {count} faults could be replaced");
}

#[test]
fn only_simple_assignments_are_replaced() {
    let text =
        "    x = x + 1; /* T1 a.c:3 */\n    y = 2; /* T1 a.c:4 */\n    f(); /* T1 a.c:5 */\n";
    let changed = replaced(text, "a.c", 3, "x", "7").expect("an assignment");
    assert_eq!(changed, text.replace("x + 1", "7"));
    assert_eq!(replaced(text, "a.c", 5, "x", "7"), None);
    assert_eq!(replaced(text, "a.c", 6, "x", "7"), None);
}
