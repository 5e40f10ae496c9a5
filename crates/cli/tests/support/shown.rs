//! Documents whose commands print what the documents show.
//!
//! A command is a line of a ```` ```console ```` block that begins with `$ `; what it prints stands
//! below it. With `UNRAVEL_BLESS=1` a test writes what comes out into the document, instead of
//! comparing it.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::root;

/// How often a command is tried that does not run Unravel: a flaky program may fail now and then.
const TRIES: usize = 3;

/// A piece of a document.
enum Piece {
    /// Lines that are kept as they are.
    Text(String),
    /// A command with the output shown under it.
    Shown { command: String, output: String },
}

/// Runs all commands of a document in order, in a folder, and compares (or writes) the outputs.
/// Files that a command writes to `/tmp` go to a folder of their own. Returns the commands.
pub fn check_document(document: &str, folder: &Path) -> Vec<String> {
    let path = root().join(document);
    let text = std::fs::read_to_string(&path).expect("readable");
    let scratch = tempfile::tempdir().expect("a folder");
    let shell = Shell::new(folder, scratch.path());
    let bless = std::env::var_os("UNRAVEL_BLESS").is_some();
    let mut commands = Vec::new();
    let mut blessed = String::new();
    for piece in pieces(&text) {
        let (command, output) = match piece {
            Piece::Text(text) => {
                blessed.push_str(&text);
                continue;
            }
            Piece::Shown { command, output } => (command, output),
        };
        let printed = shell.run(&command, &output);
        let same = without_time(&printed) == without_time(&output);
        if !bless {
            assert_eq!(without_time(&printed), without_time(&output), "{document}: {command}");
        }
        let shown = if same { &output } else { &printed };
        write!(blessed, "$ {command}\n{shown}").expect("text");
        commands.push(command);
    }
    if bless && blessed != text {
        std::fs::write(&path, blessed).expect("writable");
    }
    commands
}

/// A document as text and commands.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text(String::new())];
    let mut in_console = false;
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        if is_fence {
            in_console = line == "```console";
        }
        match (line.strip_prefix("$ "), pieces.last_mut()) {
            (Some(command), _) if in_console => {
                let command = command.to_owned();
                pieces.push(Piece::Shown { command, output: String::new() });
            }
            (_, Some(Piece::Shown { output, .. })) if !is_fence => {
                output.push_str(&format!("{line}\n"));
            }
            (_, Some(Piece::Text(text))) => text.push_str(&format!("{line}\n")),
            _ => pieces.push(Piece::Text(format!("{line}\n"))),
        }
    }
    pieces
}

/// Where commands run.
struct Shell<'a> {
    folder: &'a Path,
    scratch: &'a Path,
    /// The search path, with `unravel` first.
    path: String,
}

impl<'a> Shell<'a> {
    fn new(folder: &'a Path, scratch: &'a Path) -> Shell<'a> {
        let programs = scratch.join("bin");
        std::fs::create_dir(&programs).expect("a folder");
        let own = env!("CARGO_BIN_EXE_unravel");
        std::os::unix::fs::symlink(own, programs.join("unravel")).expect("a link");
        let path = std::env::var("PATH").unwrap_or_default();
        Shell { folder, scratch, path: format!("{}:{path}", programs.display()) }
    }

    /// What a command prints, on standard output and standard error.
    fn run(&self, command: &str, expected: &str) -> String {
        let tries = if command.starts_with("unravel ") { 1 } else { TRIES };
        let mut printed = self.run_once(command);
        for _ in 1..tries {
            if without_time(&printed) != without_time(expected) {
                printed = self.run_once(command);
            }
        }
        printed
    }

    fn run_once(&self, command: &str) -> String {
        let scratch = self.scratch.display().to_string();
        let command = command.replace("/tmp/", &format!("{scratch}/"));
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(self.folder)
            .env("PATH", &self.path)
            .env_remove("NO_COLOR")
            .output()
            .expect("a shell");
        let mut printed = super::stdout(&output).replace(&format!("{scratch}/"), "/tmp/");
        if !printed.is_empty() && !printed.ends_with('\n') {
            printed.push('\n');
        }
        printed
    }
}

/// A text without what depends on how fast the machine is: the time, which is last in the SUMMARY
/// line, and the line on standard error that says what is known if the answer takes longer than a
/// second.
pub fn without_time(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("so far: "));
    let lines = lines.map(|line| match line.rsplit_once(", ") {
        Some((rest, time)) if line.starts_with("SUMMARY:") && time.ends_with('s') => rest,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}
