//! The files of a program as one text: its sources one behind the other, with its own headers in
//! place of what includes them.
//!
//! A sequential file is one file, and in place of the thread library's types it has its own, in
//! headers, too. Each line knows where it comes from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use unravel_program::Program;
use unravel_span::{FileId, Files, Span};

use crate::Unsupported;

/// The one file of [`Joined::files`].
pub const FILE: FileId = FileId(0);

/// The files of a program as one text.
pub struct Joined {
    /// A single file, with the name of the one that `main` is in.
    pub files: Files,
    /// Where each line comes from.
    lines: Vec<(FileId, u32)>,
    /// The byte that each line begins at.
    starts: Vec<usize>,
    /// Several files are in it.
    pub is_several: bool,
}

/// Puts lines together.
struct Joiner<'p> {
    program: &'p Program,
    text: String,
    lines: Vec<(FileId, u32)>,
    /// Files that are in the text.
    taken: BTreeSet<FileId>,
}

impl Joined {
    /// Joins the files.
    ///
    /// # Errors
    /// If there is no source, or some of it cannot be read.
    pub fn of(program: &Program) -> Result<Joined, Unsupported> {
        let main = program.site(program.function(program.main).site).span;
        let main = main.ok_or_else(|| Unsupported::new("a program without source", None))?.file;
        let mut joiner =
            Joiner { program, text: String::new(), lines: Vec::new(), taken: BTreeSet::new() };
        let wanted = with_code(program);
        let included: BTreeSet<FileId> =
            wanted.iter().flat_map(|it| joiner.included_from(*it)).collect();
        let roots: Vec<FileId> = wanted.difference(&included).copied().collect();
        for root in roots.iter().filter(|it| **it != main).chain([&main]) {
            joiner.take(*root)?;
        }
        let Joiner { text, lines, taken, .. } = joiner;
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(starts).collect();
        let mut files = Files::new();
        let file = files.intern(program.files.path(main));
        files.set_text(file, text);
        Ok(Joined { files, lines, starts, is_several: taken.len() > 1 })
    }

    /// The byte that a place of the program is at.
    pub fn offset(&self, span: Span) -> Option<usize> {
        let row = self.lines.iter().position(|it| *it == (span.file, span.line))?;
        Some(self.starts.get(row)? + span.column.checked_sub(1)? as usize)
    }

    /// The file and the line that a row of the text comes from, from 0.
    pub fn origin(&self, row: usize) -> (FileId, u32) {
        self.lines.get(row).copied().unwrap_or((FILE, 0))
    }
}

/// Files that the program's own functions are in, and its variables.
fn with_code(program: &Program) -> BTreeSet<FileId> {
    let functions = program.functions.iter().filter(|it| !it.library).map(|it| it.site);
    let sites = functions.chain(program.globals.iter().map(|it| it.site));
    let files = sites.filter_map(|it| program.site(it).span).map(|it| it.file);
    let is_own = |it: &FileId| !program.files.path(*it).starts_with("/usr/");
    files.filter(is_own).collect()
}

impl Joiner<'_> {
    fn text_of(&self, file: FileId) -> Option<&str> {
        self.program.files.get(file)?.text.as_deref()
    }

    /// Adds a file, with those that it includes.
    fn take(&mut self, file: FileId) -> Result<(), Unsupported> {
        if !self.taken.insert(file) {
            return Ok(());
        }
        let text = self.text_of(file).map(str::to_owned);
        let Some(text) = text else {
            return Err(Unsupported::new("a program whose source cannot be read", None));
        };
        let guard = guard(&text);
        for (line, number) in text.split_inclusive('\n').zip(1..) {
            if let Some(header) = self.header(file, line) {
                self.take(header)?;
            } else if guard.contains(&number) {
                self.push("\n", file, number);
            } else {
                self.push(line, file, number);
            }
        }
        Ok(())
    }

    fn push(&mut self, line: &str, file: FileId, number: u32) {
        self.text.push_str(line);
        if !line.ends_with('\n') {
            self.text.push('\n');
        }
        self.lines.push((file, number));
    }

    /// The program's own header that a line includes.
    fn header(&self, from: FileId, line: &str) -> Option<FileId> {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let name = rest.trim_start().strip_prefix('"')?.split_once('"')?.0;
        let beside = Path::new(self.program.files.path(from)).parent().map(|it| it.join(name));
        let beside = beside.map(|it| plain(&it));
        let readable = || self.program.files.iter().filter(|(_, it)| it.text.is_some());
        let is_beside = |path: &str| beside.as_deref() == Some(plain(Path::new(path)).as_path());
        let is_named = |path: &str| plain(Path::new(path)).ends_with(plain(Path::new(name)));
        let found = readable().find(|(_, it)| is_beside(&it.path));
        found.or_else(|| readable().find(|(_, it)| is_named(&it.path))).map(|it| it.0)
    }

    /// Files that a file includes, directly or not.
    fn included_from(&self, file: FileId) -> BTreeSet<FileId> {
        let (mut found, mut work) = (BTreeSet::new(), vec![file]);
        while let Some(file) = work.pop() {
            let lines = self.text_of(file).unwrap_or("").lines();
            let headers: Vec<FileId> = lines.filter_map(|it| self.header(file, it)).collect();
            work.extend(headers.into_iter().filter(|it| found.insert(*it)));
        }
        found
    }
}

/// A path without `.` and `..`, where that can be told from its text.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// The lines of a header that keep it from being included twice, which it is not.
fn guard(text: &str) -> BTreeSet<u32> {
    let directive = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        Some((rest[..end].to_owned(), rest[end..].split_whitespace().next()?.to_owned()))
    };
    let all: Vec<(u32, (String, String))> =
        (1..).zip(text.lines()).filter_map(|(at, it)| Some((at, directive(it)?))).collect();
    let is = |it: &(u32, (String, String)), word: &str| it.1.0 == word;
    let once = all.iter().filter(|it| is(it, "pragma") && it.1.1 == "once").map(|it| it.0);
    let mut lines: BTreeSet<u32> = once.collect();
    let end = text.lines().count();
    let last = (1..).zip(text.lines()).filter(|(_, it)| !it.trim().is_empty()).last();
    let closes = |line: &str| line.trim_start().trim_start_matches('#').trim().starts_with("endif");
    if let ([first, second, ..], Some((at, line))) = (&all[..], last)
        && is(first, "ifndef")
        && is(second, "define")
        && first.1.1 == second.1.1
        && closes(line)
        && end > 0
    {
        lines.extend([first.0, second.0, at]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::guard;

    #[test]
    fn guards_are_found() {
        let header = "/* x */\n#ifndef A_H\n#define A_H\nint a;\n#ifdef B\n#endif\n#endif\n";
        assert_eq!(guard(header).into_iter().collect::<Vec<_>>(), [2, 3, 7]);
        assert_eq!(guard("#pragma once\nint a;\n").into_iter().collect::<Vec<_>>(), [1]);
        assert!(guard("#ifndef N\n#define N 3\n#endif\nint a[N];\n").is_empty());
        assert!(guard("#include <a.h>\nint a;\n").is_empty());
    }
}
