//! `sequentialize` on the corpus: every file that is written compiles without a warning, fails in
//! the same way on every run, and `check` finds the failure at the statement that it comes from.
//!
//! By default every sixth of the failing programs; all with `UNRAVEL_CORPUS=all`.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use support::{c_files, code, failures, json, root, stderr, stdout, unravel};

/// One of so many programs is written by default.
const FRACTION: usize = 6;

/// How often each compiled file is run.
const RUNS: usize = 3;

/// Programs whose run cannot be written, and what the message says. One that can must go.
#[rustfmt::skip]
const UNSUPPORTED: &[(&str, &str)] = &[
    ("corpus/primitives/strcpy_bad.c", "`strcpy`, which is cut by a context switch"),
    ("corpus/semantics/reused_address_bad.c", "a new block at the address of one that was freed"),
    ("corpus/semantics/shown_padding_bad.c", "a library function that reads uninitialized memory"),
    ("corpus/semantics/wide_store_bad.c", "a read in several steps"),
];

/// Files that a compiler gives another meaning than clang, and why.
#[rustfmt::skip]
const OTHER_MEANING: &[(&str, &str, &str)] = &[
    ("corpus/semantics/atomic_cursor_bad.c", "gcc", "its atomic_fetch_add moves a pointer by bytes, not by elements"),
];

/// A corpus program that fails.
struct Failing {
    /// The path from the root of the repository.
    shown: String,
    flags: Vec<String>,
    property: String,
    /// Lines of which one is the failure.
    lines: Vec<usize>,
}

impl Failing {
    fn read(path: &Path) -> Option<Failing> {
        let text = std::fs::read_to_string(path).expect("readable");
        let (header, _) = text.split_once("*/")?;
        let value = |key: &str| {
            let lines = header.lines().map(|line| line.trim_start_matches([' ', '*']));
            lines.filter_map(|line| line.strip_prefix(key)?.strip_prefix(':')).next().map(str::trim)
        };
        if value("verdict") != Some("unsafe") {
            return None;
        }
        let marked = |marker: &str| {
            let end = format!("//@{marker}");
            text.lines().position(|line| line.trim_end().ends_with(&end)).map(|at| at + 1)
        };
        let shown = path.strip_prefix(root()).expect("below the root");
        Some(Failing {
            shown: shown.to_string_lossy().into_owned(),
            flags: value("flags").unwrap_or("").split_whitespace().map(str::to_owned).collect(),
            property: value("property").unwrap_or("").to_owned(),
            lines: value("at")?.split([',', ' ']).filter_map(marked).collect(),
        })
    }

    fn name(&self) -> &str {
        self.shown.rsplit('/').next().unwrap_or(&self.shown)
    }

    /// Writes the run; the output of the command.
    fn write(&self, out: &Path, more: &[&str]) -> Output {
        let mut args = vec!["sequentialize", &self.shown, "-o", out.to_str().expect("a path")];
        args.extend(self.flags.iter().map(String::as_str));
        args.extend(more);
        unravel(&args)
    }
}

fn all() -> Vec<Failing> {
    c_files("corpus").iter().filter_map(|path| Failing::read(path)).collect()
}

fn chosen() -> Vec<Failing> {
    let is_all = std::env::var("UNRAVEL_CORPUS").is_ok_and(|it| it == "all");
    let listed = |it: &Failing| UNSUPPORTED.iter().any(|row| row.0 == it.shown);
    let wanted = |at: usize, it: &Failing| is_all || at.is_multiple_of(FRACTION) || listed(it);
    let all = all().into_iter().enumerate();
    all.filter(|(at, it)| wanted(*at, it)).map(|(_, it)| it).collect()
}

/// Compiles a file without a warning; the program.
fn compile(compiler: &str, file: &Path, folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join(compiler);
    let output = Command::new(compiler)
        .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&program, file])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{compiler}: {error}"))?;
    if output.status.success() {
        return Ok(program);
    }
    let said = stderr(&output);
    Err(format!("{compiler}: {}", said.lines().find(|it| it.contains("error")).unwrap_or(&said)))
}

/// What a program says when it fails; an error if it does not, or not always alike.
fn run(program: &Path) -> Result<(i32, String), String> {
    let mut seen: Option<(i32, String)> = None;
    for _ in 0..RUNS {
        let output = Command::new(program).stdin(Stdio::null()).output().expect("it starts");
        // The name of the program is part of what `assert` says.
        let said = stderr(&output);
        let said = said.split_once(": ").map_or(said.as_str(), |it| it.1).to_owned();
        if output.status.success() {
            return Err(format!("it does not fail: {said}"));
        }
        let now = (code(&output), said);
        if seen.as_ref().is_some_and(|before| *before != now) {
            return Err(format!("two runs differ: {seen:?} and {now:?}"));
        }
        seen = Some(now);
    }
    seen.ok_or_else(|| "it was not run".to_owned())
}

/// That the compiled file fails as the program does.
fn fails(failing: &Failing, compiler: &str, file: &Path, folder: &Path) -> Result<(), String> {
    let other = |it: &&(&str, &str, &str)| it.0 == failing.shown && it.1 == compiler;
    let ran = run(&compile(compiler, file, folder)?);
    if OTHER_MEANING.iter().any(|it| other(&it)) {
        return match ran {
            Ok(_) => Err(format!("{compiler} understands it now: remove it from the table")),
            Err(_) => Ok(()),
        };
    }
    let (code, said) = ran.map_err(|why| format!("{compiler}: {why}"))?;
    match failing.property.as_str() {
        "deadlock" if code == 1 && said.contains("waits for") => Ok(()),
        "race" if code == 1 && said.contains("the other access") => Ok(()),
        "deadlock" | "race" => Err(format!("{compiler}: exit code {code}: {said}")),
        _ => Ok(()),
    }
}

/// That `check` finds the failure at a statement of the line that the header names.
fn check_agrees(failing: &Failing, file: &Path) -> Result<(), String> {
    let (_, report) = json(&["check", file.to_str().expect("a path")]);
    let finding = &report["findings"][0];
    let (verdict, property) = (&report["verdict"], &finding["property"]);
    if verdict != "unsafe" || property != "reach" {
        return Err(format!("check says {verdict} and {property}"));
    }
    let line = usize::try_from(finding["line"].as_u64().unwrap_or(0)).expect("a line");
    let text = std::fs::read_to_string(file).expect("it was written");
    // The comment stands at the head of a statement, or in what a deadlock says.
    let from = line.saturating_sub(6);
    let around: String = text.lines().skip(from).take(line - from).collect();
    let is_there = |at: &usize| around.contains(&format!("{}:{at}", failing.name()));
    if failing.lines.iter().any(is_there) {
        return Ok(());
    }
    Err(format!("line {line} is not from {:?}: {around}", failing.lines))
}

fn judge(failing: &Failing) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.c");
    let output = failing.write(&file, &[]);
    let (code, said) = (code(&output), stderr(&output));
    if let Some((_, what)) = UNSUPPORTED.iter().find(|row| row.0 == failing.shown) {
        let as_listed = code == 3 && said.contains(what) && !file.exists();
        return if as_listed { Ok(()) } else { Err(format!("exit code {code}: {said}")) };
    }
    if code != 1 || !stdout(&output).is_empty() {
        return Err(format!("exit code {code}: {said}"));
    }
    for compiler in ["gcc", "clang-19"] {
        fails(failing, compiler, &file, folder.path())?;
    }
    check_agrees(failing, &file)
}

#[test]
fn written_runs_fail_as_the_programs_do() {
    let chosen = chosen();
    let failed = failures(&chosen, |it| judge(it).map_err(|why| format!("{}: {why}", it.shown)));
    println!("{} programs, {} cannot be written", chosen.len(), UNSUPPORTED.len());
    assert!(failed.is_empty(), "{} programs:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn at_least_nine_of_ten_are_written() {
    let all = all();
    for (shown, _) in UNSUPPORTED {
        assert!(all.iter().any(|it| it.shown == *shown), "{shown}: no such program");
    }
    assert!(UNSUPPORTED.len() * 10 <= all.len(), "{} of {}", UNSUPPORTED.len(), all.len());
}

/// The programs of the comparisons have a size; a macro of the command line is in the file.
#[test]
fn larger_sizes_are_written_too() {
    for shown in ["corpus/compare/bank.c", "corpus/compare/pbzip2.c"] {
        let failing = Failing::read(&root().join(shown)).expect("a failing program");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("out.c");
        let output = failing.write(&file, &["--", "-DSIZE=6"]);
        assert_eq!(code(&output), 1, "{shown}: {}", stderr(&output));
        let text = std::fs::read_to_string(&file).expect("it was written");
        assert!(text.contains("#define SIZE 6\n"), "{shown}: {text}");
        fails(&failing, "gcc", &file, folder.path()).unwrap_or_else(|why| panic!("{shown}: {why}"));
    }
}

/// A schedule that another command wrote gives the same file.
#[test]
fn a_schedule_may_be_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (schedule, shown) = (path("run.schedule"), "corpus/figures/conc_xy.c");
    let emit = format!("schedule={schedule}");
    assert_eq!(code(&unravel(&["check", shown, "--emit", &emit])), 1);
    let given = unravel(&["sequentialize", shown, "--schedule", &schedule]);
    let found = unravel(&["sequentialize", shown]);
    assert_eq!(code(&given), 1, "{}", stderr(&given));
    assert_eq!(stdout(&given), stdout(&found));
    let other =
        unravel(&["sequentialize", "corpus/figures/maxsmt_fig1.c", "--schedule", &schedule]);
    assert_eq!(code(&other), 2, "{}", stderr(&other));
}

#[test]
fn nothing_is_written_if_no_run_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.c");
    let path = file.to_str().expect("a path");
    let output = unravel(&["sequentialize", "corpus/figures/conc_xy_ok.c", "-o", path]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("no run fails"), "{}", stderr(&output));
    assert!(!file.exists());
}
