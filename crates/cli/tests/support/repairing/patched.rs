//! A patched copy of a program: its patch applies, it brings no new warning, and it is safe.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Claim, Difference, Races, list};
use crate::support::{json, root, stderr};

/// Most states of an exploration; a program that has more is left to the other checks.
const STATES: &str = "300000";

/// A folder with a patched file in it, at the same path as in the repository.
pub struct Patched {
    folder: tempfile::TempDir,
    original: PathBuf,
    pub path: PathBuf,
}

impl Patched {
    /// Applies a patch to a copy.
    pub fn new(shown: &str, diff: &str) -> Result<Patched, Difference> {
        let folder = tempfile::tempdir().expect("a folder");
        let (original, path) = (root().join(shown), folder.path().join(shown));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::copy(&original, &path).expect("copied");
        for flags in [&["--check"][..], &[]] {
            git_apply(folder.path(), flags, diff)
                .map_err(|why| Difference::new("git does not apply it", why))?;
        }
        Ok(Patched { folder, original, path })
    }

    /// What the compilers say about the patched text and not about the original.
    pub fn warnings(&self) -> Vec<Difference> {
        let mut found = Vec::new();
        for compiler in ["gcc", "clang-19"] {
            let said = self.said(compiler, &self.path);
            if said.is_empty() {
                continue;
            }
            let before = self.said(compiler, &self.original);
            let new: Vec<String> = said.into_iter().filter(|it| !before.contains(it)).collect();
            if !new.is_empty() {
                let what = format!("{compiler} has a new warning");
                found.push(Difference::new(what, new.join("; ")));
            }
        }
        found
    }

    /// Warnings and errors, without their places.
    fn said(&self, compiler: &str, path: &Path) -> Vec<String> {
        let output = Command::new(compiler)
            .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-pthread", "-c", "-o"])
            .arg(self.folder.path().join("object"))
            .arg(path)
            .env("LC_ALL", "C")
            .output()
            .expect("the compiler starts");
        let said = stderr(&output);
        let lines = said.lines().filter(|it| it.contains("warning: ") || it.contains("error: "));
        lines.filter_map(|it| Some(it.split_once(": ")?.1.to_owned())).collect()
    }

    /// What `check` finds, by the symbolic engine and by the exploration.
    pub fn verdicts(&self, flags: &[&str], is_complete: bool) -> Vec<Difference> {
        let mut found = Vec::new();
        let checked = self.check(flags, &[]);
        let is_fine = match checked["verdict"].as_str() {
            Some("safe") => true,
            Some("inconclusive") => {
                !is_complete && list(&checked["reasons"]).all(|it| it["kind"] == "bound")
            }
            _ => false,
        };
        if !is_fine {
            let why = format!("{}; {}", checked["findings"][0]["message"], checked["reasons"]);
            found.push(Difference::new("check does not find it safe", why));
        }
        let explored = self.check(flags, &["--engine", "explore", "--max-states", STATES]);
        if let Some(finding) = list(&explored["findings"]).next() {
            let why = format!("{} in line {}", finding["message"], finding["line"]);
            found.push(Difference::new("the exploration refutes it", why));
        }
        found
    }

    /// A data race that is left on the data of the repair.
    pub fn race(&self, flags: &[&str], races: &Races) -> Option<Difference> {
        if races.claim != Claim::SomeIsLeft {
            return None;
        }
        let checked = self.check(flags, &["--races"]);
        let message = checked["findings"][0]["message"].as_str().unwrap_or("no race is found");
        let name = message.split('`').nth(1);
        let is_fine = name.is_some_and(|it| !races.concern(it));
        (!is_fine).then(|| Difference::new("leaves a data race on its data", message))
    }

    fn check(&self, flags: &[&str], more: &[&str]) -> serde_json::Value {
        let mut args = vec!["check", self.path.to_str().expect("a path in UTF-8")];
        args.extend(flags.iter().chain(more));
        json(&args).1
    }
}

/// Applies a patch in a folder that is in no repository.
fn git_apply(folder: &Path, flags: &[&str], diff: &str) -> Result<(), String> {
    let mut child = Command::new("git")
        .arg("apply")
        .args(flags)
        .current_dir(folder)
        .env("GIT_CEILING_DIRECTORIES", folder.parent().expect("not the root"))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(diff.as_bytes()).expect("written");
    drop(pipe);
    let output = child.wait_with_output().expect("git ends");
    if output.status.success() { Ok(()) } else { Err(stderr(&output)) }
}
