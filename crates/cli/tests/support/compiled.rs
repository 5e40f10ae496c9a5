//! Files that must compile without a warning and fail in the same way on every run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{code, stderr};

/// How often each compiled file is run.
const RUNS: usize = 3;

/// Exit code and message of a file that is compiled and fails; an error if it does not, or not
/// always alike.
pub fn run(compiler: &str, file: &Path, folder: &Path) -> Result<(i32, String), String> {
    fails_alike(&compile(compiler, file, folder)?).map_err(|why| format!("{compiler}: {why}"))
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
fn fails_alike(program: &Path) -> Result<(i32, String), String> {
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
