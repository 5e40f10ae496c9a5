//! Programs with places marked, and checks of changed texts.

#![allow(dead_code, clippy::unwrap_used, clippy::panic)] // each test uses a part

pub mod balance;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use unravel_patch::diff::diff;
use unravel_patch::guard::{Guarded, Mutex};
use unravel_patch::{Edit, Region};
use unravel_span::{FileId, Files, Span, apply};

/// A program whose places are marked, and the mutex to use.
pub struct Case {
    pub files: Files,
    pub regions: Vec<Region>,
    pub mutex: Mutex,
}

impl Case {
    /// A program of one file.
    pub fn new(mutex: &str, program: &str) -> Case {
        Case::of_files(mutex, &[("a.c", program)])
    }

    /// A program of several files.
    pub fn of_files(mutex: &str, programs: &[(&str, &str)]) -> Case {
        let mut files = Files::new();
        let mut places: BTreeMap<char, Vec<Span>> = BTreeMap::new();
        for (path, program) in programs {
            let file = files.intern(path);
            let text = marked(program, file, &mut places);
            files.set_text(file, text);
        }
        let region = |it: &Vec<Span>| Region { first: it[0], last: *it.last().unwrap() };
        let regions = places.values().map(region).collect();
        let mutex = match mutex.split_once(' ').unwrap() {
            ("new", name) => Mutex::New { name: name.to_owned() },
            (_, names) => {
                let mut names = names.split(" or ").map(str::to_owned);
                let expression = names.next().unwrap();
                Mutex::Existing { expression, others: names.collect() }
            }
        };
        Case { files, regions, mutex }
    }
}

/// A text without its marks, whose places are added.
fn marked(text: &str, file: FileId, places: &mut BTreeMap<char, Vec<Span>>) -> String {
    let (mut plain, mut line, mut column) = (String::new(), 1, 1);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '@' {
            let region = rest.next().unwrap();
            places.entry(region).or_default().push(Span::new(file, line, column));
            continue;
        }
        plain.push(c);
        (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    plain
}

/// The text of a file with the edits that belong to it.
pub fn edited(files: &Files, file: FileId, edits: &[Edit]) -> String {
    let here: Vec<Edit> = edits.iter().filter(|it| it.file == file).cloned().collect();
    apply(files.get(file).unwrap().text.as_deref().unwrap(), &here).unwrap()
}

/// The only file, changed.
pub fn patched(files: &Files, guarded: &Guarded) -> String {
    edited(files, FileId(0), &guarded.edits)
}

/// What gcc says about a text, which is nothing unless it is wrong; nothing either without gcc.
pub fn check_compiles(name: &Path, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("unravel-patch-{}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let arguments =
        ["-Wall", "-Wextra", "-Werror", "-Wno-unused-but-set-parameter", "-fsyntax-only"];
    let output = Command::new("gcc").args(arguments).arg(&path).output();
    std::fs::remove_file(&path).unwrap();
    match output {
        Ok(output) if !output.status.success() => {
            format!("{}:\n{}\n", name.display(), String::from_utf8_lossy(&output.stderr))
        }
        _ => String::new(),
    }
}

/// Whether git makes the changed texts out of the files by the diff of edits.
pub fn check_diff(files: &Files, edits: &[Edit]) {
    let count = edits.first().map_or(0, |it| it.start);
    let directory = std::env::temp_dir().join(format!(
        "unravel-diff-{}-{count}-{}",
        std::process::id(),
        edits.len()
    ));
    std::fs::create_dir_all(&directory).unwrap();
    for (_, file) in files.iter() {
        std::fs::write(directory.join(&file.path), file.text.as_deref().unwrap()).unwrap();
    }
    let patch = diff(files, edits).unwrap();
    std::fs::write(directory.join("change.patch"), &patch).unwrap();
    let output = Command::new("git")
        .args(["apply", "change.patch"])
        .current_dir(&directory)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let results: Vec<_> = files
        .iter()
        .map(|(_, file)| std::fs::read_to_string(directory.join(&file.path)).unwrap())
        .collect();
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(output.status.success(), "{error}\n{patch}");
    for ((id, _), result) in files.iter().zip(results) {
        assert_eq!(result, edited(files, id, edits));
    }
}
