//! The program's own headers, which no instruction may have a place in: one that holds macros only
//! is not in debug information, and a patch has to know what they mean.

use std::fs;
use std::path::{Path, PathBuf};

use unravel_program::Program;
use unravel_span::{FileId, bytes};

use crate::debug::short_path;
use crate::overlay::Overlay;

/// Adds the headers that files include by `#include "..."`, and those that they include in turn:
/// beside the file, or in a directory of `-I`.
pub(crate) fn add_headers(program: &mut Program, flags: &[String], overlay: &Overlay) {
    let directories = include_directories(flags);
    let mut at = 0;
    while let Some(file) = program.files.get(FileId(at)) {
        at += 1;
        let beside = Path::new(&file.path).parent().unwrap_or(Path::new("")).to_owned();
        let names = file.text.as_deref().map(included).unwrap_or_default();
        for name in names {
            let mut places = std::iter::once(&beside).chain(&directories).map(|it| it.join(&name));
            if let Some(header) = places.find(|it| it.is_file()) {
                add_header(program, &header, overlay);
            }
        }
    }
}

fn add_header(program: &mut Program, header: &Path, overlay: &Overlay) {
    let id = program.files.intern(&short_path(header).display().to_string());
    if program.files.get(id).is_some_and(|it| it.text.is_some()) {
        return;
    }
    let read = || Some(bytes::decode(&fs::read(header).ok()?));
    if let Some(text) = overlay.text(header).map(str::to_owned).or_else(read) {
        program.files.set_text(id, text);
    }
}

/// The names between quotes that a text includes.
fn included(text: &str) -> Vec<String> {
    all_included(text).into_iter().filter(|(_, quoted)| *quoted).map(|(name, _)| name).collect()
}

/// All names that a text includes, and whether they stand between quotes.
pub(crate) fn all_included(text: &str) -> Vec<(String, bool)> {
    let name = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let rest = rest.trim_start();
        let quoted = rest.strip_prefix('"').and_then(|it| it.split_once('"'));
        let angled = || rest.strip_prefix('<').and_then(|it| it.split_once('>'));
        let is_quoted = quoted.is_some();
        Some((quoted.or_else(angled)?.0.to_owned(), is_quoted))
    };
    text.lines().filter_map(name).collect()
}

/// The directories of `-I`, as one word or two.
pub(crate) fn include_directories(flags: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match flag.strip_prefix("-I") {
            Some("") => found.extend(flags.next().map(PathBuf::from)),
            Some(directory) => found.push(PathBuf::from(directory)),
            None => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_between_quotes_are_the_programs_own() {
        let text = "#include <stdio.h>\n  # include \"a/b.h\" // own\n#define X \"c.h\"\n";
        assert_eq!(included(text), ["a/b.h"]);
    }

    #[test]
    fn directories_are_one_word_or_two() {
        let flags = ["-O2", "-Iinclude", "-I", "lib", "-DX"].map(str::to_owned);
        assert_eq!(include_directories(&flags), [Path::new("include"), Path::new("lib")]);
    }
}
