//! C programs with marked places, and what a change makes of them.
//!
//! `/*@name*/` marks the place of the token behind it. The result is compared as the lines that
//! changed, each hunk with one line around it, and is compiled.

#![allow(dead_code, reason = "every test file uses its part")]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::process::{Command, Stdio};
use std::{io::Write, thread};

use similar::{ChangeTag, TextDiff};
use unravel_patch::{Edit, Refusal, Sources};
use unravel_span::{FileId, Files, Span, apply};

/// A program with its marks.
pub struct Marked {
    pub files: Files,
    marks: Vec<(String, Span)>,
}

impl Marked {
    /// One file.
    pub fn new(text: &str) -> Marked {
        Marked::of(&[("program.c", text)])
    }

    /// Several files.
    pub fn of(texts: &[(&str, &str)]) -> Marked {
        let mut marked = Marked { files: Files::new(), marks: Vec::new() };
        for (path, text) in texts {
            let id = marked.files.intern(path);
            let plain = marked.read(id, text);
            compiles(&plain);
            marked.files.set_text(id, plain);
        }
        marked
    }

    fn read(&mut self, file: FileId, text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text.trim_start_matches('\n');
        while let Some((before, after)) = rest.split_once("/*@") {
            let (name, after) = after.split_once("*/").expect("a mark ends");
            plain.push_str(before);
            let line = plain.matches('\n').count() + 1;
            let column = plain.len() - plain.rfind('\n').map_or(0, |at| at + 1) + 1;
            let span = Span::new(file, line.try_into().unwrap(), column.try_into().unwrap());
            self.marks.push((name.to_owned(), span));
            rest = after;
        }
        plain + rest
    }

    /// The place of a mark.
    pub fn at(&self, name: &str) -> Span {
        self.all(name)[0]
    }

    /// The places of all marks of a name.
    pub fn all(&self, name: &str) -> Vec<Span> {
        let found = self.marks.iter().filter(|(mark, _)| mark == name);
        let found: Vec<Span> = found.map(|(_, span)| *span).collect();
        assert!(!found.is_empty(), "no mark {name}");
        found
    }

    /// The changed lines after a change.
    pub fn changed(&self, change: impl Fn(&Sources<'_>) -> Result<Vec<Edit>, Refusal>) -> String {
        let sources = Sources::parse(&self.files);
        let edits = change(&sources).unwrap_or_else(|refusal| panic!("refused: {refusal}"));
        let mut shown = String::new();
        for (id, file) in self.files.iter() {
            let old = file.text.as_deref().expect("all texts are set");
            let own: Vec<Edit> = edits.iter().filter(|it| it.file == id).cloned().collect();
            let new = apply(old, &own).unwrap_or_else(|| panic!("edits overlap: {own:#?}"));
            let difference = difference(old, &new);
            shown.push_str(&difference);
            compiles_after(&new, &difference);
        }
        shown
    }

    /// Compares the changed lines with those expected.
    #[track_caller]
    pub fn becomes(
        &self,
        change: impl Fn(&Sources<'_>) -> Result<Vec<Edit>, Refusal>,
        expected: &str,
    ) {
        let shown = self.changed(change);
        let expected = expected.trim_start_matches('\n');
        assert!(shown == expected, "--- got\n{shown}--- expected\n{expected}");
    }

    /// Compares the reason of a refusal.
    #[track_caller]
    pub fn refused(&self, change: impl Fn(&Sources<'_>) -> Result<Vec<Edit>, Refusal>, why: &str) {
        let sources = Sources::parse(&self.files);
        match change(&sources) {
            Err(refusal) => assert_eq!(refusal.to_string(), why),
            Ok(edits) => panic!("not refused: {edits:#?}"),
        }
    }
}

/// The hunks of a difference, one line around each, `...` between them.
fn difference(old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let mut shown = String::new();
    for (index, group) in diff.grouped_ops(1).iter().enumerate() {
        if index > 0 {
            shown.push_str("...\n");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => "-",
                ChangeTag::Insert => "+",
                ChangeTag::Equal => " ",
            };
            let line = change.to_string();
            let line = line.trim_end_matches('\n');
            shown.push_str(if line.is_empty() { "" } else { sign });
            shown.push_str(line);
            shown.push('\n');
        }
    }
    shown
}

fn compiles(text: &str) {
    compiles_after(text, "(the original)");
}

/// Compiles a text without warnings.
fn compiles_after(text: &str, shown: &str) {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", "-"]);
    gcc.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = gcc.spawn().expect("gcc runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    let owned = text.to_owned();
    let writer = thread::spawn(move || stdin.write_all(owned.as_bytes()));
    let output = child.wait_with_output().expect("gcc ends");
    writer.join().expect("no panic").expect("gcc reads");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "does not compile:\n{errors}\n{shown}");
}
