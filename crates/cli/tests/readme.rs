//! The README's commands print what the README shows.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::process::Command;

use support::root;

/// A command of the README with the output shown under it.
struct Shown {
    command: String,
    output: String,
}

/// Commands in ```` ```console ```` blocks: lines that begin with `$ `, and what follows them.
fn shown(text: &str) -> Vec<Shown> {
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut found: Vec<Shown> = Vec::new();
    for block in blocks {
        for line in block.lines() {
            match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => {
                    found.push(Shown { command: command.to_owned(), output: String::new() });
                }
                (None, Some(shown)) => shown.output.push_str(&format!("{line}\n")),
                (None, None) => {}
            }
        }
    }
    found
}

/// The time, which is last in the SUMMARY line, is the only thing that may differ.
fn without_time(text: &str) -> String {
    let lines = text.lines().map(|line| match line.rsplit_once(", ") {
        Some((rest, time)) if line.starts_with("SUMMARY:") && time.ends_with('s') => rest,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

#[test]
fn the_readmes_commands_print_what_it_shows() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("readable");
    let commands = shown(&text);
    let ours: Vec<&Shown> =
        commands.iter().filter(|shown| shown.command.starts_with("unravel ")).collect();
    assert!(ours.len() >= 3, "the README shows {} commands", ours.len());
    let folder = tempfile::tempdir().expect("a folder");
    for shown in ours {
        // Files that a command writes go to a folder of their own.
        let command = shown.command.replace("/tmp/", &format!("{}/", folder.path().display()));
        let command = command.replacen("unravel", env!("CARGO_BIN_EXE_unravel"), 1);
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(root())
            .output()
            .expect("a shell");
        let printed = format!("{}{}", support::stdout(&output), support::stderr(&output));
        assert_eq!(without_time(&printed), without_time(&shown.output), "{}", shown.command);
    }
}

#[test]
fn the_readme_names_the_two_commands() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("readable");
    for command in ["make demo", "make test"] {
        assert!(text.contains(command), "{command}");
    }
    let ci = std::fs::read_to_string(root().join(".ci/run")).expect("readable");
    assert!(ci.contains("make test"));
}
