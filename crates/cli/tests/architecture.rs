//! The crates depend on each other as `docs/decisions/dependencies.md` says, and on nothing else.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::root;

/// Rows of the dependency table: crate and what it may use.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let page = root().join("docs/decisions/dependencies.md");
    let text = std::fs::read_to_string(page).expect("readable");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
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

/// Crates that the tests of every crate may use.
const FOR_ALL_TESTS: [&str; 4] = ["cgen", "corpus", "frontend", "staged"];

/// Everything that a crate uses, by way of others too.
fn closure(allowed: &BTreeMap<String, BTreeSet<String>>, of: &str) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut open = vec![of];
    while let Some(name) = open.pop() {
        for next in allowed.get(name).into_iter().flatten() {
            if found.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

#[test]
fn crates_depend_on_each_other_as_the_table_says() {
    let allowed = allowed();
    let actual = actual();
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to, for_tests) in actual {
        let is_free = for_tests
            && (FOR_ALL_TESTS.contains(&to.as_str()) || closure(&allowed, &from).contains(&to));
        let uses = used.entry(from.clone()).or_default();
        if from != to && !is_free {
            uses.insert(to);
        }
    }
    assert_eq!(used, allowed, "the table of dependencies and the manifests differ");
}

/// What is made for tests is no part of the tool.
#[test]
fn the_tool_uses_no_crate_for_tests() {
    let uses: BTreeSet<(String, String)> = actual()
        .into_iter()
        .filter(|(from, to, for_tests)| {
            from != to && !for_tests && ["cgen", "corpus", "staged"].contains(&to.as_str())
        })
        .map(|(from, to, _)| (from, to))
        .collect();
    let allowed = BTreeSet::from([("bench".to_owned(), "corpus".to_owned())]);
    assert_eq!(uses, allowed);
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

/// Bytes of ARCHITECTURE.md: what can be read in ten minutes.
const MOST_BYTES: usize = 12_000;

/// The pages about the structure of the code, each with its text.
fn pages() -> Vec<(PathBuf, String)> {
    let folder = root().join("docs/decisions");
    let entries = std::fs::read_dir(folder).expect("readable").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.push(root().join("ARCHITECTURE.md"));
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("readable");
    paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

/// Whether a text between backticks is the path of a file.
fn is_path(text: &str) -> bool {
    let ends = [".rs", ".c", ".md", ".json"].iter().any(|end| text.ends_with(end));
    ends && text.contains('/') && !text.contains(char::is_whitespace)
}

#[test]
fn files_that_the_pages_name_are_there() {
    for (page, text) in pages() {
        let texts = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
        for path in texts.filter(|text| is_path(text)) {
            let is_there = root().join(path).exists() || root().join("crates").join(path).exists();
            assert!(is_there, "{} names {path}, which is not there", page.display());
        }
    }
}

#[test]
fn the_map_can_be_read_in_ten_minutes() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("readable");
    assert!(text.len() <= MOST_BYTES, "ARCHITECTURE.md has {} bytes", text.len());
}

/// Where `unsafe` may stand: at the edge to a library in C++, in the allocator, where memory is shared with
/// a recorded program, and in all of the runtime, which stands in for parts of the C library.
const EDGES: [(&str, &str); 5] = [
    ("frontend", "llvm"),
    ("heap", "allocator.rs"),
    ("recorder", "shared.rs"),
    ("runtime", ""),
    ("solver", "cadical.rs"),
];

/// Folder of a crate.
fn folder(name: &str) -> PathBuf {
    if name == "bench" { root().join(name) } else { root().join("crates").join(name) }
}

/// All Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn unsafe_stands_only_at_the_edge_to_a_library() {
    for (name, _) in allowed() {
        let source = folder(&name).join("src");
        let root_file = if source.join("lib.rs").exists() { "lib.rs" } else { "main.rs" };
        let text = std::fs::read_to_string(source.join(root_file)).expect("readable");
        let edge = EDGES.iter().find(|(edge, _)| *edge == name);
        let forbids = text.contains("#![forbid(unsafe_code)]");
        assert_eq!(forbids, edge.is_none(), "{name}");
        let Some((_, place)) = edge else { continue };
        for path in files(&source) {
            let text = std::fs::read_to_string(&path).expect("readable");
            let is_edge = path.strip_prefix(&source).is_ok_and(|path| path.starts_with(place));
            let uses = text.lines().any(|line| {
                let code = line.split("//").next().unwrap_or("");
                code.contains("unsafe {")
                    || code.contains("unsafe fn")
                    || code.contains("unsafe impl")
            });
            assert!(is_edge || !uses, "{}", path.display());
        }
    }
}
