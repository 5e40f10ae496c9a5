//! The commands of `docs/` print what the pages show, and links lead somewhere.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::{root, shown};

/// Markdown files in a folder of the repository, sorted.
fn documents(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path.strip_prefix(root()).expect("below the root").to_owned());
        }
    }
    found.sort();
    found
}

#[test]
fn the_pages_of_patterns_show_what_comes_out() {
    for page in documents("docs/patterns") {
        let commands = shown::check_document(&page.to_string_lossy(), &root());
        assert!(!commands.is_empty(), "{} shows no command", page.display());
    }
}

#[test]
fn the_other_pages_show_what_comes_out() {
    for page in documents("docs").iter().filter(|page| !page.ends_with("tutorial.md")) {
        shown::check_document(&page.to_string_lossy(), &root());
    }
}

#[test]
fn the_page_of_recording_uses_every_command_of_it() {
    let text = std::fs::read_to_string(root().join("docs/recording.md")).expect("readable");
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("$ ")).collect();
    for part in ["unravel cc", "unravel record", "unravel show", "unravel replay", "--schedule"] {
        assert!(commands.iter().any(|command| command.contains(part)), "{part}");
    }
}

/// Where the tutorial is done: in the folder that its first block makes, from the root.
fn tutorial_folder(scratch: &Path) -> PathBuf {
    let text = std::fs::read_to_string(root().join("docs/tutorial.md")).expect("readable");
    let block = text.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("a block").replace("/tmp/", &format!("{}/", scratch.display()));
    let mut command = Command::new("sh");
    command.args(["-ec", &block]).current_dir(root());
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "reader").env(format!("GIT_{who}_EMAIL"), "r@r");
    }
    let output = command.output().expect("a shell");
    assert!(output.status.success(), "{}", support::stderr(&output));
    scratch.join("seats")
}

#[test]
fn the_tutorial_shows_what_comes_out() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = tutorial_folder(scratch.path());
    let commands = shown::check_document("docs/tutorial.md", &folder);
    for part in ["unravel check", "unravel diagnose", "unravel compare", "--apply"] {
        assert!(commands.iter().any(|command| command.contains(part)), "{part}");
    }
}

/// The functions that the page of limits says to change control are those of the library model.
#[test]
fn the_limits_name_functions_that_are_not_modelled() {
    let text = std::fs::read_to_string(root().join("docs/limits.md")).expect("readable");
    let line = text.lines().find(|line| line.starts_with("- **Control from outside**"));
    let names: Vec<&str> = line.expect("the line").split('`').skip(1).step_by(2).collect();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        let models = unravel_program::text::parse(unravel_program::library::models::source(8));
        let models = models.expect("parses");
        assert!(models.function_named(name).is_none(), "{name}");
    }
}

/// Targets of `[text](target)` outside code.
fn links(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        if !in_code {
            let rests = line.split("](").skip(1);
            found.extend(rests.filter_map(|rest| rest.split(')').next()).map(str::to_owned));
        }
    }
    found
}

#[test]
fn links_lead_to_files_that_are_there() {
    let mut pages = documents("docs");
    pages.extend(documents("docs/patterns"));
    pages.extend(documents("docs/decisions"));
    pages.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(PathBuf::from));
    for page in pages {
        let text = std::fs::read_to_string(root().join(&page)).expect("readable");
        let own = page.parent().unwrap_or(Path::new(""));
        for link in links(&text).iter().filter(|link| !link.starts_with("http")) {
            let file = link.split('#').next().unwrap_or_default();
            let there = file.is_empty() || root().join(own).join(file).exists();
            assert!(there, "{}: {link}", page.display());
        }
    }
}
