//! The README's commands print what the README shows.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use support::{root, shown};

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("readable")
}

#[test]
fn the_readmes_commands_print_what_it_shows() {
    let commands = shown::check_document("README.md", &root());
    let ours = commands.iter().filter(|command| command.starts_with("unravel "));
    assert!(ours.count() >= 3, "the README shows {commands:?}");
}

#[test]
fn the_readme_names_the_two_commands() {
    let text = read("README.md");
    for command in ["make demo", "make test"] {
        assert!(text.contains(command), "{command}");
    }
    assert!(read(".ci/run").contains("make test"));
}

/// `make demo` builds, which is too much for a test; what it runs then is shown in the README.
#[test]
fn the_demo_shows_what_the_readme_shows() {
    let text = read("README.md");
    let makefile = read("Makefile");
    let demo = makefile.split("\ndemo:").nth(1).and_then(|rest| rest.split("\n\n").next());
    let lines = demo.expect("a demo").lines();
    let commands: Vec<&str> =
        lines.filter_map(|line| line.strip_prefix("\t@echo '$$ ")?.strip_suffix('\'')).collect();
    assert!(!commands.is_empty());
    for command in commands {
        assert!(text.contains(&format!("\n$ {command}\n")), "{command}");
    }
}
