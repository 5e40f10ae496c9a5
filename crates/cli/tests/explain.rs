//! `unravel help`, `explain`, `completions`, `man` and `--version`.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;
use std::process::Command;

use support::{code, corpus, stderr, stdout, unravel};
use unravel_corpus::Pattern;
use unravel_interp::Property;

#[test]
fn patterns_and_properties_of_the_corpus_are_explained() {
    let mut names = BTreeSet::new();
    for program in corpus() {
        names.extend(program.header.pattern.map(Pattern::name));
        names.extend(program.header.property.map(Property::name));
    }
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        let output = unravel(&["explain", name]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        assert!(stdout(&output).lines().count() > 20, "{name}");
    }
}

#[test]
fn all_pages_are_listed_and_each_has_the_same_parts() {
    let output = unravel(&["explain"]);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    let pages: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "inconclusive")
        .collect();
    assert!(pages.len() >= 13, "{text}");
    for page in pages {
        let text = stdout(&unravel(&["explain", page]));
        for part in ["## Example", "## Repair", "## What it is not", "## Literature"] {
            assert!(text.contains(part), "{page} has no part {part}");
        }
        let long = text.lines().filter(|line| !line.starts_with("    ") && !line.starts_with('|'));
        assert_eq!(long.filter(|line| line.chars().count() > 100).count(), 0, "{page}");
        assert!(!text.contains('\x1b'), "{page}: colours in a pipe");
    }
}

#[test]
fn an_unknown_name_gets_the_closest_ones() {
    let output = unravel(&["explain", "asertion"]);
    assert_eq!(code(&output), 2);
    assert_eq!(stdout(&output), "");
    let text = stderr(&output);
    assert!(text.contains("there is no page about `asertion`"), "{text}");
    assert!(text.contains("did you mean `assertion`"), "{text}");
}

#[test]
fn completions_know_the_commands_of_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = unravel(&["completions", shell]);
        assert_eq!(code(&output), 0, "{shell}");
        let text = stdout(&output);
        for word in ["diagnose", "repair", "time-limit", "explain"] {
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(code(&unravel(&["completions", "cmd"])), 2);
}

/// What bash offers for the last word of a line.
fn offered(words: &[&str]) -> String {
    let script = stdout(&unravel(&["completions", "bash"]));
    let line = words.join("' '");
    let script = format!(
        "{script}\nCOMP_WORDS=('{line}'); COMP_CWORD={}; _unravel unravel '{}' '{}'; \
         echo \"${{COMPREPLY[@]}}\"",
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    let output = Command::new("bash").args(["-c", &script]).output().expect("bash runs");
    stdout(&output).trim_end().to_owned()
}

#[test]
fn values_are_completed() {
    assert_eq!(offered(&["unravel", "explain", "asser"]), "assertion");
    assert_eq!(offered(&["unravel", "man", "repa"]), "repair");
    assert_eq!(offered(&["unravel", "check", "--only", "mem"]), "memory");
    assert_eq!(offered(&["unravel", "repair", "--emit", "sch"]), "schedule=");
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let help = stdout(&unravel(&["--help"]));
    let part = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let commands = part.expect("commands").lines();
    let commands: Vec<&str> = commands
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty())
        .collect();
    assert!(commands.len() >= 9, "{help}");
    let all = stdout(&unravel(&["man"]));
    assert!(all.contains(".TH unravel 1") && all.contains(".SH \"EXIT STATUS\""), "{all}");
    for command in commands {
        assert!(all.contains(&format!("unravel\\-{command}(1)")), "{command}");
        let output = unravel(&["man", command]);
        assert_eq!(code(&output), 0, "{command}");
        let text = stdout(&output);
        assert!(text.contains(&format!("unravel {command}")), "{command}: {text}");
        assert!(!text.contains("EXTRA"), "{command}: {text}");
    }
    let check = stdout(&unravel(&["man", "check"]));
    assert!(check.contains("[\\-\\-unwind <N>]"), "{check}");
    let output = unravel(&["man", "mend"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("there are check, diagnose"), "{}", stderr(&output));
}

#[test]
fn help_is_a_command_too() {
    for command in [&[][..], &["check"], &["repair"]] {
        let asked = unravel(&[&["help"], command].concat());
        let flag = unravel(&[command, &["--help"]].concat());
        assert_eq!((code(&asked), stdout(&asked)), (0, stdout(&flag)), "{command:?}");
    }
}

#[test]
fn the_version_names_solver_and_llvm() {
    let output = unravel(&["--version"]);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    let is_version = |line: &str, name: &str| {
        let rest = line.strip_prefix(name).unwrap_or_default();
        rest.split('.').count() == 3 && rest.starts_with(|c: char| c.is_ascii_digit())
    };
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], concat!("unravel ", env!("CARGO_PKG_VERSION")));
    assert!(is_version(lines[1], "solver: CaDiCaL "), "{text}");
    assert!(is_version(lines[2], "LLVM: "), "{text}");
    assert!(lines[3].contains("clang version 19."), "{text}");
}
