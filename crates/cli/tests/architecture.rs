//! The crates depend on each other as ARCHITECTURE.md says, and on nothing else.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;
use support::root;

/// Rows of the dependency table: crate and what it may use.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("readable");
    let (_, section) = text.split_once("## Dependencies").expect("the section");
    let section = section.split("\n## ").next().expect("text");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let names = |cell: &str| -> BTreeSet<String> {
            cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
        };
        let name = names(cells[1]).into_iter().next().expect("a name");
        (name, names(cells[2]))
    })
    .collect()
}

/// What `cargo metadata` says: crate, dependency, whether it is for tests only.
fn actual() -> Vec<(String, String, bool)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut edges = Vec::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let name = short(package["name"].as_str().expect("a name"));
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let target = dependency["name"].as_str().expect("a name");
            if target.starts_with("unravel-") {
                let for_tests = dependency["kind"] == "dev";
                edges.push((name.clone(), short(target), for_tests));
            }
        }
        edges.push((name.clone(), name, false));
    }
    edges
}

fn short(name: &str) -> String {
    name.trim_start_matches("unravel-").to_owned()
}

#[test]
fn crates_depend_on_each_other_as_the_table_says() {
    let allowed = allowed();
    let actual = actual();
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to, for_tests) in actual {
        let uses = used.entry(from.clone()).or_default();
        if from != to && !(for_tests && to == "cgen") {
            uses.insert(to);
        }
    }
    assert_eq!(used, allowed, "ARCHITECTURE.md's table and the manifests differ");
}

#[test]
fn no_dependency_is_circular() {
    let allowed = allowed();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    while done.len() < allowed.len() {
        let ready = allowed.iter().find(|(name, uses)| {
            !done.contains(name.as_str()) && uses.iter().all(|name| done.contains(name.as_str()))
        });
        let (name, _) = ready.expect("a crate that uses only those before it");
        done.insert(name);
    }
}

#[test]
fn unsafe_stands_only_at_the_edge_to_llvm() {
    for (name, _) in allowed() {
        let file = match name.as_str() {
            "cli" => "main.rs",
            _ => "lib.rs",
        };
        let path = root().join("crates").join(&name).join("src").join(file);
        let text = std::fs::read_to_string(&path).expect("readable");
        let forbids = text.contains("#![forbid(unsafe_code)]");
        assert_eq!(forbids, name != "frontend", "{}", path.display());
    }
}
