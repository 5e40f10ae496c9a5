//! Where the programs are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{CorpusProgram, Error, Problem};

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(package).to_owned()
}

/// All programs, by directory and name.
///
/// # Errors
/// The first directory that cannot be read, or the first program that is malformed.
pub fn all() -> Result<Vec<CorpusProgram>, Error> {
    let mut programs = Vec::new();
    for path in entries(&root().join("corpus"))?.into_iter().filter(|it| it.is_dir()) {
        programs.extend(programs_in(&path)?);
    }
    Ok(programs)
}

/// The programs that fail, by directory and name.
///
/// # Errors
/// As [`all`].
pub fn failing() -> Result<Vec<CorpusProgram>, Error> {
    let mut programs = all()?;
    programs.retain(CorpusProgram::is_unsafe);
    Ok(programs)
}

/// The programs of one directory of the corpus (`figures`), by name.
///
/// # Errors
/// As [`all`].
pub fn directory(name: &str) -> Result<Vec<CorpusProgram>, Error> {
    programs_in(&root().join("corpus").join(name))
}

/// The program at a path from the root of the repository (`corpus/figures/conc_xy.c`).
///
/// # Errors
/// The program cannot be read or is malformed.
pub fn program(shown: &str) -> Result<CorpusProgram, Error> {
    read(&root().join(shown))
}

fn programs_in(directory: &Path) -> Result<Vec<CorpusProgram>, Error> {
    let files = entries(directory)?.into_iter();
    files.filter(|it| it.extension().is_some_and(|it| it == "c")).map(|it| read(&it)).collect()
}

fn read(path: &Path) -> Result<CorpusProgram, Error> {
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    CorpusProgram::parse(path, &shown(path), text)
}

/// What is in a directory, sorted.
fn entries(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |error: std::io::Error| unreadable(directory, &error);
    let entries = fs::read_dir(directory).map_err(failed)?;
    let paths = entries.map(|entry| entry.map(|it| it.path()).map_err(failed));
    let mut paths = paths.collect::<Result<Vec<PathBuf>, Error>>()?;
    paths.sort();
    Ok(paths)
}

/// A path from the root of the repository.
fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned()
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error { file: shown(path), line: 0, problem: Problem::Unreadable(error.to_string()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::Key;

    #[test]
    fn every_program_of_the_corpus_is_well_formed() {
        let programs = all().unwrap_or_else(|error| panic!("{error}"));
        assert!(programs.len() >= 480, "{} programs", programs.len());
        assert!(programs.is_sorted_by(|a, b| a.path < b.path));
        assert!(failing().unwrap().len() >= 260);
    }

    #[test]
    fn one_program_is_found_by_its_path() {
        let found = program("corpus/figures/conc_xy.c").unwrap();
        let names = (found.directory(), found.file_name(), found.name());
        assert_eq!(names, ("figures", "conc_xy.c", "conc_xy"));
        assert!(directory("figures").unwrap().iter().any(|it| it.path == found.path));
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = program("corpus/figures/no_such.c").unwrap_err().to_string();
        assert!(error.starts_with("corpus/figures/no_such.c: cannot be read: "), "{error}");
        let error = directory("no_such").unwrap_err().to_string();
        assert!(error.starts_with("corpus/no_such: cannot be read: "), "{error}");
    }

    /// The table of `corpus/README.md` has the keys in the order in which headers have them.
    #[test]
    fn the_keys_are_those_of_the_documentation() {
        let text = fs::read_to_string(root().join("corpus/README.md")).unwrap();
        let (_, table) = text.split_once("| key | value |\n|---|---|\n").unwrap();
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        let documented: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
        assert_eq!(documented, Key::ALL.map(Key::name));
    }
}
