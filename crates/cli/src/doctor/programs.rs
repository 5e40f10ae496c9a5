//! Programs on this machine.

use std::path::Path;
use std::process::{Command, Stdio};

/// What a program says of its version, in its first line; `None` if there is no such program.
pub fn version(name: &str) -> Option<String> {
    let output = Command::new(name).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Some(lines.next().unwrap_or("found; it does not say its version").to_owned())
}

/// Runs a program to its end; if it does not succeed, the last line that it writes.
pub fn succeeds(name: &Path, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(name).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`{}`: {error}", name.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    Err(last.map_or_else(|| format!("`{}` failed", name.display()), str::to_owned))
}
